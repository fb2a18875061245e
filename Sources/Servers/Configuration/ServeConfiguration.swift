import Foundation
import LocationHost

/// How the daemon serves; what it serves is another matter.
public struct ServeConfiguration: Sendable, Equatable {
  /// Where the socket is.
  public var socketPath: String
  /// Where registrations, events, decisions and the last fix are kept.
  public var stateFolder: String
  /// Who may connect, as `chmod` has it. Large: everybody on the machine may ask, and the policy decides.
  public var socketMode: UInt32 = 0o660
  /// The group that the socket belongs to; nil for the daemon's own.
  public var socketGroup: String?
  /// Clients at a time: each costs a file and at most about 10 MiB of memory, usually 10 KiB.
  public var mostClients = 64
  /// Applications of one user that may be monitored for: each costs a folder, a file and about 20 KiB of memory.
  public var mostApplications = 64
  /// What starts an application's unit: called with the unit, the application and the uid. nil for systemctl.
  public var launcher: String?
  /// Seconds between two starts of one application; twice as long after each that brought nobody.
  public var launchInterval = 60.0
  /// Seconds after the daemon's start in which no application is started that may be running: its client tries
  /// again every five seconds at least. Large: an event of before the start waits longer.
  public var launchGrace = 10.0
  /// Where the policy's files are; nil for the standard folder.
  public var policyFolder: String?

  /// Makes a configuration of two places.
  public init(socketPath: String, stateFolder: String) {
    self.socketPath = socketPath
    self.stateFolder = stateFolder
  }

  /// What of it the host needs.
  var host: HostConfiguration {
    var host = HostConfiguration(stateFolder: stateFolder)
    host.policyFolder = policyFolder
    host.mostApplications = mostApplications
    (host.launcher, host.launchInterval) = (launcher, launchInterval)
    host.launchGrace = launchGrace
    return host
  }

  /// How many clients a user may have at a time: three quarters of all, so that none takes every place. The
  /// daemon's own user and root may have all.
  package func mostClients(of uid: UInt32, daemon: UInt32) -> Int {
    uid == 0 || uid == daemon ? mostClients : max(1, mostClients * 3 / 4)
  }

  /// Where the state is kept where nobody names a folder: `$STATE_DIRECTORY`, which systemd sets; else
  /// `/var/lib/lodestar` for root; else `$XDG_STATE_HOME/lodestar`, else `~/.local/state/lodestar`.
  public static func stateFolder(environment: [String: String], isRoot: Bool) -> String? {
    func absolute(_ path: Substring?) -> String? {
      path.flatMap { $0.hasPrefix("/") ? String($0) : nil }
    }
    // systemd gives several folders with colons between them.
    if let given = absolute(environment["STATE_DIRECTORY"]?.split(separator: ":").first) {
      return given
    }
    if isRoot { return "/var/lib/lodestar" }
    if let state = absolute(environment["XDG_STATE_HOME"].map { $0[...] }) {
      return state + "/lodestar"
    }
    return absolute(environment["HOME"].map { $0[...] }).map { $0 + "/.local/state/lodestar" }
  }
}
