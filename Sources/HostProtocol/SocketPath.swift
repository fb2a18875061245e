#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the daemon's socket is.
public enum SocketPath {
  /// Names the socket; `none` for a program that is not to look for a daemon.
  public static let variable = "LODESTAR_SOCKET"
  /// The machine's daemon.
  public static let system = "/run/lodestar/lodestar.sock"

  /// Where a daemon listens.
  ///
  /// `$LODESTAR_SOCKET`; else `$RUNTIME_DIRECTORY/lodestar.sock`, which systemd sets; else the machine's
  /// where it is root; else `$XDG_RUNTIME_DIR/lodestar.sock`.
  /// - Parameters:
  ///   - environment: The daemon's environment.
  ///   - isRoot: Whether it is the superuser.
  /// - Returns: The path; nil where nothing of all that is known.
  public static func ofDaemon(environment: [String: String], isRoot: Bool) -> String? {
    if let named = absolute(environment[variable]) { return named }
    // systemd gives several folders with colons between them.
    if let folder = absolute(environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first) {
      return folder + "/lodestar.sock"
    }
    return isRoot ? system : ofUser(environment)
  }

  /// Where a client looks: `$LODESTAR_SOCKET` alone where it is set, else the machine's and then the user's.
  public static func candidates(environment: [String: String]) -> [String] {
    if let named = environment[variable], !named.isEmpty {
      return absolute(named).map { [$0] } ?? []
    }
    return [system] + [ofUser(environment)].compactMap { $0 }
  }

  private static func ofUser(_ environment: [String: String]) -> String? {
    absolute(environment["XDG_RUNTIME_DIR"]).map { $0 + "/lodestar.sock" }
  }

  private static func absolute(_ path: (some StringProtocol)?) -> String? {
    guard let path, path.hasPrefix("/") else { return nil }
    return String(path)
  }
}
