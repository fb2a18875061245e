import ArgumentParser
import Board
import FoundationEssentials

/// The completions of option values in bash, zsh and fish.
extension CompletionKind {
  /// The installed boards by name, and board files.
  static var board: CompletionKind {
    .custom { _, _, prefix in BoardLibrary.names + boardFiles(prefix) }
  }

  /// A device of an I2C bus.
  static var bus: CompletionKind { .shellCommand("ls -d /dev/i2c-* 2>/dev/null") }

  /// The board files and the folders that begin with a text.
  private static func boardFiles(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let entries: [String]
    do {
      entries = try FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    } catch {
      // A folder that cannot be read has nothing to offer.
      return []
    }
    return entries.filter { !$0.hasPrefix(".") }.compactMap { entry in
      let path = folder + entry
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      return isFolder ? path + "/" : path.hasSuffix(".yaml") ? path : nil
    }.sorted()
  }
}
