/// The work of a connection's thread: all use of libdbus and all callbacks.
///
/// While there are subscriptions or exported objects it reconnects, after `firstPause`, doubled up
/// to `longestPause`.
final class BusLoop {
  /// Seconds before the first attempt to reconnect; short, for a daemon that restarts.
  static let firstPause = 0.5
  /// Longest interval between attempts to reconnect, seconds.
  static let longestPause = 30.0
  /// Timeout of requests to the bus itself, seconds.
  static let busTimeout = 5.0
  private static let ownerChange = "NameOwnerChanged"
  /// The name of the bus itself.
  private static let bus = "org.freedesktop.DBus"

  /// The thread that runs this loop.
  let thread: DBusThread
  /// The unique name of the connection; empty while not connected.
  private(set) var uniqueName = ""

  private var link: BusLink?
  private var pending: [UInt32: PendingCall] = [:]
  private var inbox: [BusLink.Received] = []
  private var timers: [(instant: Double, job: () -> Void)] = []
  private var standing = StandingRequests()
  /// The unique names of the owners of tracked services.
  private var owners: [String: String] = [:]
  private var pause = firstPause
  private var nextAttempt = 0.0
  private var lastFailure: DBusError?
  private var isEnding = false

  init(_ thread: DBusThread) { self.thread = thread }

  /// Serves the connection until the thread is closed.
  func run() {
    while !thread.isClosed {
      runJobs()
      reconnect()
      turn()
      deliver()
      runTimers()
      if inbox.isEmpty && !thread.hasWork { wait(until: nextInstant) }
    }
    // Late jobs still have waiting callers, but must not connect again.
    isEnding = true
    runJobs()
    lose(failing: .disconnected)
    standing = StandingRequests()
  }

  private func runJobs() {
    for job in thread.removeJobs() { job(self) }
  }

  /// Runs a job on the thread after a delay; called on the thread.
  func runLater(_ seconds: Double, _ job: @escaping () -> Void) {
    timers.append((BusClock.seconds + seconds, job))
  }

  private func runTimers() {
    let now = BusClock.seconds
    let due = timers.filter { $0.instant <= now }
    guard !due.isEmpty else { return }
    timers.removeAll { $0.instant <= now }
    for timer in due.sorted(by: { $0.instant < $1.instant }) { timer.job() }
  }

  private var nextInstant: Double {
    var next = BusClock.seconds + 3600
    for timer in timers { next = min(next, timer.instant) }
    for call in pending.values { next = min(next, call.deadline) }
    if link == nil, !standing.isEmpty { next = min(next, nextAttempt) }
    return next
  }

  /// Waits for the socket, a job or an instant.
  private func wait(until instant: Double) {
    thread.waker.wait(
      descriptor: link?.descriptor ?? -1, isWriting: link?.isWriting ?? false,
      seconds: instant - BusClock.seconds)
  }

  /// Reads messages: delivers answers to their calls, moves the rest to the inbox, and ends overdue
  /// calls.
  private func turn() {
    if let link {
      let isAlive = link.turn()
      while let received = link.receive() { sort(received) }
      if !isAlive { lose(failing: .disconnected) }
    }
    expire()
  }

  /// Connects if there are subscriptions or exported objects and the pause has passed.
  private func reconnect() {
    guard link == nil, !standing.isEmpty, BusClock.seconds >= nextAttempt else { return }
    do throws(DBusError) {
      try connect()
    } catch {
      lastFailure = error
    }
  }

  /// Connects now, unless an attempt has just failed.
  private func connectIfNeeded() throws(DBusError) {
    guard !isEnding else { throw DBusError(.disconnected, bus: thread.address.name) }
    guard link == nil else { return }
    let sinceFailure = BusClock.seconds - (nextAttempt - pause)
    if let lastFailure, sinceFailure < Self.firstPause / 2 { throw lastFailure }
    do throws(DBusError) {
      try connect()
    } catch {
      lastFailure = error
      throw error
    }
  }

