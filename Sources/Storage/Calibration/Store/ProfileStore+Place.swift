import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ProfileStore {
  /// The default folder of profiles: `$LODESTAR_STATE/calibration` if set, else
  /// `/var/lib/lodestar/calibration` if this user may write there, else
  /// `$XDG_STATE_HOME/lodestar/calibration`, else `~/.local/state/lodestar/calibration`.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - isWritable: Whether this user may write in a folder, or create it.
  /// - Returns: The folder, which need not exist yet.
  /// - Throws: `noPlace` where none of them is known.
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

  /// True where this user may write in a folder, or create it in its nearest existing parent.
  public static func isWritable(_ path: String) -> Bool {
    var path = path
    while true {
      if access(path, W_OK | X_OK) == 0 { return true }
      guard errno == ENOENT, path.parentFolder != path else { return false }
      path = path.parentFolder
    }
  }
}
