import Board
import Dispatch
import HostProtocol
import LinuxIO
import Monitoring
package import Observers
import Quantities

/// The client's side of the protocol: the state that the program's threads and the connection
/// share.
package final class ClientCore: Sendable {
  let hello: ClientHello
  /// The daemon's socket, or "this process"; for messages.
  let place: String
  /// Wakes the socket's thread; nil without one.
  let wakener: Wakener?
  let sources = ObserverList<SourceDescription>()
  /// Notified when the source changes, also if only its troubles do.
  let troubles = ObserverList<SourceDescription>()
  let connections = ObserverList<HostError?>()
  let notices = ObserverList<String>()
  package let accesses = ObserverList<Void>()
  let calibrations = ObserverList<Void>()
  let estimates = ObserverList<Estimate>()
  let rows = ObserverList<SensorSamples>()
  let receiver = ObserverList<ReceiverOutput>()
  let events = EventDelivery()
  /// The demand while at least one observer of estimates is registered.
  let request = EstimateRequest()

  private let state = Waitable(ClientState())

  init(hello: ClientHello, place: String, wakener: Wakener?) {
    (self.hello, self.place, self.wakener) = (hello, place, wakener)
    // The demand is read at the time of sending, because two changes may be reported out of order.
    estimates.onChange { [weak self] in
      guard let self else { return }
      send { state in
        self.request.set(isObserved: !self.estimates.isEmpty)
        return self.request.change(&state)
      }
    }
    rows.onChange { [weak self] in
      guard let self else { return }
      send { state in
        let wants = !self.rows.isEmpty
        guard state.wantsSamples != wants else { return nil }
        state.wantsSamples = wants
        return .samples(wants)
      }
    }
    receiver.onChange { [weak self] in
      guard let self else { return }
      send { state in
        let wants = !self.receiver.isEmpty
        guard state.wantsReceiver != wants else { return nil }
        state.wantsReceiver = wants
        return .receiver(wants)
      }
    }
  }

  package func withState<Value>(_ body: (inout ClientState) -> Value) -> Value {
    state.withLock(body)
  }

  func stop() {
    let connection = withState { state in
      state.isStopped = true
      defer { state.connection = nil }
      return state.connection
    }
    connection?.close()
    wakener?.wake()
  }

  // MARK: Sending

  /// Changes the state and sends the resulting message, if the client is connected.
  func send(_ change: (inout ClientState) -> ClientMessage?) {
    withState { state in
      if let message = change(&state), state.isWelcome { state.outbox.append(message) }
    }
    flush()
  }

  /// Passes queued messages to the connection in this process, or wakes the socket's thread. If
  /// another thread is already sending, that thread sends this thread's messages too.
  func flush() {
    let (connection, isMine) = withState { state in
      guard state.connection != nil, state.sender == nil else { return (state.connection, false) }
      state.sender = WorkerThread.Identity.current
      return (state.connection, true)
    }
    guard let connection else {
      wakener?.wake()
      return
    }
    guard isMine else { return }
    while let message = nextMessage(of: connection) { connection.send(message) }
  }

  /// Waits until a host has answered a monitoring command, which it does once the command is
  /// stored. On the thread that passes messages to a host in this process it returns at once: that
  /// thread has to return first. After a timeout it returns at once too, until a host answers a
  /// command.
  /// - Returns: False after the timeout.
  func waitForAnswer(to id: UInt64, seconds: Double) -> Bool {
    let thread = WorkerThread.Identity.current
    let isAnswered = state.wait(atMost: seconds) { state in
      let mustWait = state.monitoring.isUnanswered(id) && !state.isStopped
      return mustWait && state.sender != thread && !state.isStorageSilent ? nil : true
    }
    if isAnswered == nil { withState { $0.isStorageSilent = true } }
    return isAnswered ?? false
  }

  private func nextMessage(of connection: any HostConnection) -> ClientMessage? {
    withState { state in
      // A new connection has a sender of its own.
      guard state.connection === connection else { return nil }
      guard !state.outbox.isEmpty else {
        state.sender = nil
        return nil
      }
      return state.outbox.removeFirst()
    }
  }

  /// All queued messages, encoded, in one buffer.
  func nextBatch() -> [UInt8] {
    let messages = withState { state in
      defer { state.outbox = [] }
      return state.outbox
    }
    return messages.reduce(into: []) { $0 += $1.line + [UInt8(ascii: "\n")] }
  }

  /// Sends a request and waits for the response.
  /// - Throws: `HostError` after the timeout, or if the request fails.
  func ask(
    seconds: Double, _ message: (UInt64) -> ClientMessage
  ) throws(HostError) -> HostMessage {
    let answer = PendingResponse()
    let id = try enqueue(message) { answer.set($0) }
    guard let result = answer.wait(seconds: seconds) else {
      withState { $0.requests[id] = nil }
      throw .noAnswer(path: place)
    }
    return try result.get()
  }

  /// Requests the host to open its source, and waits for the response. A host in this process opens
  /// it on the calling thread, so that opening a board does not delay other messages.
  func requestSource(seconds: Double) throws(HostError) -> HostMessage {
    guard let connection = withState({ $0.connection }) else {
      return try ask(seconds: seconds) { .look(id: $0) }
    }
    let answer = PendingResponse()
    let id = withState { state in
      let id = state.makeID()
      state.requests[id] = { answer.set($0) }
      return id
    }
    connection.send(.look(id: id))
    guard let result = answer.wait(seconds: 0) else { throw .gone(path: place) }
    return try result.get()
  }

  /// Sends a request; `completion` is called once, from any thread.
  @discardableResult
  func enqueue(
    _ message: (UInt64) -> ClientMessage,
    completion: @escaping @Sendable (Result<HostMessage, HostError>) -> Void
  ) throws(HostError) -> UInt64 {
    let id: UInt64? = withState { state in
      guard state.isWelcome else { return nil }
      let id = state.makeID()
      state.requests[id] = completion
      state.outbox.append(message(id))
      return id
    }
    guard let id else { throw withState { $0.fault } ?? .gone(path: place) }
    flush()
    return id
  }

  // MARK: Connections

  /// Connects to a host in this process.
  func attach(_ host: any InProcessHost) {
    let connection = host.connect { [weak self] in self?.receive($0) }
    // No other message is sent before `hello`.
    let isStopped = withState { state in
      if !state.isStopped {
        (state.connection, state.sender) = (connection, WorkerThread.Identity.current)
      }
      return state.isStopped
    }
    guard !isStopped else { return connection.close() }
    connection.send(.hello(hello))
    withState { $0.sender = nil }
    flush()
  }

  /// Closes the connection to a host in this process. Its registrations are registered with the
  /// next host.
  func detach() {
    // Pending events are received first; then the registrations are removed, so that two hosts do
    // not monitor the same ones.
    withState { state in
      if !state.wantsEvents { state.outbox.append(.listen(true)) }
      // The response comes after all earlier messages were processed.
      state.outbox.append(.monitor(id: state.makeID(), .acknowledge(sequence: .max)))
    }
    flush()
    if let old = registrations() {
      let stops = old.stops
      withState { state in
        for command in stops {
          state.outbox.append(.monitor(id: state.makeID(), command))
        }
      }
      flush()
      withState { $0.monitoring.adopt(old) }
    }
    let connection = withState { state in
      defer { (state.connection, state.sender) = (nil, nil) }
      return state.connection
    }
    connection?.close()
    lost(nil)
  }

  private func registrations() -> MonitoringRegistrations? {
    do throws(HostError) {
      let answer = try ask(seconds: 2) { .registrations(id: $0) }
      if case .registrations(_, let registrations) = answer { return registrations }
      return nil
    } catch {
      return nil
    }
  }

  /// Registers the known registrations with the next host, which is a different one.
  func adoptRegistrations() {
    withState { state in state.monitoring.adopt(state.monitoring.registrations) }
  }

  /// Fails all requests without a response and reports the lost connection.
  /// - Returns: True if the host had answered `hello` with `welcome`.
  @discardableResult
  func lost(_ fault: HostError?) -> Bool {
    let reason = fault ?? .gone(path: place)
    let (wasWelcome, isStopped, waiting) = withState { state in
      let waiting = Array(state.requests.values)
      defer {
        (state.isWelcome, state.fault) = (false, reason)
        (state.requests, state.outbox) = ([:], [])
      }
      return (state.isWelcome, state.isStopped, waiting)
    }
    for completion in waiting { completion(.failure(reason)) }
    if wasWelcome, !isStopped { connections.notify(reason) }
    return wasWelcome
  }

  /// Waits for the first `welcome`, or for the failure of the first attempt.
  func waitForWelcome(seconds: Double) throws(HostError) {
    let outcome = state.wait(atMost: seconds) { state -> Result<Void, HostError>? in
      state.isWelcome ? .success(()) : state.fault.map { .failure($0) }
    }
    guard let outcome else { throw .noAnswer(path: place) }
    try outcome.get()
  }

  // MARK: Receiving

  /// Processes a message of the host: on the connection's thread, or on any thread of a host in
  /// this process.
  func receive(_ message: HostMessage) {
    switch message {
    case .welcome(let welcome): receive(welcome)
    case .estimate(let estimate):
      withState { state in
        // An estimate from before the end of a demand must not become the first of the next one.
        if !state.demand.isEmpty { state.latest = estimate }
        if estimate.position != nil { state.lastFix = estimate }
      }
      estimates.notify(estimate)
    case .lastFix(let fix): withState { $0.lastFix = fix }
    case .samples(let samples): rows.notify(samples)
    case .receiver(let output): receiver.notify(output)
    case .source(let source): receive(source)
    case .looked(let id, let source):
      receive(source)
      answer(id, message, nil)
    case .calibration(let report):
      withState { $0.calibration = report }
      calibrations.notify(())
    case .access(let access): receive(access)
    case .event(let event):
      let isNew = withState { state in
        if state.monitoring.receive(event) { return true }
        let id = state.makeID()
        if let again = state.monitoring.acknowledgeAgain(event.sequence, id: id) {
          state.outbox.append(again)
        }
        return false
      }
      // Not on the delivering thread, because the host may wait for it.
      if isNew { deliverPendingEvents() } else { events.run(flush) }
    case .journal(let number): withState { $0.monitoring.journalIs(number) }
    case .notice(let text): notices.notify(text)
    case .done(let id, let fault): answer(id, message, fault)
    case .profiles(let id, _): answer(id, message, nil)
    case .registrations(let id, let registrations):
      if let commands = withState({ $0.monitoring.receive(registrations, id: id) }) {
        withState { $0.outbox += commands }
        flush()
      } else {
        answer(id, message, nil)
      }
    case .goodbye(let reason): notices.notify("the daemon ends: \(reason)")
    case .refused, .unknown: break
    }
  }

  private func receive(_ source: SourceDescription) {
    let old = withState { state in
      defer { state.source = source }
      return state.source
    }
    if old.withoutTroubles != source.withoutTroubles { sources.notify(source) }
    if old != source { troubles.notify(source) }
  }

  private func receive(_ access: GrantedAccess) {
    withState { state in
      let before = state.access
      state.access = access
      if !access.authorization.isGranted || access.accuracy != before.accuracy {
        // The program no longer has access to an earlier, more accurate position.
        (state.lastFix, state.latest) = (nil, nil)
      }
      let isGrantedNow = !before.authorization.isGranted && access.authorization.isGranted
      if isGrantedNow || before.authorization == .notDetermined {
        state.outbox += state.monitoring.again(isGranted: true)
      }
    }
    flush()
    accesses.notify(())
  }

  private func receive(_ welcome: HostWelcome) {
    let (isBack, hasNewSource, hasNewAccess) = withState { state in
      let isBack = state.hasBeenWelcome
      let changes = (isBack, state.source != welcome.source, state.access != welcome.access)
      (state.isWelcome, state.hasBeenWelcome, state.fault) = (true, true, nil)
      if state.access != welcome.access { state.latest = nil }
      (state.source, state.access) = (welcome.source, welcome.access)
      state.calibration = welcome.calibration
      state.lastFix = welcome.lastFix
      state.outbox = state.resumption()
      return changes
    }
    // The program waits for the first `welcome` and reads the state itself.
    guard isBack else { return }
    connections.notify(nil)
    if hasNewSource {
      sources.notify(welcome.source)
      troubles.notify(welcome.source)
    }
    if hasNewAccess { accesses.notify(()) }
    calibrations.notify(())
  }

  /// Delivers pending events in order, on the delivery queue.
  func deliverPendingEvents() {
    events.run { [self] in withState { $0.monitoring.deliverNew() } }
  }

  /// Waits until all received events are delivered, for tests.
  package func waitForEventDelivery() { events.waitUntilIdle() }

  private func answer(_ id: UInt64, _ message: HostMessage, _ fault: HostFault?) {
    let (completion, refusal, isReported, isMonitoring) = withState { state in
      let isReported = state.monitoring.isReported(id)
      let refusal = state.refusals[id]
      if fault?.code != .undecided { state.refusals[id] = nil }
      let keeps = refusal == nil || fault?.code == .undecided
      let isMonitoring = state.monitoring.confirm(id, fault, keepsDenied: keeps)
      if isMonitoring { state.isStorageSilent = false }
      return (state.requests.removeValue(forKey: id), refusal, isReported, isMonitoring)
    }
    if let fault, fault.isLasting, let refusal {
      refusal(fault)
    } else if isMonitoring, !isReported, let fault, fault.code != .undecided {
      notices.notify("monitoring: \(fault)")
    }
    completion?(fault.map { .failure(.refused($0)) } ?? .success(message))
    if isMonitoring, fault != nil { sendAgainLater() }
  }

  /// Sends the commands again that a host in this process has refused temporarily. Over a socket
  /// the connection's thread does this.
  private func sendAgainLater() {
    guard withState({ $0.connection != nil && $0.monitoring.hasRefused }) else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.retry) { [weak self] in
      guard let self else { return }
      withState { state in
        if state.connection != nil { state.outbox += state.monitoring.again() }
      }
      flush()
    }
  }

  /// Seconds until a temporarily refused command is sent again.
  private static let retry = 2.0
}

/// One response, passed from the receiving thread to the waiting one.
private final class PendingResponse: Sendable {
  private let result = Waitable<Result<HostMessage, HostError>?>(nil)

  func set(_ new: Result<HostMessage, HostError>) { result.withLock { $0 = new } }

  func wait(seconds: Double) -> Result<HostMessage, HostError>? {
    result.wait(atMost: seconds) { $0 }
  }
}