  private func connect() throws(DBusError) {
    pause = min(pause * 2, Self.longestPause)
    nextAttempt = BusClock.seconds + pause
    let fresh = try BusLink(thread.address)
    link = fresh
    let hello = callHere(
      .bus("Hello"), deadline: BusClock.seconds + Self.busTimeout, isConnecting: true)
    guard case .success(let values) = hello, let name = values.first?.text else {
      lose(failing: .disconnected)
      guard case .failure(let error) = hello, error.kind != .disconnected else {
        // The bus closes the connection of a rejected user.
        throw DBusError(.accessDenied("the bus closes the connection"), bus: thread.address.name)
      }
      throw error
    }
    uniqueName = name
    pause = Self.firstPause
    lastFailure = nil
    restore()
  }

  /// Drops the connection, and ends all pending calls with an error.
  private func lose(failing kind: DBusError.Kind) {
    guard link != nil || !pending.isEmpty else { return }
    inbox = []
    link = nil
    uniqueName = ""
    let failed = pending
    pending = [:]
    for call in failed.values {
      call.finish(
        .failure(
          DBusError(kind, bus: thread.address.name, service: call.service, method: call.method)))
    }
    nextAttempt = BusClock.seconds + pause
    forgetOwners()
  }

  // MARK: Calls

  /// Sends a call and connects first if needed; `finish` runs on the thread, exactly once.
  func begin(
    _ call: DBusCall, deadline: Double, isConnecting: Bool = false,
    finish: @escaping (Result<[DBusValue], DBusError>) -> Void
  ) -> UInt32? {
    let method = call.interface + "." + call.method
    if !isConnecting {
      do throws(DBusError) {
        try connectIfNeeded()
      } catch {
        finish(
          .failure(
            DBusError(error.kind, bus: thread.address.name, service: call.service, method: method)))
        return nil
      }
    }
    guard let link else {
      finish(
        .failure(
          DBusError(.disconnected, bus: thread.address.name, service: call.service, method: method))
      )
      return nil
    }
    do throws(DBusWire.Fault) {
      let serial = try link.send(call)
      pending[serial] = PendingCall(
        deadline: deadline, timeout: deadline - BusClock.seconds, service: call.service,
        method: method, finish: finish)
      return serial
    } catch {
      finish(
        .failure(
          DBusError(
            .invalidMessage(error.what), bus: thread.address.name, service: call.service,
            method: method)))
      return nil
    }
  }

  /// Sends a call and runs `turn` until its answer arrives; other messages stay in the inbox.
  func callHere(
    _ call: DBusCall, deadline: Double, isConnecting: Bool = false
  ) -> Result<[DBusValue], DBusError> {
    var answer: Result<[DBusValue], DBusError>?
    _ = begin(call, deadline: deadline, isConnecting: isConnecting) { answer = $0 }
    while answer == nil, link != nil {
      turn()
      if answer == nil { wait(until: deadline) }
    }
    return answer
      ?? .failure(
        DBusError(
          .disconnected, bus: thread.address.name, service: call.service,
          method: call.interface + "." + call.method))
  }

  /// Delivers an answer to its pending call; appends other messages to the inbox.
  private func sort(_ received: BusLink.Received) {
    let serial: UInt32
    switch received.kind {
    case .call:
      inbox.append(received)
      return
    case .signal:
      if mayDeliver(received) { inbox.append(received) }
      return
    case .reply(let number), .fault(let number, _): serial = number
    }
    // No pending call: the answer arrived after the timeout.
    guard let call = pending.removeValue(forKey: serial) else { return }
    let kind: DBusError.Kind
    switch (received.kind, received.values) {
    case (.fault(_, let name), let values):
      var message = ""
      if case .success(let texts) = values { message = texts.first?.text ?? "" }
      kind = DBusError.kind(named: name, message: message)
    case (_, .success(let values)):
      call.finish(.success(values))
      return
    case (_, .failure(let fault)): kind = .unexpectedAnswer(fault.what)
    }
    call.finish(
      .failure(
        DBusError(kind, bus: thread.address.name, service: call.service, method: call.method)))
  }

