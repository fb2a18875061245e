import LinuxIO

/// Why the daemon cannot serve. The description is one line that names the object and the remedy.
public enum ServeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another daemon answers at the socket.
  case alreadyServed(path: String)
  /// The socket's path is a file of another type.
  case noSocketThere(path: String)
  /// The environment names no folder for the socket.
  case noSocketPlace
  /// The environment names no folder for the state.
  case noStatePlace
  /// Another daemon uses the state folder.
  case stateInUse(folder: String)
  /// The folder cannot be created or written.
  case folder(path: String, reason: String)
  /// The configured group of the socket does not exist.
  case unknownGroup(String)
  /// A system call failed.
  case socket(NetworkError)

  /// One line for the user.
  public var description: String {
    switch self {
    case .alreadyServed(let path):
      "\(path): another daemon answers at this socket; stop it ('systemctl stop lodestar'), or "
        + "give another path with --socket"
    case .noSocketThere(let path):
      "\(path): the file exists and is not a socket; remove it, or give another path with --socket"
    case .noSocketPlace:
      "no path for the socket: set LODESTAR_SOCKET or XDG_RUNTIME_DIR, or give --socket"
    case .noStatePlace:
      "no folder for the state: set STATE_DIRECTORY, XDG_STATE_HOME or HOME, or give --state"
    case .stateInUse(let folder):
      "\(folder): another daemon uses this state folder; stop it, or give another one with --state"
    case .folder(let path, let reason):
      "\(path): \(reason); give the daemon's user write permission for the folder"
    case .unknownGroup(let name):
      "the socket's group '\(name)' does not exist: create it with 'groupadd \(name)', or remove "
        + "the option 'group'"
    case .socket(let fault): "\(fault)"
    }
  }
}
