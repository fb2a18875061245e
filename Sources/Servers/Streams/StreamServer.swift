import Glibc
import HostProtocol
import LinuxIO
import LocationHost
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A service at a TCP port or a Unix socket: one thread with one loop over its listeners and
/// connections, which waits for none of its clients.
final class StreamServer: Server {
  /// Timeout of the end, seconds: a turn of the loop takes some tenths at most.
  private static let endTimeout = 1.0

  private let inbox: StreamInbox
  private let service: any StreamService
  private let port: StreamPort
  private let context: ServerContext
  /// What the policy gives the clients; nil before it is known.
  private let access = Locked<GrantedAccess?>(nil)
  private let hasEnded = Waitable(true)

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
      inbox = StreamInbox(try Wakener())
    } catch {
      throw ServerFault(description: "\(service.name): \(error)")
    }
    (self.service, self.port, self.context) = (service, port, context)
  }

  var ports: [String: Int] { port.number.map { [service.option: $0] } ?? [:] }

  func start() {
    hasEnded.withLock { $0 = false }
    announce()
    WorkerThread.start("lodestar-\(service.application)") { [self] in
      let feed =
        service.readsHost
        ? HostFeed(service.application, context, takesEarly: true) { [weak self] in self?.post($0) }
        : nil
      var loop = StreamLoop(
        service, port, feed: feed, access: context.host.access, log: context.log, inbox: inbox
      ) {
        [weak self] in self?.announce()
      }
      loop.run()
      feed?.stop()
      port.close()
      hasEnded.withLock { $0 = true }
    }
  }

  func stop() {
    inbox.end()
    hasEnded.wait(atMost: Self.endTimeout) { $0 ? () : nil }
    context.announcements.set([], of: service.application)
    port.close()
  }

  /// Announces the port with the accuracy of its data.
  private func announce() {
    let access = access.withLock { $0 }
    guard let number = port.listeners.first?.port,
      access?.allowsUpdates ?? !service.readsHost
    else { return context.announcements.set([], of: service.application) }
    context.announcements.set(
      service.announcements(of: number, port.reach, accuracy: access?.accuracy ?? .full),
      of: service.application)
  }

  private func post(_ update: HostUpdate) {
    if case .access(let access) = update {
      self.access.withLock { $0 = access }
      announce()
    }
    inbox.add(update)
  }
}

/// What other threads give to a loop.
final class StreamInbox: Sendable {
  /// Limit of the updates that wait for the thread, some seconds; beyond it the values in the
  /// oldest half are dropped.
  private static let mostUpdates = 256

  /// What has arrived since the last turn.
  struct Content {
    var updates: [HostUpdate] = []
    /// The connections whose sessions have output.
    var woken: Set<Int> = []
    var isOver = false

    var isEmpty: Bool { updates.isEmpty && woken.isEmpty && !isOver }
  }

  private let wakener: Wakener
  private let content = Locked(Content())

  init(_ wakener: Wakener) { self.wakener = wakener }

  /// The descriptor for `poll`.
  var file: Int32 { wakener.file }

  func add(_ update: HostUpdate) {
    change { content in
      if content.updates.count >= Self.mostUpdates {
        // A change of access or source is not superseded by later updates.
        let half = Self.mostUpdates / 2
        content.updates =
          content.updates.prefix(half).filter(\.isLasting) + content.updates.dropFirst(half)
      }
      content.updates.append(update)
    }
  }

  func wake(_ number: Int) { change { $0.woken.insert(number) } }
  func end() { change { $0.isOver = true } }

  func removeAll() -> Content {
    content.withLock { content in
      defer { content = Content(isOver: content.isOver) }
      return content
    }
  }

  func clear() { wakener.clear() }

  private func change(_ body: (inout Content) -> Void) {
    let isFirst = content.withLock { content in
      let wasEmpty = content.isEmpty
      body(&content)
      return wasEmpty
    }
    if isFirst { wakener.wake() }
  }
}

/// The state that only a service's thread uses.
struct StreamLoop {
  /// Limit of the connections that are still open to send a refusal.
  private static let mostRefused = 16
  /// Limit of the output that waits for all clients together, bytes; beyond it the longest is
  /// disconnected.
  private static let mostWaiting = 8 << 20
  /// Seconds between two attempts to listen.
  private static let listenPause = 10.0
  /// The interval of the checks of times while there are connections, and the longest wait of a
  /// turn, milliseconds.
  private static let pause: Int32 = 1000

  private let service: any StreamService
  private let port: StreamPort
  private let feed: HostFeed?
  private let access: any AccessRules
  /// The policy by which the users of the connections were checked.
  private var accessRevision: Int
  private let inbox: StreamInbox
  /// Called when the port listens after it could not.
  private let onListening: () -> Void
  private var connections: [Int: StreamConnection] = [:]
  private var newest = 0
  private var acceptance = Acceptance()
  /// The last check of times, and the last attempt to listen.
  private var lastCheck = MonotonicClock.now
  private var lastAttempt = MonotonicClock.now
  /// The connections whose sessions have received more than they have handled.
  private var stalled: Set<Int> = []
  private var notes: RepeatedNotes
  private var buffer: [UInt8]

