import Formats
import Foundation
import LinuxIO
import LocationHost
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// What happens at a WebSocket.
enum WebSocketEvent: Sendable {
  /// With the attributes that its request was given, such as `subscribe`.
  case opened([String: String])
  case text([UInt8])
  case closed
}

/// The WebSockets of an HTTP server: one thread with one loop over their connections, which waits for none of its clients.
/// It takes a connection from the library after the handshake, because the library bounds neither a message nor the output
/// that waits for a client.
final class WebSockets: Sendable {
  /// Limit of the WebSockets.
  static let most = 100
  /// Limit of the messages that wait for the thread, some seconds; beyond it new ones are dropped.
  private static let mostMessages = 1024
  /// Timeout of the end, seconds: a turn of the loop takes some tenths at most.
  private static let endTimeout = 0.5

  /// What the thread has to do next.
  fileprivate struct Inbox {
    var arrivals: [Arrival] = []
    var messages: [(number: Int?, frame: [UInt8], isLast: Bool)] = []
    var isOver = false
  }

  /// A connection, and what runs when it is closed.
  fileprivate struct Arrival {
    let socket: StreamSocket
    let attributes: [String: String]
    let onEnd: OnEnd
  }

  let connections: HTTPConnections
  private let name: String
  private let log: HostLog
  private let inbox = Locked(Inbox())
  private let wakener = Locked<Wakener?>(nil)
  private let open = Locked(0)
  private let hasEnded = Waitable(true)

  /// Makes the WebSockets of a server.
  /// - Parameters:
  ///   - name: The server's name in messages.
  ///   - connections: Those of its port.
  ///   - log: Receives a line for each kind of excess.
  init(_ name: String, _ connections: HTTPConnections, log: HostLog) {
    (self.name, self.connections, self.log) = (name, connections, log)
  }

  /// The number of open WebSockets.
  var count: Int { open.withLock { $0 } }

  /// Starts the thread.
  /// - Parameter receive: Receives the events of each WebSocket, by its number, on the thread, so it must return at once.
  func start(_ receive: @escaping @Sendable (Int, WebSocketEvent) -> Void) {
    let made: Wakener
    do throws(NetworkError) { made = try Wakener() } catch {
      log.warning("\(name): no WebSocket is served: \(error)")
      return
    }
    wakener.withLock { $0 = made }
    inbox.withLock { $0 = Inbox() }
    hasEnded.withLock { $0 = false }
    let thread = Thread { [self] in
      var loop = WebSocketLoop(name, log, made, receive) { [weak self] count in
        self?.open.withLock { $0 = count }
      }
      loop.run(inbox)
      open.withLock { $0 = 0 }
      hasEnded.withLock { $0 = true }
    }
    thread.name = "lodestar-\(name)-ws"
    thread.start()
  }

  /// Closes all WebSockets and ends the thread.
  func stop() {
    inbox.withLock { $0.isOver = true }
    wake()
    hasEnded.wait(atMost: Self.endTimeout) { $0 ? () : nil }
    inbox.withLock { $0.arrivals = [] }
  }

  /// Adds a connection after its handshake.
  /// - Parameters:
  ///   - socket: The connection.
  ///   - attributes: Passed to the event of its opening.
  ///   - onEnd: Runs once the connection is closed.
  func add(
    _ socket: StreamSocket, _ attributes: [String: String], onEnd: @escaping @Sendable () -> Void
  ) {
    inbox.withLock { inbox in
      guard !inbox.isOver else { return onEnd() }
      inbox.arrivals.append(Arrival(socket: socket, attributes: attributes, onEnd: OnEnd(onEnd)))
    }
    wake()
  }

  /// Sends a message of text to one WebSocket, or to all, and closes it after the last one.
  func send(_ text: [UInt8], to number: Int? = nil, isLast: Bool = false) {
    let frame = WebSocketFrame.text(text)
    inbox.withLock { inbox in
      if inbox.messages.count < Self.mostMessages { inbox.messages.append((number, frame, isLast)) }
    }
    wake()
  }

  private func wake() { wakener.withLock { $0 }?.wake() }
}

/// Runs a closure when its last reference is gone.
private final class OnEnd: Sendable {
  private let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  deinit { body() }
}

/// The state that only the thread uses.
private struct WebSocketLoop {
  /// Limit of a client's message, bytes.
  private static let longestMessage = 16 * 1024
  /// Bytes that are read from one client in a turn.
  private static let mostRead = 4096
  /// The interval of pings, so that a connection without messages is not taken for lost, seconds.
  private static let pingInterval = 20.0

  private struct Session {
    var reader = WebSocketReader(longest: WebSocketLoop.longestMessage)
    let onEnd: OnEnd
  }

