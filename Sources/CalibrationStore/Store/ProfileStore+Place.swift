#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ProfileStore {
  /// Where profiles live where nobody names a folder: in `$LODESTAR_STATE/calibration` where that is set,
  /// else in `/var/lib/lodestar/calibration` where this user may write there, else in
  /// `$XDG_STATE_HOME/lodestar/calibration`, else in `~/.local/state/lodestar/calibration`.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - isWritable: Whether this user may write in a folder, or make it.
  /// - Returns: The folder, which need not be there yet.
  /// - Throws: `noPlace` where nothing of all that is known.
  /// - Source: XDG Base Directory Specification 0.8: a path that is not absolute is ignored.
  public static func standardDirectory(
    environment: [String: String], isWritable: (String) -> Bool = isWritable
  ) throws(ProfileStoreError) -> String {
    func folder(_ key: String) -> String? {
      guard var path = environment[key], !path.isEmpty else { return nil }
      while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
      return path
    }
    if let state = folder("LODESTAR_STATE") { return state + "/calibration" }
    if isWritable("/var/lib/lodestar/calibration") { return "/var/lib/lodestar/calibration" }
    if let state = folder("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/lodestar/calibration"
    }
    if let home = folder("HOME") { return home + "/.local/state/lodestar/calibration" }
    throw .noPlace
  }

  /// True where this user may write in a folder, or make it in the nearest one above that is there.
  public static func isWritable(_ path: String) -> Bool {
    var path = path
    while true {
      if access(path, W_OK | X_OK) == 0 { return true }
      guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        return false
      }
      path = String(path[..<slash])
    }
  }
}
