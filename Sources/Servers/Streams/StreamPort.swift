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

/// The listeners of one service: a port at one address or at both loopback addresses, or a Unix
/// socket.
final class StreamPort: Sendable {
  /// Limit of the input of a connection in the kernel, bytes.
  private static let kernelQueue: Int32 = 32 * 1024

  private struct State {
    var listeners: [StreamListener] = []
    /// The addresses that could not be used and are tried again.
    var missing: [String] = []
    /// The last warning, which is not repeated.
    var warning: String?
  }

  /// Where the port is reached.
  let reach: ListeningReach
  private let service: any StreamService
  private let configured: Int?
  /// Whether the addresses are those of `localhost`, of which a machine without IPv6 has no ::1.
  private let isLocal: Bool
  private let log: HostLog?
  private let socket: SocketListener?
  private let state: Locked<State>

  /// Listens. An address that cannot be used is a warning where the service has another one or
  /// awaits it.
  /// - Throws: `ServerFault` where the server cannot listen at all; a taken port's owner is named.
  init(
    _ service: any StreamService, host: String, port: Int, log: HostLog
  ) throws(ServerFault) {
    (self.service, configured, self.log, socket) = (service, port, log, nil)
    (reach, isLocal) = (ListeningReach(host: host), host == "localhost")
    state = Locked(State(missing: Loopback.addresses(of: host)))
    let fault = attempt()
    guard let fault, !service.awaitsPort else { return }
    if listeners.isEmpty { throw ServerFault(description: fault) }
    state.withLock { $0.missing = [] }
  }

  /// Listens at a Unix socket.
  /// - Throws: `ServerFault` where another file or another server's socket has the path.
  init(_ service: any StreamService, path: String, mode: UInt32) throws(ServerFault) {
    (self.service, configured, log, reach, isLocal) = (service, nil, nil, .everywhere, false)
    do throws(ServeError) {
      let socket = try SocketListener(path: path, mode: mode)
      self.socket = socket
      state = Locked(State(listeners: socket.socket.map { [$0] } ?? []))
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

  /// Those that listen now.
  var listeners: [StreamListener] { state.withLock { $0.listeners } }
  /// Whether an address is tried again.
  var isIncomplete: Bool { state.withLock { !$0.missing.isEmpty } }
  /// The TCP port; nil for a Unix socket.
  var number: Int? { listeners.first?.port ?? configured }

  /// Listens at the addresses that are missing.
  /// - Returns: The fault of the last one that cannot be used.
  @discardableResult
  func attempt() -> String? {
    guard let configured else { return nil }
    var fault: NetworkError?
    for host in state.withLock({ $0.missing }) {
      do throws(NetworkError) {
        let listener = try StreamListener(host: host, port: configured, backlog: Acceptance.backlog)
        listener.limitInput(to: Self.kernelQueue)
        if listener.isAwaitingAddress {
          log?.warning(
            "\(service.name): \(host) is no address of this machine yet; programs can connect once it is"
          )
        }
        state.withLock { state in
          state.missing.removeAll { $0 == host }
          state.listeners.append(listener)
          state.warning = nil
        }
      } catch {
        if isLocal, host == "::1", error.kind != .addressInUse {
          state.withLock { state in state.missing.removeAll { $0 == host } }
        } else {
          fault = error
        }
      }
    }
    guard let fault else { return nil }
    let text = message(fault, configured)
    // The caller throws it where nothing listens.
    if !listeners.isEmpty || service.awaitsPort { warn(text) }
    return text
  }

  private func warn(_ text: String) {
    let isNew = state.withLock { state in
      defer { state.warning = text }
      return state.warning != text
    }
    if isNew { log?.warning(text) }
  }

  /// Closes the listeners, and removes the file of a Unix socket.
  func close() {
    state.withLock { ($0.listeners, $0.missing) = ([], []) }
    socket?.remove()
  }

  private func message(_ fault: NetworkError, _ port: Int) -> String {
    guard fault.kind == .addressInUse else { return "\(service.name): \(fault)" }
    return ServerFault.taken(
      port: port, of: service.name, effect: service.effectOfTakenPort, option: service.option
    ).description
  }
}
