internal import Quantities

/// Messages of this module on standard error.
enum StandardError {
  /// Writes one line. The text may be that of the daemon: control characters become spaces.
  static func say(_ text: String) {
    let line = String(printable: text, atMost: String.longestMessage)
    FileHandle.standardError.write(Data("CoreLocation: \(line)\n".utf8))
  }
}
