import FoundationEssentials
import JSON
import LinuxIO

/// The settings of a receiver before they were changed, kept in the state folder, one file a port:
/// `receivers/PORT.json`.
package struct ReceiverSettingsFile: Sendable {
  /// The version of the format, and the newest that is read.
  private static let version = 1

  /// The content.
  package struct Content: Codable, Equatable, Sendable {
    /// Absent in the first files.
    var version: Int? = ReceiverSettingsFile.version
    /// What the receiver said that it is.
    package var receiver: String
    /// The port.
    package var port: String
    /// The settings, each as NAME=VALUE.
    package var settings: [String]

    /// Describes a receiver's settings.
    package init(receiver: String, port: String, settings: [String]) {
      (self.receiver, self.port, self.settings) = (receiver, port, settings)
    }
  }

  /// The path.
  package let path: String
  private let folder: String

  /// - Parameters:
  ///   - stateFolder: The state folder.
  ///   - port: The receiver's port.
  package init(stateFolder: String, port: String) {
    folder = stateFolder + "/receivers"
    let name = port.utf8.map { byte in
      let isPlain =
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
      return isPlain ? byte : UInt8(ascii: "-")
    }
    path = folder + "/" + String(decoding: name, as: UTF8.self) + ".json"
  }

  /// The content; nil where there is no file.
  /// - Throws: `FileFault`, also for a file that is damaged.
  package func read() throws(FileFault) -> Content? {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try LinuxFiles().content(of: path)
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
    try checkVersion(bytes)
    do {
      try JSONText.check(bytes)
      return try JSONDecoder().decode(Content.self, from: Data(bytes))
    } catch {
      throw FileFault(action: "read", path: path, code: 0, detail: "it is damaged; remove it")
    }
  }

  private func checkVersion(_ bytes: [UInt8]) throws(FileFault) {
    guard let version = StateVersion.newer(bytes, known: Self.version) else { return }
    throw FileFault(
      action: "read", path: path, code: 0,
      detail: StateVersion.reason(version, known: Self.version))
  }

  /// Replaces the file; one of a newer program is not replaced.
  package func write(_ content: Content) throws(FileFault) {
    do throws(FileFault) {
      try checkVersion(try LinuxFiles().content(of: path))
    } catch {
      guard error.isAbsence else { throw error }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    let bytes: [UInt8]
    do {
      bytes = Array(try encoder.encode(content)) + [UInt8(ascii: "\n")]
    } catch {
      throw FileFault(action: "write", path: path, code: 0, detail: "\(error)")
    }
    try LinuxFiles().makeFolders(folder)
    try LinuxFiles().replace(path, with: bytes, mode: 0o644)
  }

  /// Removes the file; an absent one is no fault.
  package func remove() throws(FileFault) {
    do throws(FileFault) {
      try LinuxFiles().remove(path)
    } catch {
      guard error.isAbsence else { throw error }
    }
  }
}
