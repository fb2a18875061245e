import Quantities
import Recording
import ServiceProtocol

/// What comes, on the connection's thread.
extension ClientCore {
  func hello(line _: Void) -> [UInt8] { ClientMessage.hello(hello).line + [UInt8(ascii: "\n")] }

  /// All that waits to be said, as one piece.
  func nextBatch() -> [UInt8] {
    withState { state in
      defer { state.outbox = [] }
      return state.outbox.reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] }
    }
  }

  func take(_ message: DaemonMessage) {
    switch message {
    case .welcome(let welcome): take(welcome)
    case .estimate(let estimate):
      withState { state in
        state.latest = estimate
        if estimate.position != nil { state.lastFix = estimate }
      }
      estimates.tell(estimate)
    case .samples(let samples): rows.tell(SensorRow(samples))
    case .source(let source):
      withState { $0.source = source }
      sources.tell(source)
    case .calibration(let report):
      withState { $0.calibration = report }
      calibrations.tell(())
    case .access(let access):
      withState { state in
        let isGrantedNow = !state.access.authorization.isGranted && access.authorization.isGranted
        state.access = access
        if isGrantedNow { state.outbox += state.monitoring.again(isGranted: true).map(\.line) }
      }
      accesses.tell(())
    case .event(let event):
      let isNew = withState { state in
        if state.monitoring.take(event) { return true }
        let id = state.takeID()
        if let again = state.monitoring.acknowledgeAgain(event.sequence, id: id) {
          state.outbox.append(again.line)
        }
        return false
      }
      if isNew { handEventsOver() }
    case .journal(let number): withState { $0.monitoring.journalIs(number) }
    case .notice(let text): notices.tell(text)
    case .done(let id, let fault): answer(id, message, fault)
    case .registrations(let id, let registrations):
      let lines = withState { $0.monitoring.take(registrations, id: id) }
      if let lines {
        withState { state in state.outbox += lines.map(\.line) }
      } else {
        answer(id, message, nil)
      }
    case .goodbye(let reason): notices.tell("the daemon ends: \(reason)")
    case .refused, .unknown: break
    }
  }

  /// Hands over what waits, in order, on the delivery's own queue.
  func handEventsOver() {
    delivery.run { [self] in withState { $0.monitoring.takeNew() } }
  }

  private func answer(_ id: UInt64, _ message: DaemonMessage, _ fault: ServiceFault?) {
    let (completion, isTold, isMonitoring) = withState { state in
      (
        state.requests.removeValue(forKey: id), state.monitoring.isTold(id),
        state.monitoring.confirm(id, fault)
      )
    }
    if isMonitoring, !isTold, let fault { notices.tell("monitoring: \(fault)") }
    completion?(fault.map { .failure(.refused($0)) } ?? .success(message))
  }

  private func take(_ welcome: DaemonWelcome) {
    let (isBack, hasNewSource, hasNewAccess) = withState { state in
      let isBack = state.hasBeenWelcome
      let changes = (isBack, state.source != welcome.source, state.access != welcome.access)
      (state.isWelcome, state.hasBeenWelcome, state.fault) = (true, true, nil)
      (state.source, state.access) = (welcome.source, welcome.access)
      state.calibration = welcome.calibration
      state.lastFix = welcome.lastFix ?? state.lastFix
      state.outbox = state.resumption()
      return changes
    }
    signal()
    // The first answer is what the program waited for: it asks what it wants to know.
    guard isBack else { return }
    connections.tell(nil)
    if hasNewSource { sources.tell(welcome.source) }
    if hasNewAccess { accesses.tell(()) }
    calibrations.tell(())
  }
}

extension SensorRow {
  fileprivate init(_ samples: ServedSamples) {
    self.init(timestamp: samples.timestamp)
    (inertial, field, pressure) = (samples.inertial, samples.field, samples.pressure)
  }
}
