import Dispatch
import Formats
import LinuxIO
import Quantities

/// The model of the Signal K server, and its clients. Estimates are requested only while a client
/// subscribes, a request waits, or datagrams are configured.
final class SignalKHub: Sendable {
  /// The least interval of two estimates that are looked at, seconds.
  private static let interval = 0.05
  /// The interval of looks at periods and validity, seconds.
  private static let look = 0.1
  /// Limit of a datagram, bytes: a frame of Ethernet without fragments.
  private static let mostInDatagram = 1400
  /// How long a request waits for a value, the interval of its looks, and the time in which a
  /// barometer and satellites follow the first estimate, seconds.
  private static let (timeout, retry, settling) = (2.5, 0.05, 0.2)
  /// Time after the last request in which values are still received, seconds: a client that polls
  /// needs them again.
  private static let release = 5.0
  /// The context of datagrams: their receiver's own vessel.
  private static let ownContext = "vessels.self"

  /// One open stream.
  private struct Client {
    var subscriptions = SignalKSubscriptions()
    /// The values whose meta has not been sent; nil where the client has not requested it.
    var undescribed: Set<SignalKPath>?
  }

  private struct State {
    var model = SignalKModel()
    var clients: [Int: Client] = [:]
    var datagrams = SignalKSubscriptions()
    var notes: RepeatedNotes
    var feed: HostFeed?
    /// The requests that wait for a value, and the end of the last one.
    var waiting = 0
    var lastWait: Timestamp?
    /// The first estimate since estimates were requested.
    var firstArrival: Timestamp?
    var isNeeded = false
    /// True while the queue has not looked at a change of the needs.
    var isChanged = false
    /// True while looks are scheduled.
    var isLooking = false
    var isOver = false
  }

  /// What has arrived and is not in the model yet. The host's threads wait for nothing else.
  private struct Inbox {
    var estimate: Estimate?
    var hectopascal: Double?
    var hasNewAccess = false
    var lastEstimate: Timestamp?
    var lastPressure: Timestamp?

    var isEmpty: Bool { estimate == nil && hectopascal == nil && !hasNewAccess }
  }

  let vessel: SignalKVessel
  /// The open streams.
  let sockets = WebSockets()
  private let datagrams: DatagramSocket?
  private let context: ServerContext
  private let state: Locked<State>
  private let inbox = Locked(Inbox())
  private let queue = DispatchQueue(label: "lodestar-signalk")

  init(_ vessel: SignalKVessel, _ datagrams: DatagramSocket?, _ context: ServerContext) {
    (self.vessel, self.datagrams, self.context) = (vessel, datagrams, context)
    var state = State(notes: RepeatedNotes(log: context.log))
    if datagrams != nil { _ = state.datagrams.add(.all) }
    self.state = Locked(state)
  }

  /// Starts to serve.
  func start() {
    let feed = HostFeed(SignalKServer.name, context) { [weak self] in self?.receive($0) }
    state.withLock { $0.feed = feed }
    queue.async { [weak self] in self?.requestNeeds() }
    sockets.receive { [weak self] in self?.receive($1, of: $0) }
  }

  func stop() {
    let feed = state.withLock { state in
      defer { (state.feed, state.isOver) = (nil, true) }
      return state.feed
    }
    feed?.stop()
  }

  // MARK: Updates of the host, on its threads

  private func receive(_ update: HostUpdate) {
    let now = MonotonicClock.now
    let isFirst = inbox.withLock { inbox in
      let wasEmpty = inbox.isEmpty
      switch update {
      case .estimate(let estimate):
        if inbox.lastEstimate.isDue(at: now, every: Self.interval) { inbox.estimate = estimate }
      case .samples(let samples):
        if let pressure = samples.pressure, inbox.lastPressure.isDue(at: now, every: 1) {
          inbox.hectopascal = pressure.hectopascal
        }
      case .access:
        // What an earlier access gave is not taken any more.
        (inbox.estimate, inbox.hectopascal, inbox.hasNewAccess) = (nil, nil, true)
      case .receiver, .source, .fix: break
      }
      return wasEmpty && !inbox.isEmpty
    }
    if isFirst { queue.async { [weak self] in self?.applyInbox() } }
  }

  // MARK: The queue

  private func applyInbox() {
    let new = inbox.withLock { inbox in
      defer { (inbox.estimate, inbox.hectopascal, inbox.hasNewAccess) = (nil, nil, false) }
      return inbox
    }
    let feed = state.withLock { $0.feed }
    let (sky, receiver) = (feed?.sky, feed?.receiverCondition)
    let now = MonotonicClock.now
    state.withLock { state in
      if new.hasNewAccess { state.model.invalidate(at: now) }
      if let hectopascal = new.hectopascal { state.model.update(pressure: hectopascal, at: now) }
      guard let estimate = new.estimate else { return }
      state.model.update(estimate, sky: sky, at: now)
      state.model.update(receiver, at: now)
      if state.firstArrival == nil { state.firstArrival = now }
    }
    deliver(at: now)
  }

  /// Sends what is due.
  private func deliver(at now: Timestamp) {
    state.withLock { state in
      var messages: [Message: [UInt8]] = [:]
      for (number, client) in state.clients where !client.subscriptions.isEmpty {
        guard let due = state.clients[number]?.subscriptions.due(state.model, at: now), !due.isEmpty
        else { continue }
        let key = Message(paths: due, described: client.undescribed?.intersection(due) ?? [])
        state.clients[number]?.undescribed?.subtract(due)
        let text =
          messages[key]
          ?? SignalKDelta.message(
            due, of: state.model, context: vessel.context, describing: key.described)
        guard let text else { continue }
        messages[key] = text
        sockets.send(text, to: number)
      }
    }
    if let datagrams { send(by: datagrams, at: now) }
  }

