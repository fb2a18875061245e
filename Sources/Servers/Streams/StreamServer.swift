import Engine
import Foundation
import HostProtocol
import LinuxIO
import LocationHost
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The thread of all TCP ports: one loop over their listeners and connections. It is one client of the host, and waits
/// for none of its own clients.
final class StreamServer: Sendable {
  /// The application of the servers in the policy: its access limits what they give to others.
  static let application = "org.lodestar.servers"
  /// Limit of the updates that wait for the thread, some seconds; beyond it the oldest half is dropped.
  private static let mostUpdates = 256

  private let wakener: Wakener
  private let inbox = Locked(Inbox())
  private let ports: [StreamPort]
  private let host: LocationHost
  private let log: HostLog
  private let hasEnded = Waitable(false)
  /// Timeout of the end, seconds: a turn of the loop takes some tenths at most.
  private static let endTimeout = 1.0

  struct Inbox {
    var updates: [StreamUpdate.Content] = []
    var isOver = false
  }

  init(
    _ ports: [StreamPort], host: LocationHost, log: HostLog
  ) throws(NetworkError) {
    wakener = try Wakener()
    (self.ports, self.host, self.log) = (ports, host, log)
  }

  /// The ports by the option of their service.
  var openPorts: [String: Int] {
    ports.reduce(into: [:]) { $0[$1.service.option] = $1.listeners.first?.port }
  }

  /// Starts the thread.
  func start() {
    let thread = Thread { [self] in
      var loop = StreamLoop(
        client: HostClient(application: Self.application, client: "servers", host: host),
        ports: ports, log: log, wakener: wakener)
      loop.run(inbox) { [weak self] in self?.post($0) }
      hasEnded.withLock { $0 = true }
    }
    thread.name = "lodestar-streams"
    thread.start()
  }

  /// Ends the thread, which closes all connections.
  func stop() {
    inbox.withLock { $0.isOver = true }
    wakener.wake()
    hasEnded.wait(atMost: Self.endTimeout) { $0 ? () : nil }
  }

  private func post(_ update: StreamUpdate.Content) {
    inbox.withLock { inbox in
      if inbox.updates.count >= Self.mostUpdates {
        inbox.updates.removeFirst(Self.mostUpdates / 2)
      }
      inbox.updates.append(update)
    }
    wakener.wake()
  }
}

/// The state that only the servers' thread uses.
struct StreamLoop {
  /// Limit of the connections of one service.
  private static let mostConnections = 256
  /// Limit of the connections that are accepted in one turn, and of the bytes that are read from one client.
  private static let (mostAccepted, mostRead) = (16, 512)
  /// Limit of the output that waits for all clients together, bytes; beyond it the longest is disconnected.
  private static let mostWaiting = 8 << 20
  /// Time after the last need of estimates until the host is asked for none, seconds.
  private static let release = 5.0
  /// Seconds without accepting after an error of `accept`.
  private static let acceptPause = 1.0
  /// Time after the first need of estimates in which a place is awaited, seconds.
  private static let firstPlace = 1.5
  /// The least interval between two log entries of one kind, seconds.
  private static let logInterval = 10.0
  /// The longest wait of a turn, milliseconds.
  private static let pause: Int32 = 1000

  private let client: HostClient
  private let ports: [StreamPort]
  private let log: HostLog
  private let wakener: Wakener
  private var connections: [Int: StreamConnection] = [:]
  private var newest = 0
  private var estimates: Observation?
  private var samples: Observation?
  private var (firstNeeded, lastNeeded) = (
    Timestamp(nanoseconds: 0), Timestamp(nanoseconds: 0)
  )
  private var lastFix = LastFix()
  private var latest: Estimate?
  /// The last error of `accept`: a moment passes before the next attempt.
  private var acceptFault: Timestamp?
  private var logged: [String: (at: Timestamp, count: Int)] = [:]
  private var buffer = [UInt8](repeating: 0, count: mostRead)