  /// Whether a signal may have a subscriber. Any process may send signals directly to this
  /// connection: they must not wait in the inbox with those of the tracked services, whose owners
  /// change by signals of the bus.
  private func mayDeliver(_ signal: BusLink.Received) -> Bool {
    signal.sender == Self.bus || owners.values.contains(signal.sender)
      || inbox.contains { $0.sender == Self.bus }
  }

  /// Ends the calls whose deadline has passed.
  private func expire() {
    let now = BusClock.seconds
    for (serial, call) in pending where call.deadline <= now {
      pending[serial] = nil
      let seconds = (call.timeout * 10).rounded() / 10
      call.finish(
        .failure(
          DBusError(
            .timedOut(seconds: seconds), bus: thread.address.name, service: call.service,
            method: call.method)))
    }
  }

  /// Sends a signal and connects first if needed.
  func send(_ signal: DBusSignal) throws(DBusError) {
    try connectIfNeeded()
    do throws(DBusWire.Fault) {
      try link?.send(signal)
    } catch {
      throw DBusError(.invalidMessage(error.what), bus: thread.address.name)
    }
  }

  // MARK: Subscriptions, objects and names

  private static func ownerMatch(_ service: String) -> DBusMatch {
    DBusMatch(
      service: bus, interface: bus, name: ownerChange,
      firstArgument: service)
  }

  /// Sends a request to the bus without waiting for its answer.
  private func request(_ method: String, _ arguments: [DBusValue]) {
    guard link != nil else { return }
    _ = begin(
      .bus(method, arguments), deadline: BusClock.seconds + Self.busTimeout, isConnecting: true
    ) { _ in }
  }

  /// Requests everything again on a new connection.
  private func restore() {
    for name in standing.names { request("RequestName", [.string(name), .uint32(0)]) }
    for service in standing.services { follow(service) }
    for subscription in standing.subscriptions.values {
      request("AddMatch", [.string(subscription.match.rule)])
    }
  }

  /// Tracks the owner of a service. The rule is sent before the query, so that no change is missed.
  private func follow(_ service: String) {
    guard service != Self.bus, link != nil else { return }
    request("AddMatch", [.string(Self.ownerMatch(service).rule)])
    let deadline = BusClock.seconds + Self.busTimeout
    _ = begin(
      .bus("GetNameOwner", [.string(service)]), deadline: deadline, isConnecting: true
    ) { [self] answer in
      if case .success(let values) = answer {
        setOwner(of: service, to: values.first?.text)
      } else if owners[service] == nil {
        // No owner yet: notify the watchers once.
        notifyWatchers(of: service)
      }
    }
  }

  private func setOwner(of service: String, to owner: String?) {
    guard owners[service] != owner else { return }
    owners[service] = owner
    notifyWatchers(of: service)
  }

  private func notifyWatchers(of service: String) {
    for watch in standing.watches.values where watch.service == service {
      watch.body(owners[service])
    }
  }

  private func forgetOwners() {
    for service in Array(owners.keys) { setOwner(of: service, to: nil) }
  }

  func add(_ key: Int, _ match: DBusMatch, _ body: @escaping (DBusSignal) -> Void) {
    let isFollowed = standing.services.contains(match.service)
    standing.subscriptions[key] = (match, body)
    guard link != nil else { return }
    if !isFollowed { follow(match.service) }
    request("AddMatch", [.string(match.rule)])
  }

  func removeSubscription(_ key: Int) {
    guard let gone = standing.subscriptions.removeValue(forKey: key) else { return }
    // The bus counts rules: the second of two equal ones stays.
    request("RemoveMatch", [.string(gone.match.rule)])
    unfollow(gone.match.service)
  }

  func add(_ key: Int, watching service: String, _ body: @escaping (String?) -> Void) {
    let isFollowed = standing.services.contains(service)
    standing.watches[key] = (service, body)
    guard link != nil else { return }
    if isFollowed { body(owners[service]) } else { follow(service) }
  }

  func removeWatch(_ key: Int) {
    guard let gone = standing.watches.removeValue(forKey: key) else { return }
    unfollow(gone.service)
  }

