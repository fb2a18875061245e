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
    guard let folder = StateFolder.url(environment: environment) else { return nil }
    self.init(file: folder.appendingPathComponent("last-fix.json", isDirectory: false))
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
