import HostProtocol
import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why the daemon cannot be used. The description is one line that names the remedy.
public enum HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No socket exists at any candidate path.
  case noSocket(searched: [String])
  /// The socket exists, but no daemon listens at it.
  case notRunning(path: String)
  /// This user has no permission for the socket; `group` is the group that has, if known.
  case noAccess(path: String, group: String?)
  /// The daemon has not answered in time.
  case noAnswer(path: String)
  /// The daemon has refused the connection.
  case rejected(HostFault)
  /// The daemon, or the host in this process, has refused a request.
  case refused(HostFault)
  /// The connection was lost; the client reconnects.
  case gone(path: String)
  /// A system call failed.
  case socket(NetworkError)

  /// One line for the user.
  public var description: String {
    switch self {
    case .noSocket(let searched):
      "no daemon: no socket at "
        + (searched.isEmpty ? "any path" : searched.joined(separator: ", "))
        + "; start one with 'systemctl start lodestar' or 'lodestar serve'"
    case .notRunning(let path):
      "\(path): no daemon listens; start one with 'systemctl start lodestar' or 'lodestar serve'"
    case .noAccess(let path, let group):
      "\(path): permission denied; "
        + (group.map {
          "add the user to the group '\($0)': sudo usermod -aG \($0) USER, and log in again"
        }
          ?? "the daemon serves another user; run as that user, or start your own daemon")
    case .noAnswer(Self.thisProcess):
      "location services in this process do not answer; restart the program"
    case .noAnswer(let path):
      "\(path): the daemon does not answer; see 'systemctl status lodestar', or restart it"
    case .rejected(let fault):
      fault.code == .version
        ? "no common protocol version with the daemon: \(fault); update it and restart it"
        : "the daemon refuses the connection: \(fault)"
    case .refused(let fault): "\(fault)"
    case .gone(Self.thisProcess):
      "location services in this process have ended; restart the program"
    case .gone(let path): "\(path): the daemon has ended; reconnecting"
    case .socket(let fault): "\(fault)"
    }
  }

  /// The place of a host in this process.
  static let thisProcess = "this process"

  /// The error for a failed connection.
  init(_ fault: NetworkError) {
    switch fault.code {
    case ENOENT, ENOTDIR: self = .noSocket(searched: [fault.peer])
    case ECONNREFUSED: self = .notRunning(path: fault.peer)
    // The daemon's queue of new connections is full.
    case EAGAIN: self = .noAnswer(path: fault.peer)
    case EACCES, EPERM: self = .noAccess(path: fault.peer, group: Self.group(of: fault.peer))
    default: self = .socket(fault)
    }
  }

  /// The group of the socket; nil for root's group, which a user cannot join.
  private static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != 0, status.st_mode & S_IWGRP != 0,
      let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name
    else { return nil }
    return String(cString: name)
  }
}