  private func unfollow(_ service: String) {
    guard !standing.services.contains(service), service != Self.bus else { return }
    request("RemoveMatch", [.string(Self.ownerMatch(service).rule)])
    owners[service] = nil
  }

  func add(
    _ key: Int, object path: String, _ answer: @escaping (DBusIncomingCall) -> DBusAnswer
  ) {
    standing.objects[path] = (key, answer)
  }

  /// Requests a name again after each reconnection.
  func add(name: String) { standing.names.insert(name) }

  func removeObject(_ path: String, _ key: Int) {
    if standing.objects[path]?.key == key { standing.objects[path] = nil }
  }

  /// Delivers the messages in the inbox.
  private func deliver() {
    while !inbox.isEmpty {
      let received = inbox.removeFirst()
      switch received.kind {
      case .signal: deliver(signal: received)
      case .call: deliver(call: received)
      case .reply, .fault: break
      }
    }
  }

  private func deliver(signal received: BusLink.Received) {
    // A signal beyond the limits is dropped: no call waits for it.
    guard case .success(let arguments) = received.values else { return }
    var signal = DBusSignal(received.path, received.interface, received.member, arguments)
    signal.sender = received.sender
    let isFromBus = received.sender == Self.bus
    if isFromBus, signal.name == Self.ownerChange, arguments.count == 3,
      let service = arguments[0].text, standing.services.contains(service)
    {
      let owner = arguments[2].text ?? ""
      setOwner(of: service, to: owner.isEmpty ? nil : owner)
    }
    for subscription in standing.subscriptions.values where subscription.match.accepts(signal) {
      // Any process may send a signal directly to this connection, so the sender is checked here.
      let service = subscription.match.service
      let isGenuine = owners[service] == signal.sender || (isFromBus && service == signal.sender)
      if isGenuine { subscription.body(signal) }
    }
  }

  private func deliver(call received: BusLink.Received) {
    let incoming: DBusAnswer
    if case .success(let arguments) = received.values {
      let call = DBusIncomingCall(
        sender: received.sender, path: received.path, interface: received.interface,
        method: received.member, arguments: arguments)
      incoming = answer(to: call)
    } else {
      incoming = .fault(
        name: "org.freedesktop.DBus.Error.LimitsExceeded", message: "too many values")
    }
    guard received.wantsReply, let link else { return }
    do throws(DBusWire.Fault) {
      try link.answer(received, with: incoming)
    } catch {
      // The answer cannot be encoded: the call times out at the caller.
    }
  }

  private func answer(to call: DBusIncomingCall) -> DBusAnswer {
    if call.interface == "org.freedesktop.DBus.Peer", call.method == "Ping" { return .values([]) }
    if let object = standing.objects[call.path] { return object.answer(call) }
    let nodes = DBusIntrospection.children(of: call.path, among: standing.objects.keys)
    if DBusIntrospection.isRequested(by: call), !nodes.isEmpty {
      return .values([.string(DBusIntrospection.text([], nodes: nodes))])
    }
    return .fault(
      name: "org.freedesktop.DBus.Error.UnknownObject", message: "there is no object \(call.path)")
  }
}

/// A call that waits for its answer.
private struct PendingCall {
  var deadline: Double
  var timeout: Double
  var service: String
  var method: String
  var finish: (Result<[DBusValue], DBusError>) -> Void
}

/// The state that outlives a connection: requested again after each reconnection.
private struct StandingRequests {
  var subscriptions: [Int: (match: DBusMatch, body: (DBusSignal) -> Void)] = [:]
  var watches: [Int: (service: String, body: (String?) -> Void)] = [:]
  var objects: [String: (key: Int, answer: (DBusIncomingCall) -> DBusAnswer)] = [:]
  var names: Set<String> = []

  var isEmpty: Bool {
    subscriptions.isEmpty && watches.isEmpty && objects.isEmpty && names.isEmpty
  }

  /// The services whose owners are tracked.
  var services: Set<String> {
    Set(subscriptions.values.map(\.match.service)).union(watches.values.map(\.service))
  }
}
