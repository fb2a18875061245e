/// The last fix of this machine's receiver, kept on disk for programs that start later.
///
/// One small JSON file, replaced in one step so that no reader sees half of it. A simulated or
/// replayed fix is never written.
package struct LastFixStore: Sendable {
  /// Where the fix is kept.
  package let file: URL

  /// Keeps the fix in `file`.
  package init(file: URL) { self.file = file }

  /// Keeps the fix in `$XDG_STATE_HOME/corelocation`, else in `~/.local/state/corelocation`.
  /// - Returns: nil where neither variable names a folder.
  package init?(environment: [String: String]) {
    // The XDG base directory specification says to ignore a relative path.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      self.init(folder: URL(fileURLWithPath: state, isDirectory: true))
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      let home = URL(fileURLWithPath: home, isDirectory: true)
      self.init(folder: home.appendingPathComponent(".local/state", isDirectory: true))
    } else {
      return nil
    }
  }

  private init(folder: URL) {
    file = folder.appendingPathComponent("corelocation/last-fix.json", isDirectory: false)
  }

  /// The fix that was kept; nil where there is none, or none that can be read.
  package func read() -> LocationValues? {
    do {
      return try JSONDecoder().decode(LocationValues.self, from: Data(contentsOf: file))
    } catch {
      // A missing or damaged cache costs the program a wait for the first fix and nothing more.
      return nil
    }
  }

  /// Keeps the fix, in place of the one before.
  /// - Throws: Foundation's error where the folder cannot be made or the file not written.
  package func write(_ fix: LocationValues) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try JSONEncoder().encode(fix).write(to: file, options: .atomic)
  }
}
