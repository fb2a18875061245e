import LinuxIO

/// Why the daemon cannot serve. The description is one line that names the thing and the remedy.
public enum ServeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Another daemon answers at the socket.
  case alreadyServed(path: String)
  /// Something that is no socket is where the socket is to be.
  case noSocketThere(path: String)
  /// The environment names no folder for the socket.
  case noSocketPlace
  /// The environment names no folder for the state.
  case noStatePlace
  /// Another daemon keeps its state in the folder.
  case stateInUse(folder: String)
  /// The folder cannot be made or written.
  case folder(path: String, reason: String)
  /// The group that the socket is to belong to is not one of this machine's.
  case unknownGroup(String)
  /// The system refuses.
  case socket(NetworkError)

  /// One line for people.
  public var description: String {
    switch self {
    case .alreadyServed(let path):
      "\(path): another daemon answers there; end it first ('systemctl stop lodestar'), or give this one "
        + "another place with --socket"
    case .noSocketThere(let path):
      "\(path): a file that is no socket is in the way; remove it, or name another place with --socket"
    case .noSocketPlace:
      "no place for the socket: set LODESTAR_SOCKET or XDG_RUNTIME_DIR, or name one with --socket"
    case .noStatePlace:
      "no place for the state: set STATE_DIRECTORY, XDG_STATE_HOME or HOME, or name one with --state"
    case .stateInUse(let folder):
      "\(folder): another daemon keeps its state there; end it first, or name another folder with --state"
    case .folder(let path, let reason):
      "\(path): \(reason); give the daemon's user the right to write there"
    case .unknownGroup(let name):
      "the socket's group '\(name)' is not on this machine: make it with 'groupadd \(name)', or leave "
        + "'group' out"
    case .socket(let fault): "\(fault)"
    }
  }
}
