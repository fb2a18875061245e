import LinuxIO

/// The journals of several applications, each in its own subfolder.
public struct MonitoringArchive: Sendable {
  /// The folder of the subfolders.
  public let folder: String
  private let files: any FileOperations

  /// Makes the archive of a folder, which need not exist yet.
  public init(folder: String) {
    (self.folder, files) = (folder, LinuxFiles())
  }

  /// Opens the monitoring of an application and continues with its stored state.
  /// - Parameters:
  ///   - applicationID: 1 to 80 bytes, such as `org.example.tracker`; a byte that is unsafe in a file name
  ///     is written as `%` and two hexadecimal digits.
  ///   - options: Tuning and clock.
  /// - Returns: The session, locked for this process.
  /// - Throws: `busy` where another process has it open; `file`; `unsuitableName`.
  public func open(
    _ applicationID: String, options: MonitoringSession.Options = MonitoringSession.Options()
  ) throws(JournalError) -> MonitoringSession {
    let journal = try MonitoringJournal(folder: folder + "/" + Self.fileName(applicationID))
    return try MonitoringSession(journal: journal, options: options)
  }

  /// The applications with a stored state, sorted by identifier.
  /// - Throws: `file` where the folder exists and cannot be listed.
  public func applicationIDs() throws(JournalError) -> [String] {
    do {
      return try files.names(in: folder).compactMap(Self.applicationID(ofFile:)).sorted()
    } catch {
      if error.isAbsence { return [] }
      throw .file(error)
    }
  }

  /// The name of an application's folder.
  /// - Throws: `unsuitableName` for one that is empty or too long.
  package static func fileName(_ applicationID: String) throws(JournalError) -> String {
    guard (1...80).contains(applicationID.utf8.count) else {
      throw .unsuitableName(applicationID)
    }
    var name = ""
    for (index, byte) in applicationID.utf8.enumerated() {
      let isPlain =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        // Not first: this would be a hidden file, or the folder itself.
        case UInt8(ascii: "."): index > 0
        default: false
        }
      if isPlain {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let hex = String(byte, radix: 16, uppercase: true)
        name += "%" + (hex.count < 2 ? "0" : "") + hex
      }
    }
    return name
  }

  /// - Returns: nil for a name that `fileName` does not return.
  package static func applicationID(ofFile name: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(JournalError) {
      return try fileName(text) == name ? text : nil
    } catch {
      return nil
    }
  }
}
