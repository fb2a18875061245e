import Foundation

/// A temporary folder, removed with this object.
public final class TemporaryFolder: Sendable {
  /// The path; short enough for Unix sockets in the folder.
  public let path: String

  /// Makes an empty folder.
  /// - Throws: Where it cannot be made.
  public init() throws {
    let path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("ls-\(UInt32.random(in: 0...UInt32.max))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    // Last, so that `deinit` never removes a folder that was there.
    self.path = path
  }

  /// Writes a file below the folder, which also gets the file's folders.
  /// - Throws: Where it cannot be written.
  public func write(_ text: String, _ file: String) throws { try write(Data(text.utf8), file) }

  /// Writes a file below the folder, which also gets the file's folders.
  /// - Throws: Where it cannot be written.
  public func write(_ data: Data, _ file: String) throws {
    let url = URL(fileURLWithPath: path + file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      FileHandle.standardError.write(Data("left behind: \(path): \(error)\n".utf8))
    }
  }
}
