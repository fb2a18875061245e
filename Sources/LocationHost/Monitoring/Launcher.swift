import FoundationEssentials
import Glibc
import LinuxIO

/// The service manager of an application's unit.
package enum UnitManager: String, Codable, Sendable {
  /// The system's service manager.
  case system
  /// The user's service manager.
  case user

  /// The service manager of a process, by its control group. Other processes belong to the user's
  /// manager, those of root to the system's.
  /// - Source: cgroups(7), /proc/PID/cgroup; systemd puts its services into `system.slice`.
  static func of(_ peer: PeerCredentials) -> UnitManager {
    let text = peer.controlGroups.text
    if text.contains("/user@\(peer.uid).service/") { return .user }
    if text.contains("/system.slice/") { return .system }
    return peer.uid == 0 ? .system : .user
  }
}

/// The start of an application's unit.
package struct LaunchRequest: Equatable, Sendable {
  package var unit: String
  package var application: ApplicationKey
  package var manager: UnitManager

  package init(unit: String, application: ApplicationKey, manager: UnitManager) {
    (self.unit, self.application, self.manager) = (unit, application, manager)
  }
}

/// Starts an application's unit without waiting for the result.
package struct Launcher: Sendable {
  /// A program in place of systemctl, called with the unit, the application and the uid.
  let program: String?
  let log: HostLog

  func launch(_ request: LaunchRequest) {
    let process = ChildProcess()
    let arguments = Self.arguments(request, program: program, ownUID: getuid())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = OpenStream.null
    process.standardOutput = OpenStream.null
    process.terminationHandler = { [log] process in
      guard process.terminationStatus != 0 else { return }
      log.error(
        "\(request.application.id): the unit \(request.unit) cannot be started: "
          + "'\(arguments.joined(separator: " "))' exited with status "
          + "\(process.terminationStatus); see 'systemctl status \(request.unit)' and "
          + "Packaging/systemd/README.md")
    }
    do {
      try process.run()
      log.notice(
        "\(request.application.id): an event is pending and no client is connected; "
          + "starting \(request.unit)")
    } catch {
      log.error(
        "\(request.application.id): the unit \(request.unit) cannot be started: \(error)")
    }
  }

  /// The command line.
  package static func arguments(
    _ request: LaunchRequest, program: String?, ownUID: UInt32
  ) -> [String] {
    let uid = request.application.uid
    if let program { return [program, request.unit, request.application.id, "\(uid)"] }
    let start = ["start", "--no-block", "--", request.unit]
    switch request.manager {
    case .system: return ["systemctl"] + start
    case .user where uid == ownUID: return ["systemctl", "--user"] + start
    case .user: return ["systemctl", "--user", "--machine=\(uid)@.host"] + start
    }
  }
}