  init(client: HostClient, ports: [StreamPort], log: HostLog, wakener: Wakener) {
    (self.client, self.ports, self.log, self.wakener) = (client, ports, log, wakener)
  }

  /// Runs until the inbox is over.
  mutating func run(
    _ inbox: Locked<StreamServer.Inbox>,
    post: @escaping @Sendable (StreamUpdate.Content) -> Void
  ) {
    let source = client.observeSource { post(.source($0)) }
    client.access.request(.always)
    let access = client.access.observe { [access = client.access] in post(.access(access.current)) }
    post(.access(client.access.current))
    while true {
      let (updates, isOver) = inbox.withLock { inbox in
        defer { inbox.updates = [] }
        return (inbox.updates, inbox.isOver)
      }
      if isOver { break }
      deliver(updates)
      follow(post)
      wait()
    }
    source.cancel()
    access.cancel()
    estimates?.cancel()
    samples?.cancel()
    client.stop()
  }

  // MARK: Host

  /// Forgets what an earlier access gave, and reports one that gives the clients nothing.
  private mutating func accessChanged(_ access: GrantedAccess) {
    lastFix.forget()
    latest = nil
    guard access.authorization == .denied || access.authorization == .restricted else { return }
    log.warning(
      "the TCP ports give no data, because the policy does not permit it: add "
        + "'\(StreamServer.application): {authorization: always}' to the applications of the policy"
    )
  }

  private mutating func deliver(_ updates: [StreamUpdate.Content]) {
    guard !updates.isEmpty else { return }
    let (source, accuracy) = (client.source, client.access.current.accuracy)
    for content in updates {
      var content = content
      switch content {
      case .access(let access): accessChanged(access)
      case .estimate(let estimate):
        let complete = lastFix.complete(estimate, accuracy)
        // The first estimates of a demand have no place yet; they would be reports of no fix.
        let isEarly = MonotonicClock.now.seconds(since: firstNeeded) < Self.firstPlace
        if complete.position == nil, source.hasReceiver, isEarly { continue }
        (latest, content) = (complete, .estimate(complete))
      case .samples, .source: break
      }
      let update = StreamUpdate(content, source: source)
      for number in connections.keys {
        guard let output = connections[number]?.session.take(update), !output.isEmpty else {
          continue
        }
        connections[number]?.put(output)
      }
    }
    for number in Array(connections.keys) { flush(number) }
    limitWaiting()
  }

  /// Requests what the sessions need, and shortly after the last need nothing.
  private mutating func follow(_ post: @escaping @Sendable (StreamUpdate.Content) -> Void) {
    let needs = connections.values.reduce(into: StreamNeeds()) { $0.formUnion($1.session.needs) }
    if needs.contains(.samples) != (samples != nil) {
      samples?.cancel()
      samples =
        needs.contains(.samples) ? client.publisher.observeRows { post(.samples($0)) } : nil
    }
    let now = MonotonicClock.now
    if needs.contains(.estimates) {
      lastNeeded = now
      if estimates == nil {
        firstNeeded = now
        estimates = client.publisher.observe { post(.estimate($0)) }
      }
    } else if estimates != nil, now.seconds(since: lastNeeded) > Self.release {
      estimates?.cancel()
      estimates = nil
      lastFix.forget()
      latest = nil
    }
  }

  // MARK: Connections

