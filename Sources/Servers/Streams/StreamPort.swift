import LinuxIO
import LocationHost

/// An address of this machine at which a server listens.
public struct StreamAddress: Sendable, Equatable {
  /// An address or a name; `localhost` for both loopback addresses.
  public var host: String
  /// The TCP port; nil for none, 0 for one that the kernel chooses.
  public var port: Int?

  /// Makes an address.
  public init(host: String = "localhost", port: Int? = nil) {
    (self.host, self.port) = (host, port)
  }

  /// The allowed texts of `host`, for messages.
  static let allowedHosts = "an address of this machine, or localhost"
}

/// The listeners of one service: a port at one address or at both loopback addresses, or a Unix socket.
struct StreamPort: Sendable {
  /// Limit of the connections that are not accepted yet: all clients connect again after a restart.
  private static let backlog: Int32 = 128

  let listeners: [StreamListener]
  /// Where the port is reached.
  let reach: ListeningReach
  private let socket: SocketListener?

  /// Listens. An address of several that cannot be used is a warning.
  /// - Throws: `ServerFault` where the server cannot listen at all; a taken port's owner is named.
  init(
    _ service: any StreamService, host: String, port: Int, log: HostLog
  ) throws(ServerFault) {
    var listeners: [StreamListener] = []
    var fault: NetworkError?
    let isLocal = host == "localhost"
    for host in Loopback.addresses(of: host) {
      do throws(NetworkError) {
        let listener = try StreamListener(host: host, port: port, backlog: Self.backlog)
        if listener.isAwaitingAddress {
          log.warning(
            "\(service.name): \(host) is no address of this machine yet; programs can connect once it is"
          )
        }
        listeners.append(listener)
      } catch {
        // A machine without IPv6 has no ::1.
        if !isLocal || host != "::1" || error.kind == .addressInUse { fault = error }
      }
    }
    (self.listeners, socket, reach) = (listeners, nil, ListeningReach(host: host))
    guard let fault else { return }
    let message = Self.message(fault, service, port)
    if listeners.isEmpty { throw ServerFault(description: message) }
    log.warning(message)
  }

  /// Listens at a Unix socket.
  /// - Throws: `ServerFault` where another file or another server's socket has the path.
  init(_ service: any StreamService, path: String, mode: UInt32) throws(ServerFault) {
    do throws(ServeError) {
      let socket = try SocketListener(path: path, mode: mode)
      (self.socket, listeners) = (socket, socket.socket.map { [$0] } ?? [])
      reach = .everywhere
    } catch {
      let reason =
        switch error {
        case .alreadyServed: "another program answers at this socket; end it"
        case .noSocketThere: "the file exists and is not a socket; remove it"
        default: "\(error)"
        }
      throw ServerFault(
        description:
          "\(service.name): \(path): \(reason), or name another path with \(service.option)")
    }
  }

  /// Removes the file of a Unix socket.
  func remove() { socket?.remove() }

  private static func message(
    _ fault: NetworkError, _ service: any StreamService, _ port: Int
  ) -> String {
    guard fault.kind == .addressInUse else { return "\(service.name): \(fault)" }
    return ServerFault.taken(
      port: port, of: service.name, effect: "its clients do not get this daemon's data",
      option: service.option
    ).description
  }
}
