import Dispatch
import LinuxIO
import LocationHost
import Quantities

/// The connections of an HTTP port, with the limits that the library has not: their number, the bytes and the
/// time of a request, the time without any data, and the time until output is read. They are compared with the
/// kernel's counts at short intervals, because the library gives no other sign of what a connection has
/// received.
package final class HTTPConnections: Sendable {
  /// Limit of the connections of a port that are no WebSockets.
  static let most = 128
  /// Limit of a request with its body, bytes.
  static let longestRequest = 16 * 1024
  /// Limit of the output, and of the input, of a connection in the kernel, bytes: the library takes a second
  /// for a million bytes, also of a connection that has ended.
  private static let kernelQueue: Int32 = 32 * 1024
  /// The interval of the looks, seconds, while there are connections: what a hostile client sends in it
  /// occupies memory.
  private static let interval = 0.05
  /// New descriptors after which the next look is not awaited.
  private static let mostUnknown = 32

  private struct State {
    var known: [Int32: HTTPConnection] = [:]
    /// Descriptors that have waited since the last look and are not known yet.
    var unknown: Set<Int32> = []
    var isLooking = false
    var notes: RepeatedNotes
  }

  private let name: String
  private let port: Int
  private let state: Locked<State>
  private let queue: DispatchQueue

  /// Makes the limits of a port.
  /// - Parameters:
  ///   - name: The server's name in messages.
  ///   - port: The port.
  ///   - log: Receives a line for each kind of excess.
  package init(_ name: String, port: Int, log: HostLog) {
    (self.name, self.port) = (name, port)
    state = Locked(State(notes: RepeatedNotes(log: log)))
    queue = DispatchQueue(label: "lodestar-\(name)-limits")
  }

  /// Takes note that a socket of the port waits: the listening one or a connection. One that never waits, because it
  /// sends all the time, is found by the look that the listening socket's wait has caused.
  func waits(_ file: Int32) {
    let begins = state.withLock { state in
      guard state.known[file] == nil else { return false }
      // Only the listening socket needs it; it is not known, as it has no peer.
      ForeignSocket.limitInput(ofListener: file, to: Self.kernelQueue)
      state.unknown.insert(file)
      if state.unknown.count > Self.mostUnknown { look(&state) }
      defer { state.isLooking = true }
      return !state.isLooking
    }
    if begins { schedule() }
  }

  private func schedule() {
    queue.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
      guard let self else { return }
      let goesOn = state.withLock { state in
        self.look(&state)
        state.isLooking = !state.known.isEmpty
        return state.isLooking
      }
      if goesOn { schedule() }
    }
  }

  private func look(_ state: inout State) {
    if dropEnded(&state) || !state.unknown.isEmpty { find(&state) }
    let now = MonotonicClock.now
    for (file, connection) in state.known where !connection.isWebSocket {
      guard let traffic = connection.socket.traffic,
        let end = state.known[file]?.limits.end(traffic, at: now)
      else { continue }
      connection.socket.end()
      state.known[file] = nil
      if let fault = end.fault { state.notes.add("\(name): a client was disconnected: \(fault)") }
    }
    let requests = state.known.values.filter { !$0.isWebSocket }
    let excess = max(0, requests.count - Self.most)
    for idle in requests.sorted(by: { $0.limits.idleSeconds > $1.limits.idleSeconds }).prefix(
      excess)
    {
      state.notes.add(
        "\(name): more than \(Self.most) connections: the one idle longest was closed")
      idle.socket.end()
      state.known[idle.socket.file] = nil
    }
  }

  /// Drops the connections that have ended, whose descriptors may be those of other connections already.
  /// - Returns: Whether there were any.
  private func dropEnded(_ state: inout State) -> Bool {
    let ended = state.known.filter { $0.value.socket.traffic == nil }.keys
    for file in ended { state.known[file] = nil }
    return !ended.isEmpty
  }

  /// Finds the connections that are not known yet.
  private func find(_ state: inout State) {
    state.unknown = []
    // The thread of WebSockets has a descriptor of its own for each of them.
    let webSockets = Set(state.known.values.filter(\.isWebSocket).map(\.socket.identity))
    for socket in ForeignSocket.all(port: port, where: { state.known[$0] == nil })
    where !webSockets.contains(socket.identity) {
      socket.bound(output: Self.kernelQueue)
      state.known[socket.file] = HTTPConnection(socket: socket)
    }
  }

  /// Takes the connection of a client out of the limits of requests, for a WebSocket, which has its own.
  /// - Returns: The connection as a socket of its own; nil where it has ended.
  func takeWebSocket(host: String, port: Int) -> StreamSocket? {
    state.withLock { state in
      _ = dropEnded(&state)
      find(&state)
      let found = state.known.values.first { connection in
        guard !connection.isWebSocket, let peer = connection.socket.peer else { return false }
        return peer.port == port && peer.host == host
      }
      guard let found, let socket = found.socket.shared() else { return nil }
      state.known[found.socket.file]?.isWebSocket = true
      return socket
    }
  }
}

/// One connection of an HTTP port.
private struct HTTPConnection {
  let socket: ForeignSocket
  var limits = HTTPConnectionLimits()
  /// Whether the connection has become a WebSocket, which another thread serves.
  var isWebSocket = false
}

/// The limits of one connection, and what the last looks at its counts have found.
package struct HTTPConnectionLimits: Sendable {
  /// The longest time between the first byte of a request and the answer, seconds.
  private static let longestRequestSeconds = 20.0
  /// The longest time without any data, seconds.
  private static let longestSilence = 60.0
  /// The longest time in which a client confirms none of the output that waits for it, seconds.
  private static let longestUnread = 10.0

  /// Time without data at the last look, seconds.
  private(set) var idleSeconds = 0.0
  private var written: UInt64 = 0
  private var confirmed: UInt64 = 0
  /// The bytes that had arrived at the last answer.
  private var answered: UInt64 = 0
  private var requestBegin: Timestamp?
  private var unreadSince: Timestamp?

  /// Makes the limits of a new connection.
  package init() {}

  /// The end of a connection by the server.
  package struct End: Equatable {
    /// What the client has done; nil where nothing is wrong.
    package var fault: String?

    package init(fault: String?) { self.fault = fault }
  }

  /// Compares new counts with the last ones.
  /// - Returns: Why the connection must end; nil while it may go on.
  package mutating func end(_ traffic: ConnectionTraffic, at now: Timestamp) -> End? {
    idleSeconds = traffic.idleSeconds
    if traffic.written > written {
      (written, answered, requestBegin) = (traffic.written, traffic.received, nil)
    }
    let request = traffic.received - min(answered, traffic.received)
    if request > 0, requestBegin == nil { requestBegin = now }
    let isRead = traffic.confirmed != confirmed || traffic.written <= traffic.confirmed
    confirmed = traffic.confirmed
    unreadSince = isRead ? nil : unreadSince ?? now
    if request > UInt64(HTTPConnections.longestRequest) {
      return End(fault: "a request of more than \(HTTPConnections.longestRequest) bytes")
    }
    if let unreadSince, now.seconds(since: unreadSince) > Self.longestUnread {
      return End(fault: "it does not read")
    }
    if let requestBegin, now.seconds(since: requestBegin) > Self.longestRequestSeconds {
      return End(
        fault: "no complete request within \(Int(bounded: Self.longestRequestSeconds)) s")
    }
    return traffic.idleSeconds > Self.longestSilence ? End(fault: nil) : nil
  }
}
