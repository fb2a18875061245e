internal import Quantities

/// Messages of this module on standard error.
enum ProgramMessages {
  /// Writes one line. The text may be that of the daemon: control characters become spaces.
  static func say(_ text: String) {
    let line = Array(
      "CoreLocation: \(String(printable: text, atMost: String.longestMessage))\n".utf8)
    // FileHandle ends the program where the write fails, on a full disk for example.
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
