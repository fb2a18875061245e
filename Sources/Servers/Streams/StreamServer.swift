import Engine
import Foundation
import HostProtocol
import LinuxIO
import LocationHost
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A service at a TCP port or a Unix socket: one thread with one loop over its listeners and connections, which waits for none of its
/// clients.
final class StreamServer: Server {
  /// Limit of the updates that wait for the thread, some seconds; beyond it the oldest half is dropped.
  private static let mostUpdates = 256
  /// Timeout of the end, seconds: a turn of the loop takes some tenths at most.
  private static let endTimeout = 1.0

  private let wakener: Wakener
  private let inbox = Locked(Inbox())
  private let service: any StreamService
  private let port: StreamPort
  private let context: ServerContext
  private let hasEnded = Waitable(true)

  struct Inbox {
    var updates: [HostUpdate] = []
    var isOver = false
  }

  /// Listens at a TCP port; nil without one.
  convenience init?(
    _ service: any StreamService, at address: StreamAddress, _ context: ServerContext
  ) throws(ServerFault) {
    guard let number = address.port else { return nil }
    let port = try StreamPort(service, host: address.host, port: number, log: context.log)
    try self.init(service, port, context)
  }

  /// Listens at a Unix socket; nil without a path.
  convenience init?(
    _ service: any StreamService, atPath path: String?, mode: UInt32, _ context: ServerContext
  ) throws(ServerFault) {
    guard let path else { return nil }
    try self.init(service, try StreamPort(service, path: path, mode: mode), context)
  }

  private init(
    _ service: any StreamService, _ port: StreamPort, _ context: ServerContext
  ) throws(ServerFault) {
    do throws(NetworkError) {
      wakener = try Wakener()
    } catch {
      throw ServerFault(description: "\(service.name): \(error)")
    }
    (self.service, self.port, self.context) = (service, port, context)
  }

  var ports: [String: Int] { port.listeners.first?.port.map { [service.option: $0] } ?? [:] }

  func start() {
    hasEnded.withLock { $0 = false }
    let thread = Thread { [self] in
      let feed = HostFeed(service.application, context, takesEarly: true) { [weak self] in
        self?.post($0)
      }
      var loop = StreamLoop(
        service, port.listeners, feed: feed, access: context.host.access, log: context.log,
        wakener: wakener)
      loop.run(inbox)
      feed.stop()
      hasEnded.withLock { $0 = true }
    }
    thread.name = "lodestar-\(service.application)"
    thread.start()
  }

  func stop() {
    inbox.withLock { $0.isOver = true }
    wakener.wake()
    hasEnded.wait(atMost: Self.endTimeout) { $0 ? () : nil }
    context.announcements.set([], of: service.application)
    port.remove()
  }

  /// Announces the port with the accuracy of its data.
  private func announce(_ access: GrantedAccess) {
    guard let number = port.listeners.first?.port, access.allowsUpdates,
      let announcement = service.announcement(
        of: number, port.reach, accuracy: access.accuracy)
    else { return context.announcements.set([], of: service.application) }
    context.announcements.set([announcement], of: service.application)
  }

  private func post(_ update: HostUpdate) {
    if case .access(let access) = update { announce(access) }
    inbox.withLock { inbox in
      if inbox.updates.count >= Self.mostUpdates {
        inbox.updates.removeFirst(Self.mostUpdates / 2)
      }
      inbox.updates.append(update)
    }
    wakener.wake()
  }
}

/// The state that only a service's thread uses.
struct StreamLoop {
  /// Limit of the connections.
  private static let mostConnections = 256
  /// Limit of the connections that are accepted in one turn, and of the bytes that are read from one client.
  private static let (mostAccepted, mostRead) = (16, 512)
  /// Limit of the output that waits for all clients together, bytes; beyond it the longest is disconnected.
  private static let mostWaiting = 8 << 20
  /// Seconds without accepting after an error of `accept`.
  private static let acceptPause = 1.0
  /// The longest wait of a turn, milliseconds.
  private static let pause: Int32 = 1000

