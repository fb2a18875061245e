#if canImport(Glibc)
  import Glibc
#endif

/// Why a connection could not be made or ended. The description is one line that names the place and what
/// to check.
public struct NetworkError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// Whom it was about, such as `localhost:2947`.
  public var peer: String
  /// The system's error number; 0 where none stands behind it.
  public var code: Int32

  /// The kinds of fault, as far as they have different remedies.
  public enum Kind: Equatable, Sendable {
    /// The name means no address; what the system says of it.
    case hostNotFound(String)
    /// The machine is there, and nobody listens at the port.
    case refused
    /// There is no way to the machine.
    case unreachable
    /// No answer within the time.
    case timedOut
    /// The peer ended the connection.
    case closed
    /// The one who connects was stopped.
    case stopped
    /// Anything else; what was being done.
    case failed(String)
  }

  /// Makes an error.
  public init(_ kind: Kind, peer: String, code: Int32 = 0) {
    self.kind = kind
    self.peer = peer
    self.code = code
  }

  /// What the kernel's error numbers mean.
  init(code: Int32, doing: String, peer: String) {
    let kind: Kind =
      switch code {
      case ECONNREFUSED: .refused
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .unreachable
      case ETIMEDOUT: .timedOut
      case ECONNRESET, EPIPE, ECONNABORTED: .closed
      default: .failed(doing)
      }
    self.init(kind, peer: peer, code: code)
  }
}

extension NetworkError: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    let what: String =
      switch kind {
      case .hostNotFound(let reason):
        "no such host (\(reason)); check the name, and that this machine can look names up"
      case .refused:
        "connection refused: nobody listens there; check the port and that its program runs"
      case .unreachable: "no way to the host; check the network (ip route)"
      case .timedOut: "no answer; check that the host is up and that no firewall is between"
      case .closed: "the other side closed the connection"
      case .stopped: "stopped"
      case .failed(let doing): "\(doing) failed"
      }
    return code == 0 ? "\(peer): \(what)" : "\(peer): \(what) (error \(code))"
  }
}
