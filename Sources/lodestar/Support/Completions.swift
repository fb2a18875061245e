import ArgumentParser
import Board
import Foundation

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
    let entries: [URL]
    do {
      entries = try FileManager.default.contentsOfDirectory(
        at: URL(fileURLWithPath: folder.isEmpty ? "." : folder),
        includingPropertiesForKeys: [.isDirectoryKey], options: .skipsHiddenFiles)
    } catch {
      // A folder that cannot be read has nothing to offer.
      return []
    }
    return entries.compactMap { entry in
      let path = folder + entry.lastPathComponent
      return entry.hasDirectoryPath ? path + "/" : entry.pathExtension == "yaml" ? path : nil
    }.sorted()
  }
}