  init(
    _ service: any StreamService, _ port: StreamPort, feed: HostFeed?, access: any AccessRules,
    log: HostLog, inbox: StreamInbox, onListening: @escaping () -> Void
  ) {
    (self.service, self.port, self.feed, self.inbox) = (service, port, feed, inbox)
    (self.onListening, self.access) = (onListening, access)
    accessRevision = access.revision
    notes = RepeatedNotes(log: log)
    buffer = [UInt8](repeating: 0, count: service.limits.read)
  }

  /// Runs until the inbox is over.
  mutating func run() {
    while true {
      let content = inbox.removeAll()
      if content.isOver { break }
      checkUsers()
      deliver(content.updates)
      let woken = content.woken.union(stalled)
      stalled = []
      for number in woken { advance(number) }
      checkTimes()
      limitWaiting()
      feed?.request(
        connections.values.reduce(into: HostNeeds()) { $0.formUnion($1.session.needs) })
      wait()
    }
    shutdown()
  }

  private mutating func deliver(_ updates: [HostUpdate]) {
    guard let feed, !updates.isEmpty else { return }
    let (source, sky, now) = (feed.source, feed.sky, MonotonicClock.now)
    for content in updates {
      let update = StreamUpdate(content, source: source, sky: sky)
      if case .estimate(let estimate) = content {
        update.awaitsPlace = feed.awaitsPlace(of: estimate)
      }
      for number in connections.keys {
        guard let output = connections[number]?.session.output(for: update), !output.isEmpty else {
          continue
        }
        connections[number]?.put(output, at: now)
      }
    }
    for number in Array(connections.keys) { flush(number) }
  }

  /// Checks the times of all connections, and for an address that was not free.
  private mutating func checkTimes() {
    let now = MonotonicClock.now
    guard now.seconds(since: lastCheck) * 1000 >= Double(Self.pause) else { return }
    lastCheck = now
    for number in Array(connections.keys) { advance(number) }
    guard port.isIncomplete, now.seconds(since: lastAttempt) >= Self.listenPause else { return }
    lastAttempt = now
    let before = port.listeners.count
    port.attempt()
    if port.listeners.count > before { onListening() }
  }

  private mutating func shutdown() {
    let now = MonotonicClock.now
    for number in Array(connections.keys) {
      if let output = connections[number]?.session.shutdown(),
        connections[number]?.isEnding == false
      {
        connections[number]?.put(output, at: now)
      }
      do throws(NetworkError) { try connections[number]?.flush(at: now) } catch {}
      close(number)
    }
  }

  // MARK: Connections

  private mutating func wait() {
    let numbers = connections.keys.sorted()
    let listeners = port.listeners
    let accepts = acceptance.isOpen()
    var files = [pollfd(fd: inbox.file, events: Int16(POLLIN), revents: 0)]
    files += listeners.map {
      pollfd(fd: accepts ? $0.file : -1, events: Int16(POLLIN), revents: 0)
    }
    for number in numbers {
      guard let one = connections[number] else { continue }
      let events = (one.mayRead ? POLLIN : 0) | (one.wantsRoom ? POLLOUT : 0)
      files.append(pollfd(fd: one.socket.file, events: Int16(events), revents: 0))
    }
    let count = poll(&files, nfds_t(files.count), pause(accepts: accepts))
    guard count > 0 else { return }
    if files[0].revents != 0 { inbox.clear() }
    for (file, number) in zip(files[(1 + listeners.count)...], numbers) where file.revents != 0 {
      if file.revents & ~Int16(POLLOUT) != 0 { read(number) }
      flush(number)
    }
    for (file, listener) in zip(files[1..<(1 + listeners.count)], listeners)
    where file.revents != 0 {
      accept(listener)
    }
  }

  /// The longest wait of this turn, milliseconds; -1 for no limit.
  private func pause(accepts: Bool) -> Int32 {
    if !stalled.isEmpty { return 0 }
    return connections.isEmpty && accepts && !port.isIncomplete ? -1 : Self.pause
  }

  private mutating func accept(_ listener: StreamListener) {
    let (sockets, fault) = acceptance.accept(listener)
    if let fault { notes.add("\(service.name): \(fault)") }
    let users = users
    for socket in sockets {
      if let reason = users.flatMap({ access.refusal(of: $0.user(of: socket)) }) {
        refuse(socket, reason)
      } else if hasPlace() {
        add(socket)
      }
    }
  }

  /// The users of the machine's connections; nil where the policy admits everyone.
  private var users: ConnectionUsers? {
    access.policy.group == nil ? nil : ConnectionUsers()
  }