  private let service: any StreamService
  private let listeners: [StreamListener]
  private let feed: HostFeed
  private let access: any AccessRules
  /// The policy's group when the users of the connections were checked.
  private var group: String?
  private let wakener: Wakener
  private var connections: [Int: StreamConnection<any StreamSession>] = [:]
  private var newest = 0
  /// The last error of `accept`: a moment passes before the next attempt.
  private var acceptFault: Timestamp?
  private var notes: RepeatedNotes
  private var buffer = [UInt8](repeating: 0, count: mostRead)

  init(
    _ service: any StreamService, _ listeners: [StreamListener], feed: HostFeed,
    access: any AccessRules, log: HostLog, wakener: Wakener
  ) {
    (self.service, self.listeners, self.feed, self.wakener) = (service, listeners, feed, wakener)
    self.access = access
    group = access.policy.group
    notes = RepeatedNotes(log: log)
  }

  /// Runs until the inbox is over.
  mutating func run(_ inbox: Locked<StreamServer.Inbox>) {
    while true {
      let (updates, isOver) = inbox.withLock { inbox in
        defer { inbox.updates = [] }
        return (inbox.updates, inbox.isOver)
      }
      if isOver { break }
      checkUsers()
      deliver(updates)
      feed.request(
        connections.values.reduce(into: HostNeeds()) { $0.formUnion($1.session.needs) })
      wait()
    }
  }

  private mutating func deliver(_ updates: [HostUpdate]) {
    guard !updates.isEmpty else { return }
    let (source, sky) = (feed.source, feed.sky)
    for content in updates {
      let update = StreamUpdate(content, source: source, sky: sky)
      if case .estimate(let estimate) = content {
        update.awaitsPlace = feed.awaitsPlace(of: estimate)
      }
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

  // MARK: Connections

  private mutating func wait() {
    let numbers = connections.keys.sorted()
    var files = [pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0)]
    let mayAccept =
      acceptFault.map { MonotonicClock.now.seconds(since: $0) >= Self.acceptPause } ?? true
    files += listeners.map {
      pollfd(fd: mayAccept ? $0.file : -1, events: Int16(POLLIN), revents: 0)
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
    for (file, listener) in zip(files[1...listeners.count], listeners) where file.revents != 0 {
      accept(listener)
    }
  }

  private mutating func accept(_ listener: StreamListener) {
    for _ in 0..<Self.mostAccepted {
      do throws(NetworkError) {
        guard let socket = try listener.accept() else { return }
        if let reason = access.refusal(of: socket.user()) {
          refuse(socket, reason)
        } else {
          add(socket)
        }
      } catch {
        notes.add("\(service.name): \(error)")
        acceptFault = MonotonicClock.now
        return
      }
    }
  }

  /// Disconnects the clients that a new policy does not admit.
  private mutating func checkUsers() {
    guard access.policy.group != group else { return }
    group = access.policy.group
    for (number, connection) in connections {
      guard let reason = access.refusal(of: connection.socket.user()) else { continue }
      refuse(connection.socket, reason)
      connections[number] = nil
    }
  }

  private mutating func refuse(_ socket: StreamSocket, _ reason: String) {
    notes.add("\(service.name): a client was refused: \(reason)")
    do throws(NetworkError) {
      _ = try socket.write(service.refusal(reason)[...])
    } catch {
      // It has left already.
    }
  }

  private mutating func add(_ socket: StreamSocket) {
    if connections.count >= Self.mostConnections {
      // A connection that has requested nothing makes room for one that may.
      let idle = connections.values.filter { $0.session.needs.isEmpty }.map(\.number).min()
      notes.add("\(service.name): more than \(Self.mostConnections) clients")
      guard let idle else { return }
      connections[idle] = nil
    }
    newest += 1
    var connection = StreamConnection(socket, service.session(), number: newest)
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
      let state = StreamState(source: feed.source, latest: feed.latest, sky: feed.sky)
      connection.put(try connection.session.receive(bytes, state))
    } catch {
      connection.put(error.output)
      connection.end = error.reason
      notes.add("\(service.name): a client was disconnected: \(error.reason)")
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
      notes.add("\(service.name): a client was disconnected: it does not read")
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
      notes.add("\(service.name): a client was disconnected: it does not read")
      waiting -= longest.waitingBytes
      connections[longest.number] = nil
    }
  }
}