  private let name: String
  private let wakener: Wakener
  private let receive: (Int, WebSocketEvent) -> Void
  private let countChanged: (Int) -> Void
  private var connections: [Int: StreamConnection<Session>] = [:]
  private var newest = 0
  private var lastPing = MonotonicClock.now
  private var notes: RepeatedNotes
  private var buffer = [UInt8](repeating: 0, count: mostRead)

  init(
    _ name: String, _ log: HostLog, _ wakener: Wakener,
    _ receive: @escaping (Int, WebSocketEvent) -> Void, countChanged: @escaping (Int) -> Void
  ) {
    (self.name, self.wakener, self.receive) = (name, wakener, receive)
    self.countChanged = countChanged
    notes = RepeatedNotes(log: log)
  }

  /// Runs until the inbox is over.
  mutating func run(_ inbox: Locked<WebSockets.Inbox>) {
    while true {
      let work = inbox.withLock { inbox in
        defer { (inbox.arrivals, inbox.messages) = ([], []) }
        return inbox
      }
      if work.isOver { break }
      for arrival in work.arrivals { add(arrival) }
      for (number, frame, isLast) in work.messages {
        deliver(frame, to: number)
        // 1008: a rule of the server, such as a permission.
        if isLast, let number {
          end(number, 1008, "its last message was sent")
          flush(number)
        }
      }
      wait()
    }
    for number in connections.keys {
      connections[number]?.put(WebSocketFrame.close(1001))
      do throws(NetworkError) { try connections[number]?.flush() } catch {}
      close(number)
    }
  }

  private mutating func add(_ arrival: WebSockets.Arrival) {
    guard connections.count < WebSockets.most else {
      return notes.add("\(name): more than \(WebSockets.most) WebSockets: a new one was closed")
    }
    newest += 1
    let session = Session(onEnd: arrival.onEnd)
    connections[newest] = StreamConnection(arrival.socket, session, number: newest)
    countChanged(connections.count)
    receive(newest, .opened(arrival.attributes))
  }

  private mutating func close(_ number: Int) {
    guard connections.removeValue(forKey: number) != nil else { return }
    countChanged(connections.count)
    receive(number, .closed)
  }

  private mutating func deliver(_ frame: [UInt8], to number: Int?) {
    guard let number else {
      for number in Array(connections.keys) { put(frame, number) }
      return
    }
    put(frame, number)
  }

  /// Sends a frame; nothing follows the last frame of a connection that ends.
  private mutating func put(_ frame: [UInt8], _ number: Int) {
    guard connections[number]?.end == nil else { return }
    connections[number]?.put(frame)
    flush(number)
  }

  private mutating func wait() {
    let numbers = Array(connections.keys)
    var files = [pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0)]
    for number in numbers {
      guard let one = connections[number] else { continue }
      let events = (one.mayRead ? POLLIN : 0) | (one.wantsRoom ? POLLOUT : 0)
      files.append(pollfd(fd: one.socket.file, events: Int16(events), revents: 0))
    }
    let pause = connections.isEmpty ? -1 : Int32(bounded: Self.pingInterval * 1e3)
    let count = poll(&files, nfds_t(files.count), pause)
    if MonotonicClock.now.seconds(since: lastPing) >= Self.pingInterval {
      lastPing = MonotonicClock.now
      deliver(WebSocketFrame.ping, to: nil)
    }
    guard count > 0 else { return }
    if files[0].revents != 0 { wakener.clear() }
    for (file, number) in zip(files[1...], numbers) where file.revents != 0 {
      if file.revents & ~Int16(POLLOUT) != 0 { read(number) }
      flush(number)
    }
  }

  private mutating func read(_ number: Int) {
    guard let socket = connections[number]?.socket else { return }
    do throws(NetworkError) {
      let count = try socket.read(into: &buffer)
      guard count > 0, connections[number]?.end == nil else { return }
      take(buffer[..<count], number)
    } catch {
      close(number)
    }
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, _ number: Int) {
    do throws(WebSocketReader.Fault) {
      for message in try connections[number]?.session.reader.take(bytes) ?? [] {
        switch message {
        case .ping(let payload): put(WebSocketFrame.pong(payload), number)
        case .text(let text): receive(number, .text(text))
        case .binary: break
        case .close: end(number, 1000, "it has closed")
        }
      }
    } catch {
      end(number, error.status, error.description)
      notes.add("\(name): a WebSocket was closed: \(error)")
    }
  }

  private mutating func end(_ number: Int, _ status: Int, _ reason: String) {
    put(WebSocketFrame.close(status), number)
    connections[number]?.end = reason
  }

  private mutating func flush(_ number: Int) {
    do throws(NetworkError) {
      try connections[number]?.flush()
    } catch {
      close(number)
    }
    guard let connection = connections[number] else { return }
    if connection.isFull {
      notes.add("\(name): a WebSocket was closed: its client does not read")
      close(number)
    } else if connection.end != nil, !connection.wantsRoom {
      close(number)
    }
  }
}
