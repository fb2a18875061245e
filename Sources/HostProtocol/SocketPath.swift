#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The path of the daemon's socket.
public enum SocketPath {
  /// The environment variable with the socket's path; `none` disables the search for a daemon.
  public static let variable = "LODESTAR_SOCKET"
  /// The socket of the system's daemon.
  public static let system = "/run/lodestar/lodestar.sock"

  /// The path at which a daemon listens.
  ///
  /// The path is `$LODESTAR_SOCKET`; else `$RUNTIME_DIRECTORY/lodestar.sock`, which systemd sets;
  /// else `/run/lodestar/lodestar.sock` for root; else `$XDG_RUNTIME_DIR/lodestar.sock`.
  /// - Parameters:
  ///   - environment: The daemon's environment.
  ///   - isRoot: True if root runs the daemon.
  /// - Returns: The path; nil if the environment names none.
  public static func ofDaemon(environment: [String: String], isRoot: Bool) -> String? {
    if let named = absolute(environment[variable]) { return named }
    // systemd separates several folders by colons.
    if let folder = absolute(environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first) {
      return folder + "/lodestar.sock"
    }
    return isRoot ? system : ofUser(environment)
  }

  /// The paths that a client tries: `$LODESTAR_SOCKET` alone if it is set, else the system's and
  /// then the user's.
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
