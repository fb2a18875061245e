import Foundation

/// A temporary folder, removed with this object.
public final class TemporaryFolder: Sendable {
  /// The path; short enough for Unix sockets in the folder.
  public let path: String

  /// Makes an empty folder.
  /// - Throws: Where it cannot be made.
  public init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("ls-\(UInt32.random(in: 0...UInt32.max))").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      FileHandle.standardError.write(Data("left behind: \(path): \(error)\n".utf8))
    }
  }
}
