#if canImport(Glibc)
  import Glibc
#endif

/// Why a connection could not be made or was lost. The description is one line with the peer and
/// what to check.
public struct NetworkError: Error, Equatable, Sendable {
  /// What kind of fault it is.
  public var kind: Kind
  /// The peer, such as `localhost:2947`, or the path of a Unix socket.
  public var peer: String
  /// The system's error number; 0 for none.
  public var code: Int32

  /// The kinds of fault, one for each remedy.
  public enum Kind: Equatable, Sendable {
    /// The name has no address; with the resolver's message.
    case hostNotFound(String)
    /// The host answers, but no program listens on the port, or at the path.
    case refused
    /// Another program listens at the address.
    case addressInUse
    /// The user lacks the permission.
    case notPermitted
    /// There is no route to the host.
    case unreachable
    /// No answer before the deadline.
    case timedOut
    /// The peer closed the connection.
    case closed
    /// The attempt was stopped by the caller.
    case stopped
    /// The other end is a server of this program.
    case ownServer
    /// The connection could not be encrypted; why, and what to do.
    case notEncrypted(String)
    /// Another fault; the operation that failed.
    case failed(String)
  }

  /// Makes an error.
  public init(_ kind: Kind, peer: String, code: Int32 = 0) {
    self.kind = kind
    self.peer = peer
    self.code = code
  }

  /// Makes an error from the kernel's error number.
  package init(code: Int32, doing: String, peer: String) {
    let kind: Kind =
      switch code {
      case ECONNREFUSED: .refused
      case EADDRINUSE: .addressInUse
      case EACCES, EPERM: .notPermitted
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
      case ETIMEDOUT: .timedOut
      case ECONNRESET, EPIPE, ECONNABORTED: .closed
      default: .failed(doing)
      }
    self.init(kind, peer: peer, code: code)
  }
}

extension NetworkError: CustomStringConvertible {
  /// One line to display.
  public var description: String { "\(peer): \(reason)" }

  /// The system's text for the error number.
  package var systemReason: String { String(cString: strerror(code)) }

  /// The fault and the remedy, without the peer.
  package var reason: String {
    switch kind {
    case .hostNotFound(let reason):
      "no such host (\(reason)); check the name and the name server (/etc/resolv.conf)"
    case .refused: "connection refused; check that a server listens there"
    case .addressInUse: "another program listens there; choose another address or end it"
    case .notPermitted:
      "permission denied; a port below 1024 is root's, a socket file needs the right to write to it"
    case .unreachable: "no route to the host; check the network (ip route)"
    case .timedOut: "no answer; check that the host is up and that no firewall is between"
    case .closed: "the other side closed the connection"
    case .stopped: "stopped"
    case .ownServer: "that is this program's own output; name another server"
    case .notEncrypted(let reason): "no encrypted connection: \(reason)"
    case .failed(let doing) where code == EADDRNOTAVAIL:
      "\(doing) failed: no interface of this machine has that address"
    case .failed(let doing): "\(doing) failed: \(String(cString: strerror(code)))"
    }
  }
}
