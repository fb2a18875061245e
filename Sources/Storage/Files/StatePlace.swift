import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The rule for the folder of Lodestar's state, which the daemon and all commands share.
public enum StatePlace {
  /// The environment variable with the folder.
  public static let variable = "LODESTAR_STATE"
  /// The folder of the system's daemon.
  public static let system = "/var/lib/lodestar"

  /// The folder: `$LODESTAR_STATE`; else `$STATE_DIRECTORY`, which systemd sets; else
  /// `/var/lib/lodestar` for root and for a user who may write there; else
  /// `$XDG_STATE_HOME/lodestar`, else `~/.local/state/lodestar`.
  /// - Parameters:
  ///   - environment: The process's environment.
  ///   - isRoot: Whether root runs the process.
  ///   - isWritable: Whether this user may write in a folder.
  /// - Returns: The folder, which need not exist yet; nil where the environment names none.
  /// - Source: XDG Base Directory Specification 0.8: a path that is not absolute is ignored.
  public static func folder(
    environment: [String: String], isRoot: Bool = geteuid() == 0,
    isWritable: (String) -> Bool = { access($0, W_OK | X_OK) == 0 }
  ) -> String? {
    func absolute(_ path: (some StringProtocol)?) -> String? {
      guard var path = path.map({ String($0) }), path.hasPrefix("/") else { return nil }
      while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
      return path
    }
    if let named = environment[variable], !named.isEmpty { return absolute(named) ?? named }
    // systemd separates several folders by colons.
    if let given = absolute(environment["STATE_DIRECTORY"]?.split(separator: ":").first) {
      return given
    }
    if isRoot || isWritable(system) { return system }
    if let state = absolute(environment["XDG_STATE_HOME"]) { return state + "/lodestar" }
    return absolute(environment["HOME"]).map { $0 + "/.local/state/lodestar" }
  }

  /// The folder of the calibrations in a state folder.
  /// - Parameters:
  ///   - state: The state folder.
  ///   - isLive: False for the daemon's simulations and recordings, whose calibrations must not
  ///     reach a board.
  /// - Returns: The folder.
  public static func calibrations(in state: String, isLive: Bool = true) -> String {
    state + (isLive ? "/calibration" : "/calibration-simulated")
  }
}

extension ProfileStore {
  /// The default folder of profiles, below the state folder of `StatePlace`.
  /// - Parameter environment: The process's environment.
  /// - Returns: The folder, which need not exist yet.
  /// - Throws: `noPlace` where the environment names no folder.
  public static func standardDirectory(
    environment: [String: String]
  ) throws(ProfileStoreError) -> String {
    guard let state = StatePlace.folder(environment: environment) else { throw .noPlace }
    return StatePlace.calibrations(in: state)
  }
}