  /// Disconnects the clients that a new policy does not admit.
  private mutating func checkUsers() {
    let revision = access.revision
    guard revision != accessRevision else { return }
    accessRevision = revision
    guard let users else { return }
    let now = MonotonicClock.now
    for (number, connection) in connections where !connection.isEnding {
      guard let reason = access.refusal(of: users.user(of: connection.socket)) else { continue }
      notes.add("\(service.name): a client was disconnected: \(reason)")
      connections[number]?.put(connection.session.shutdown(), at: now)
      connections[number]?.isEnding = true
      flush(number)
    }
  }

  /// Refuses a client; sends it the reason unless too many refused clients are still connected.
  private mutating func refuse(_ socket: StreamSocket, _ reason: String) {
    notes.add("\(service.name): a client was refused: \(reason)")
    guard connections.values.count(where: { $0.isEnding }) < Self.mostRefused else { return }
    add(socket, refusal: service.refusal(reason))
  }

  /// Adds a connection; with a refusal it ends once that is written.
  private mutating func add(_ socket: StreamSocket, refusal: [UInt8]? = nil) {
    newest += 1
    let client = StreamClient(number: newest, host: socket.peerHost ?? "") {
      [inbox, newest] in inbox.wake(newest)
    }
    let now = MonotonicClock.now
    var connection = StreamConnection(socket, service.session(client), number: newest, at: now)
    connection.put(refusal ?? connection.session.begin(), at: now)
    connection.isEnding = refusal != nil
    connections[newest] = connection
    flush(newest)
  }

  /// Whether there is a place for a new connection. One that has requested nothing makes room for
  /// one that may.
  private mutating func hasPlace() -> Bool {
    let most = service.limits.connections
    let counted = connections.values.filter { $0.session.standing != .separate }
    guard counted.count >= most else { return true }
    let idle = counted.filter { $0.session.standing == .replaceable }.min {
      ($0.lastActivity, $0.number) < ($1.lastActivity, $1.number)
    }
    notes.add(
      "\(service.name): more than \(most) connections: "
        + (idle == nil ? "a new one was closed" : "the one idle longest was closed"))
    if let idle { close(idle.number) }
    return idle != nil
  }

  private mutating func close(_ number: Int) {
    connections.removeValue(forKey: number)?.session.closed()
  }

  private mutating func read(_ number: Int) {
    guard let socket = connections[number]?.socket else { return }
    // Where nothing is read, the event is the end of the connection in both directions.
    guard connections[number]?.mayRead == true else { return close(number) }
    do throws(NetworkError) {
      let count = try socket.read(into: &buffer)
      let now = MonotonicClock.now
      guard count > 0, connections[number]?.recordArrival(count, at: now) == true else { return }
      let state = StreamState(
        source: feed?.source ?? SourceDescription(isOpen: false), latest: feed?.latest,
        sky: feed?.sky, now: now)
      let bytes = buffer[..<count]
      change(number, at: now) { (session) throws(StreamRefusal) in
        try session.receive(bytes, state)
      }
    } catch {
      // One that sends nothing more may still read.
      guard error.kind == .closed, let one = connections[number], one.wantsRoom || one.isEnding
      else { return close(number) }
      connections[number]?.isEnding = true
      connections[number]?.isInputOver = true
    }
  }

  private mutating func advance(_ number: Int) {
    let now = MonotonicClock.now
    guard let traffic = connections[number]?.traffic(at: now) else { return }
    change(number, at: now) { (session) throws(StreamRefusal) in try session.advance(traffic) }
    flush(number)
  }

  /// Runs `body` with a session, unless its connection is ending, and queues its output.
  private mutating func change(
    _ number: Int, at now: Timestamp,
    _ body: (inout any StreamSession) throws(StreamRefusal) -> [UInt8]
  ) {
    // Without another reference the session changes in place.
    guard var connection = connections.removeValue(forKey: number) else { return }
    defer { connections[number] = connection }
    guard !connection.isEnding else { return }
    do throws(StreamRefusal) {
      connection.put(try body(&connection.session), at: now)
    } catch {
      connection.put(error.output, at: now)
      connection.isEnding = true
      report(error.end)
    }
  }

  private mutating func flush(_ number: Int) {
    let now = MonotonicClock.now
    do throws(NetworkError) {
      try connections[number]?.flush(at: now)
    } catch {
      close(number)
    }
    guard let connection = connections[number] else { return }
    if let end = connection.session.end(connection.traffic(at: now)) {
      report(end)
      close(number)
    } else if connections[number]?.isOver(at: now) == true {
      close(number)
    } else if connection.session.isStalled, connection.hasRoom {
      stalled.insert(number)
    }
  }

  private mutating func report(_ end: StreamEnd) {
    if let note = end.note { notes.add("\(service.name): \(note)") }
  }

  /// Disconnects the clients with the most output until the rest is within the limit.
  private mutating func limitWaiting() {
    var waiting = connections.values.reduce(0) { $0 + $1.waitingBytes }
    while waiting > Self.mostWaiting,
      let longest = connections.values.max(by: { $0.waitingBytes < $1.waitingBytes })
    {
      report(.disconnected("it does not read"))
      waiting -= longest.waitingBytes
      close(longest.number)
    }
  }
}
