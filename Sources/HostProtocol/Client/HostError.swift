import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Why the daemon cannot be used. The description is one line that says what to do.
public enum HostError: Error, Equatable, Sendable, CustomStringConvertible {
  /// No socket is where one could be.
  case noSocket(searched: [String])
  /// A socket is there and nobody listens at it.
  case notRunning(path: String)
  /// This user may not use the socket; the group that may, where the file tells one.
  case noAccess(path: String, group: String?)
  /// The daemon has not answered in time.
  case noAnswer(path: String)
  /// The daemon refuses this client.
  case refused(HostFault)
  /// The connection has ended; it is tried again.
  case gone(path: String)
  /// The system refuses.
  case socket(NetworkError)

  /// One line for people.
  public var description: String {
    switch self {
    case .noSocket(let searched):
      "no daemon: nothing at \(searched.isEmpty ? "any path" : searched.joined(separator: ", ")); start one "
        + "with 'systemctl start lodestar' or 'lodestar serve'"
    case .notRunning(let path):
      "\(path): nobody listens; start the daemon with 'systemctl start lodestar' or 'lodestar serve'"
    case .noAccess(let path, let group):
      "\(path): permission denied; "
        + (group.map {
          "add the user to the group '\($0)': sudo usermod -aG \($0) USER, and log in again"
        }
          ?? "the daemon serves another user; run as that one, or start a daemon of your own")
    case .noAnswer(let path):
      "\(path): the daemon does not answer; see 'systemctl status lodestar', or restart it"
    case .refused(let fault):
      fault.code == .version
        ? "the daemon speaks another version: \(fault); restart it so that both are of one installation"
        : "the daemon refuses: \(fault)"
    case .gone(let path): "\(path): the daemon has ended; the connection is tried again"
    case .socket(let fault): "\(fault)"
    }
  }

  /// What a failed connection means.
  init(_ fault: NetworkError) {
    switch fault.code {
    case ENOENT, ENOTDIR: self = .noSocket(searched: [fault.peer])
    case ECONNREFUSED: self = .notRunning(path: fault.peer)
    case EACCES, EPERM: self = .noAccess(path: fault.peer, group: Self.group(of: fault.peer))
    default: self = .socket(fault)
    }
  }

  /// The group that the socket belongs to; nil for the superuser's, which is nobody's to join.
  private static func group(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_gid != 0, status.st_mode & S_IWGRP != 0,
      let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name
    else { return nil }
    return String(cString: name)
  }
}