  /// What determines a message, which is encoded once for all clients.
  private struct Message: Hashable {
    var paths: [SignalKPath]
    var described: Set<SignalKPath>
  }

  private func send(by datagrams: DatagramSocket, at now: Timestamp) {
    let messages = state.withLock { state in
      SignalKDelta.messages(
        state.datagrams.due(state.model, at: now), of: state.model, context: Self.ownContext,
        atMost: Self.mostInDatagram)
    }
    do throws(NetworkError) {
      for message in messages { try datagrams.send(message[...]) }
    } catch {
      state.withLock { $0.notes.add("\(SignalKServer.name): signalk-udp: \(error)") }
    }
  }

  /// Requests of the host what is needed now.
  private func requestNeeds() {
    let now = MonotonicClock.now
    let (feed, isNeeded, startsLooking) = state.withLock { state in
      let isNeeded =
        !state.isOver
        && (datagrams != nil || state.waiting > 0
          || state.lastWait.map { now.seconds(since: $0) < Self.release } ?? false
          || state.clients.values.contains { !$0.subscriptions.isEmpty })
      let begins = isNeeded && !state.isNeeded
      (state.isNeeded, state.isChanged) = (isNeeded, false)
      if begins {
        state.firstArrival = nil
        state.model.forgetStale(at: now)
      }
      defer { state.isLooking = state.isLooking || isNeeded }
      return (state.feed, isNeeded, isNeeded && !state.isLooking)
    }
    feed?.request(isNeeded ? [.estimates, .receiver, .samples] : [])
    if startsLooking { schedule() }
  }

  /// Checks periods, validity and needs while values are needed.
  private func schedule() {
    queue.asyncAfter(deadline: .now() + Self.look) { [weak self] in
      guard let self else { return }
      requestNeeds()
      let now = MonotonicClock.now
      let receiver = state.withLock { $0.feed }?.receiverCondition
      let isNeeded = state.withLock { state in
        state.model.expire(at: now)
        // Also while no estimates come.
        if state.isNeeded { state.model.update(receiver, at: now) }
        state.isLooking = state.isNeeded
        return state.isNeeded
      }
      guard isNeeded else { return }
      deliver(at: now)
      schedule()
    }
  }

  // MARK: Requests

  /// Calls `done` with the model with present values, on the queue; waits for an estimate at most
  /// 2.5 s.
  func awaitModel(_ done: @escaping @Sendable (SignalKModel) -> Void) {
    change { $0.waiting += 1 }
    let deadline = MonotonicClock.now.advanced(bySeconds: Self.timeout)
    queue.async { [self] in poll(until: deadline, done) }
  }

  private func poll(
    until deadline: Timestamp, _ done: @escaping @Sendable (SignalKModel) -> Void
  ) {
    let now = MonotonicClock.now
    let (model, isCurrent) = state.withLock { state in
      let isCurrent = state.firstArrival.map { now.seconds(since: $0) >= Self.settling } ?? false
      return (state.model, isCurrent && state.isNeeded)
    }
    guard isCurrent || now >= deadline else {
      return queue.asyncAfter(deadline: .now() + Self.retry) { [self] in poll(until: deadline, done)
      }
    }
    change { state in
      state.waiting -= 1
      state.lastWait = now
    }
    done(model)
  }

  private func change(_ body: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      body(&state)
      defer { state.isChanged = true }
      return !state.isChanged
    }
    if isFirst { queue.async { [weak self] in self?.requestNeeds() } }
  }

  // MARK: Streams, on the port's thread

  private func receive(_ event: WebSocketEvent, of number: Int) {
    switch event {
    case .opened(let query):
      sockets.send(hello, to: number)
      var client = Client()
      if query["subscribe"] != "none" { _ = client.subscriptions.add(.all) }
      if query["sendMeta"] == "all" { client.undescribed = Set(SignalKPath.allCases) }
      change { [client] in $0.clients[number] = client }
    case .closed: change { $0.clients[number] = nil }
    case .sign: break
    case .text(let text): receive(text, from: number)
    }
  }

  /// The first message of a stream.
  private var hello: [UInt8] {
    let now = MonotonicClock.now
    let known = state.withLock { $0.model.utc(at: now) }
    return vessel.hello(
      at: known ?? (SystemClock.errorSeconds == nil ? nil : SystemClock.reading.utc))
  }

  private func receive(_ text: [UInt8], from number: Int) {
    guard let request = SignalKRequest(text) else {
      return answer(number, nil, 400, "the message is no JSON object")
    }
    if request.isOther {
      answer(
        number, request.identifier, 405, "no value can be changed, and no login is needed here")
    }
    if request.isOfOtherFormat {
      answer(number, request.identifier, 501, "the only format of subscriptions is delta")
    }
    let isOwn = [Self.ownContext, vessel.context].contains {
      SignalKSubscription.matches($0, request.context)
    }
    // There is no other vessel.
    guard isOwn, !request.ended.isEmpty || !request.subscriptions.isEmpty else { return }
    var isBeyond = false
    change { state in
      for pattern in request.ended { state.clients[number]?.subscriptions.end(pattern) }
      for subscription in request.subscriptions {
        if state.clients[number]?.subscriptions.add(subscription) == false { isBeyond = true }
      }
    }
    if isBeyond {
      answer(
        number, request.identifier, 400,
        "more than \(SignalKSubscriptions.most) subscriptions; end some")
    }
  }

  private func answer(_ number: Int, _ request: String?, _ status: Int, _ message: String) {
    sockets.send(
      SignalKVessel.refusal(request: request, status: status, message), to: number)
  }
}
