/// The folder of Core Location's persistent state: `$XDG_STATE_HOME/corelocation`, else
/// `~/.local/state/corelocation`.
package enum ProgramStateFolder {
  /// The folder; nil where neither variable names one.
  package static func url(environment: [String: String]) -> URL? {
    // The XDG base directory specification requires a relative path to be ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return URL(fileURLWithPath: state, isDirectory: true)
        .appendingPathComponent("corelocation", isDirectory: true)
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return URL(fileURLWithPath: home, isDirectory: true)
      .appendingPathComponent(".local/state/corelocation", isDirectory: true)
  }
}
