internal import Engine
internal import Quantities

/// What one manager has started, and what waits for its delegate.
///
/// Estimates come in on the source's thread, are judged there, and leave letters; the manager's own
/// place is then called to read them out. Nothing is delivered from inside a call of the program.
package final class ManagerSession: @unchecked Sendable {
  let services: LocationServices
  /// The calibration, as the program drives it.
  let headingCalibration: CLHeadingCalibration
  private let context: DeliveryContext
  private let state: Locked<SessionState>
  /// The location that was delivered before the one that is being delivered.
  private(set) var previousLocation: CLLocation?

  init(services: LocationServices, context: DeliveryContext) {
    self.services = services
    headingCalibration = CLHeadingCalibration(services: services)
    self.context = context
    state = Locked(SessionState())
  }

  /// Takes the manager that letters are delivered for; it is not kept alive.
  func belong(to manager: CLLocationManager) { state.withLock { $0.manager = manager } }

  // MARK: Properties of the manager

  var delegate: (any CLLocationManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let isFirst = state.withLock { state in
        state.delegate = newValue
        defer { state.isAnnounced = state.isAnnounced || newValue != nil }
        return newValue != nil && !state.isAnnounced
      }
      if isFirst { services.announce(to: self) }
    }
  }
  var location: LocationDelivery { state.withLock { $0.location } }
  var heading: HeadingDelivery { state.withLock { $0.heading } }
  var reportedHeading: CLHeading? { state.withLock { $0.reportedHeading } }
  /// True while a service wants estimates.
  var isActive: Bool { state.withLock { $0.location.isActive || $0.heading.isUpdating } }
  /// True while the program has allowed the calibration display and not dismissed it.
  package var isCalibrationDisplayed: Bool { state.withLock { $0.question.isDisplayed } }

  func setDistanceFilter(_ metres: Double) {
    state.withLock { $0.location.distanceFilter = metres }
  }
  func setDesiredAccuracy(_ metres: Double) {
    state.withLock { $0.location.desiredAccuracy = metres }
  }
  func setHeadingFilter(_ degrees: Double) {
    state.withLock { $0.heading.filterDegrees = degrees }
  }
  func setOrientation(_ orientation: CLDeviceOrientation) {
    state.withLock { $0.heading.orientation = orientation }
  }
  func dismissCalibration() {
    state.withLock { $0.question.dismiss() }
    services.endCalibrationDisplay(of: self)
  }
  /// The session that was displayed has ended.
  func calibrationDisplayIsOver() { state.withLock { $0.question.dismiss() } }

  // MARK: Services

  func startUpdatingLocation() {
    let now = services.clock.now()
    guard state.withLock({ $0.location.start(at: now) }) else { return }
    services.attach(self)
    setUpdateAlarm(after: LocationDelivery.updatePatience)
  }

  func stopUpdatingLocation() {
    state.withLock { state in
      state.location.stop()
      state.mailbox.dropLocations()
      (state.requestAlarm, state.updateAlarm) = (nil, nil)
    }
    services.detach(self)
  }

  func requestLocation() {
    let now = services.clock.now()
    guard let deadline = state.withLock({ $0.location.beginRequest(at: now) }) else { return }
    services.attach(self)
    setRequestAlarm(after: deadline.timeIntervalSince(now))
  }

  func startUpdatingHeading() {
    guard state.withLock({ $0.heading.start() }) else { return }
    services.attach(self)
  }

  func stopUpdatingHeading() {
    state.withLock { $0.heading.stop() }
    dismissCalibration()
    services.detach(self)
  }

  func answer(_ completion: @escaping ((any Error)?) -> Void, _ error: CLError?) {
    post { $0.mailbox.post(.answer(completion, error)) }
  }

  /// The manager is gone.
  func close() {
    state.withLock { state in
      state.location.stop()
      state.heading.stop()
      (state.requestAlarm, state.updateAlarm) = (nil, nil)
    }
    dismissCalibration()
    services.forget(self)
  }

  // MARK: From the services

  func authorizationIsKnown(_ status: CLAuthorizationStatus) {
    post { state in
      guard state.reportedStatus != status else { return }
      state.reportedStatus = status
      state.mailbox.post(.authorization)
    }
  }

  func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {
    let now = services.clock.now()
    post { state in
      if let first = state.location.sourceReady(known: known, at: now) {
        state.mailbox.post(.locations([first]))
      }
      if !hasReceiver, state.location.receiverIsMissing() {
        state.mailbox.post(.failure(CLError(.locationUnknown)))
      }
    }
    if let latest { receive(latest, fix: nil, at: now) }
    detachIfIdle()
  }

  func sourceFailed(_ error: CLError) {
    post { state in
      state.location.stop()
      state.heading.stop()
      (state.requestAlarm, state.updateAlarm) = (nil, nil)
      state.mailbox.post(.failure(error))
    }
  }

  func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
    let (wasRequesting, wasDisplayed) = state.withLock {
      ($0.location.isRequesting, $0.question.isDisplayed)
    }
    post { state in
      if let fix, let due = state.location.receive(fix, at: now) {
        state.mailbox.post(.locations([due]))
      }
      guard state.heading.isUpdating else { return }
      if state.question.isDue(estimate.calibration) {
        state.mailbox.post(.calibrationQuestion)
      }
      let reception = state.heading.receive(
        estimate, givesTrueHeading: state.location.isUpdating, at: now)
      if reception == .failure {
        state.mailbox.post(.failure(CLError(.headingFailure)))
      }
    }
    if wasDisplayed, !isCalibrationDisplayed { services.endCalibrationDisplay(of: self) }
    if wasRequesting { detachIfIdle() }
  }

  private func detachIfIdle() {
    if !isActive { services.detach(self) }
  }

  // MARK: Deadlines

  private func setRequestAlarm(after seconds: TimeInterval) {
    let alarm = services.clock.alarm(after: seconds) { [weak self] in self?.requestIsDue() }
    state.withLock { $0.requestAlarm = alarm }
  }

  private func setUpdateAlarm(after seconds: TimeInterval) {
    let alarm = services.clock.alarm(after: seconds) { [weak self] in self?.updateIsDue() }
    state.withLock { $0.updateAlarm = alarm }
  }

  private func requestIsDue() {
    let now = services.clock.now()
    let outcome = state.withLock { $0.location.requestOutcome(at: now) }
    report(outcome, setRequestAlarm(after:), now)
    detachIfIdle()
  }

  private func updateIsDue() {
    let now = services.clock.now()
    let outcome = state.withLock { $0.location.updateOutcome(at: now) }
    report(outcome, setUpdateAlarm(after:), now)
    if outcome == .unknown { setUpdateAlarm(after: LocationDelivery.updatePatience) }
  }

  private func report(
    _ outcome: LocationDelivery.Outcome?, _ again: (TimeInterval) -> Void, _ now: Date
  ) {
    switch outcome {
    case nil: break
    case .wait(let deadline): again(deadline.timeIntervalSince(now))
    case .fix(let fix): post { $0.mailbox.post(.locations([fix])) }
    case .unknown: post { $0.mailbox.post(.failure(CLError(.locationUnknown))) }
    }
  }

  // MARK: Delivery

  /// Changes the state and, where letters wait then, calls the manager's place once.
  private func post(_ change: (inout SessionState) -> Void) {
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

  private func deliver(
    _ letter: Letter, of manager: CLLocationManager, to delegate: (any CLLocationManagerDelegate)?
  ) {
    switch letter {
    case .authorization:
      delegate?.locationManagerDidChangeAuthorization(manager)
    case .locations(let locations):
      delegate?.locationManager(manager, didUpdateLocations: locations)
      previousLocation = locations.last
    case .failure(let error):
      delegate?.locationManager(manager, didFailWithError: error)
    case .heading(let heading):
      delegate?.locationManager(manager, didUpdateHeading: heading)
    case .calibrationQuestion:
      let answer = delegate?.locationManagerShouldDisplayHeadingCalibration(manager) ?? false
      state.withLock { $0.question.answer(answer) }
      if answer { services.displayCalibration(for: self) }
    case .answer(let completion, let error):
      completion(error)
    }
  }
}
