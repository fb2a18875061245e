package import Engine
internal import Monitoring
package import Quantities

/// What one manager has started, and what waits for its delegate.
///
/// Estimates come in on the source's thread, are judged there, and leave letters; the manager's own
/// place is then called to read them out. Nothing is delivered from inside a call of the program.
/// The services stand in extensions, one file each.
package final class ManagerSession: ServiceUser, @unchecked Sendable {
  let services: LocationServices
  /// The calibration, as the program drives it.
  let headingCalibration: CLHeadingCalibration
  let context: DeliveryContext
  let state: Locked<SessionState>
  /// The location that was delivered before the one that is being delivered; only where the delegate is
  /// called.
  var previousLocation: CLLocation?

  init(services: LocationServices, context: DeliveryContext) {
    self.services = services
    headingCalibration = CLHeadingCalibration(services: services)
    self.context = context
    var state = SessionState()
    state.withholdsHeadings = services.authority.withholdsHeadings
    state.resumesAutomatically = services.authority.resumesAutomatically
    self.state = Locked(state)
  }

  /// Takes the manager that letters are delivered for; it is not kept alive.
  func belong(to manager: CLLocationManager) { state.withLock { $0.manager = manager } }

  var delegate: (any CLLocationManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let (isFirst, isNew, wantsChanges) = state.withLock { state in
        let isNew = newValue != nil && state.delegate == nil
        state.delegate = newValue
        if isNew { state.mailbox.dropMonitoring() }
        defer { state.isAnnounced = state.isAnnounced || newValue != nil }
        return (newValue != nil && !state.isAnnounced, isNew, state.wantsSignificantChanges)
      }
      if isFirst { services.announce(to: self) }
      guard isNew else { return }
      // What an earlier run of the program asked for may have something to tell, and what nobody heard is
      // told again.
      services.listen(self)
      if wantsChanges { services.joinSignificantChanges(self) }
    }
  }

  /// True while a service wants estimates.
  package var isActive: Bool { state.withLock(\.isActive) }

  /// What its updates need; headings alone need a place now and then, for true north.
  package var receiverDemand: ReceiverDemand {
    state.withLock { state in
      let byHeading: ReceiverDemand = state.heading.isUpdating ? .every(seconds: 300) : .none
      let isWaiting = state.isPaused && state.resumesAutomatically
      let byPause: ReceiverDemand = isWaiting ? .every(seconds: 30) : .none
      return .most(.most(state.location.receiverDemand, byHeading), byPause)
    }
  }

  /// The manager is gone.
  func close() {
    state.withLock { state in
      state.location.stop()
      state.heading.stop()
      state.dropAlarms()
    }
    // Outside the lock: their ends come back for other ones.
    for watch in state.withLock({ $0.takeWatches() }) { watch.cancel() }
    dismissCalibration()
    services.forget(self)
  }

  // MARK: From the services

  package func authorizationIsKnown(_ status: CLAuthorizationStatus) {
    let accuracy = services.authority.accuracy
    post { state in
      guard state.reportedAccess?.status != status || state.reportedAccess?.accuracy != accuracy
      else { return }
      state.reportedAccess = (status, accuracy)
      state.mailbox.post(.authorization)
    }
  }

  package func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {
    let now = services.clock.now()
    post { state in
      if let first = state.location.sourceReady(known: known, at: now) {
        state.mailbox.post(.locations([first]))
      }
      if !hasReceiver { state.tell(state.location.receiverIsMissing()) }
    }
    if let latest { receive(latest, fix: nil, at: now) }
    detachIfIdle()
  }

  package func sourceFailed(_ error: CLError) {
    post { state in
      state.endDeferral()
      state.location.stop()
      state.heading.stop()
      state.dropAlarms()
      state.mailbox.post(.failure(error))
    }
    holdLeaseIfWanted()
  }

  package func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
    let (wasActive, wasUpdating, wasDisplayed) = state.withLock {
      ($0.isActive, $0.location.isUpdating, $0.question.isDisplayed)
    }
    let isOfArea = services.authority.accuracy == .reducedAccuracy
    post { state in
      if let fix { state.take(fix, at: now, isOfArea: isOfArea) }
      state.take(isOfArea ? estimate.coarsened : estimate, at: now)
    }
    if wasUpdating != location.isUpdating { updatesHaveChanged() }
    if wasDisplayed, !isCalibrationDisplayed { services.endCalibrationDisplay(of: self) }
    if wasActive { detachIfIdle() }
  }

  func detachIfIdle() {
    if !isActive { services.detach(self) }
  }

  // MARK: Delivery

  /// Changes the state and, where letters wait then, calls the manager's place once.
  func post(_ change: (inout SessionState) -> Void) {
    let calls = state.withLock { state in
      change(&state)
      guard !state.isCalled, state.letterCount > 0 else { return false }
      state.isCalled = true
      return true
    }
    if calls { context.call { [weak self] in self?.readOut() } }
  }

  private func readOut() {
    // Only what waits now: a delegate slower than the source must not keep its queue for itself.
    let count = state.withLock { state in
      state.isCalled = false
      return state.letterCount
    }
    for _ in 0..<count {
      // One at a time, so that a stop inside a delegate call takes effect at once. The references
      // leave the lock before they can be the last ones.
      let (letter, manager, delegate) = state.withLock { state in
        (state.nextLetter(), state.manager, state.delegate)
      }
      guard let letter, let manager else { return }
      deliver(letter, of: manager, to: delegate)
    }
  }
}