  private mutating func wait() {
    let numbers = connections.keys.sorted()
    let listeners = ports.flatMap { port in port.listeners.map { (port.service, $0) } }
    var files = [pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0)]
    let mayAccept =
      acceptFault.map { MonotonicClock.now.seconds(since: $0) >= Self.acceptPause } ?? true
    files += listeners.map {
      pollfd(fd: mayAccept ? $0.1.file : -1, events: Int16(POLLIN), revents: 0)
    }
    for number in numbers {
      guard let one = connections[number] else { continue }
      let events = (one.mayRead ? POLLIN : 0) | (one.wantsRoom ? POLLOUT : 0)
      files.append(pollfd(fd: one.socket.file, events: Int16(events), revents: 0))
    }
    let count = poll(&files, nfds_t(files.count), Self.pause)
    guard count > 0 else { return }
    if files[0].revents != 0 { wakener.clear() }
    for (file, number) in zip(files[(1 + listeners.count)...], numbers) where file.revents != 0 {
      if file.revents & ~Int16(POLLOUT) != 0 { read(number) }
      flush(number)
    }
    for (file, (service, listener)) in zip(files[1...listeners.count], listeners)
    where file.revents != 0 {
      accept(listener, service)
    }
  }

  private mutating func accept(_ listener: StreamListener, _ service: any StreamService) {
    for _ in 0..<Self.mostAccepted {
      do throws(NetworkError) {
        guard let socket = try listener.accept() else { return }
        add(socket, service)
      } catch {
        note("\(service.name): \(error)")
        acceptFault = MonotonicClock.now
        return
      }
    }
  }

  private mutating func add(_ socket: StreamSocket, _ service: any StreamService) {
    let others = connections.values.filter { $0.service.name == service.name }
    if others.count >= Self.mostConnections {
      // A connection that has requested nothing makes room for one that may.
      let idle = others.filter { $0.session.needs.isEmpty }.map(\.number).min()
      note("\(service.name): more than \(Self.mostConnections) clients")
      guard let idle else { return }
      connections[idle] = nil
    }
    newest += 1
    var connection = StreamConnection(socket, service, number: newest)
    connection.put(connection.session.begin())
    connections[newest] = connection
    flush(newest)
  }

  private mutating func read(_ number: Int) {
    guard let socket = connections[number]?.socket else { return }
    do throws(NetworkError) {
      let count = try socket.read(into: &buffer)
      guard count > 0, connections[number]?.end == nil else { return }
      handle(buffer[..<count], number)
    } catch {
      connections[number] = nil
    }
  }

  private mutating func handle(_ bytes: ArraySlice<UInt8>, _ number: Int) {
    guard var connection = connections[number] else { return }
    // Without another reference the session changes in place.
    connections[number] = nil
    do throws(StreamRefusal) {
      let state = StreamState(source: client.source, latest: latest)
      connection.put(try connection.session.receive(bytes, state))
    } catch {
      connection.put(error.output)
      connection.end = error.reason
      note("\(connection.service.name): a client was disconnected: \(error.reason)")
    }
    connections[number] = connection
  }

  private mutating func flush(_ number: Int) {
    do throws(NetworkError) {
      try connections[number]?.flush()
    } catch {
      connections[number] = nil
    }
    guard let connection = connections[number] else { return }
    if connection.isFull {
      note("\(connection.service.name): a client was disconnected: it does not read")
      connections[number] = nil
    } else if connection.end != nil, !connection.wantsRoom {
      connections[number] = nil
    }
  }

  /// Disconnects the clients with the most output until the rest is within the limit.
  private mutating func limitWaiting() {
    var waiting = connections.values.reduce(0) { $0 + $1.waitingBytes }
    while waiting > Self.mostWaiting,
      let longest = connections.values.max(by: { $0.waitingBytes < $1.waitingBytes })
    {
      note("\(longest.service.name): a client was disconnected: it does not read")
      waiting -= longest.waitingBytes
      connections[longest.number] = nil
    }
  }

  /// Logs a text, at most once in an interval.
  private mutating func note(_ text: String) {
    let now = MonotonicClock.now
    let known = logged[text] ?? (at: Timestamp(nanoseconds: 0), count: 0)
    if known.count > 0, now.seconds(since: known.at) < Self.logInterval {
      logged[text] = (known.at, known.count + 1)
      return
    }
    log.warning(known.count > 1 ? "\(text) (\(known.count - 1) more before)" : text)
    if logged.count > 64 { logged = [:] }
    logged[text] = (now, 1)
  }
}
