import Foundation
import Policy

/// A folder of policy files that goes away with the value that made it.
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

  /// What a folder of one file says.
  static func policy(_ text: String) throws -> Policy {
    try PolicyFolder(["a.yaml": text]).load()
  }

  /// Why a file is refused, without its folder; nil where it is not.
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
