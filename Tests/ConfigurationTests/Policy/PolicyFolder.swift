import Configuration
import Foundation

/// A folder of policy files, removed with this object.
final class PolicyFolder: Sendable {
  let path: String

  init(_ files: [String: String] = [:]) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      FileHandle.standardError.write(Data("left behind: \(path): \(error)\n".utf8))
    }
  }

  func load(_ environment: [String: String] = [:]) throws(PolicyError) -> Policy {
    try Policy.load(environment: environment, folder: path)
  }

  /// The policy of a folder with one file.
  static func policy(_ text: String) throws -> Policy {
    try PolicyFolder(["a.yaml": text]).load()
  }

  /// The error message for a file, without its folder; nil for a valid file.
  static func refusal(_ text: String) throws -> String? {
    let folder = try PolicyFolder(["a.yaml": text])
    do {
      _ = try folder.load()
      return nil
    } catch {
      return error.description.replacingOccurrences(of: folder.path + "/", with: "")
    }
  }
}
