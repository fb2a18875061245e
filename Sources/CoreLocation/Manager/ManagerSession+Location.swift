internal import Engine
internal import Monitoring

// The standard location service, the one-shot request, deferral and pauses.
extension ManagerSession {
  var location: LocationDelivery { state.withLock { $0.location } }
  var activity: CLActivityType { state.withLock { $0.activity } }
  var pausesAutomatically: Bool { state.withLock { $0.pausesAutomatically } }
  var allowsBackground: Bool { state.withLock { $0.allowsBackground } }
  var resumesAutomatically: Bool { state.withLock { $0.resumesAutomatically } }

  func setDistanceFilter(_ metres: Double) {
    post { state in
      state.location.distanceFilter = metres
      if metres != kCLDistanceFilterNone { state.endDeferral() }
    }
  }

  func setDesiredAccuracy(_ metres: Double) {
    post { state in
      state.location.desiredAccuracy = metres
      if !state.location.wantsBest { state.endDeferral() }
    }
    services.demandHasChanged()
  }

  func setActivity(_ activity: CLActivityType) {
    state.withLock { state in
      state.activity = activity
      state.pause?.activity = AutomaticPause.Activity(activity)
    }
  }

  func setPausesAutomatically(_ pauses: Bool) {
    state.withLock { $0.pausesAutomatically = pauses }
  }

  func setResumesAutomatically(_ resumes: Bool) {
    state.withLock { $0.resumesAutomatically = resumes }
    // A paused manager receives fixes only if it resumes automatically.
    if isActive { services.attach(self) } else { services.detach(self) }
  }

  func setAllowsBackground(_ allows: Bool) {
    state.withLock { $0.allowsBackground = allows }
    holdLeaseIfWanted()
  }

  // MARK: Updates

  func startUpdatingLocation() {
    let now = services.clock.now()
    var isNew = false
    post { state in
      isNew = state.startUpdatingLocation(at: now)
    }
    guard isNew else { return }
    holdLeaseIfWanted()
    services.attach(self)
    setUpdateAlarm(after: LocationDelivery.updateTimeout)
  }

  func stopUpdatingLocation() {
    post { state in
      state.isPaused = false
      state.location.stop()
      state.delegateQueue.dropLocations()
      state.dropAlarms()
      // Deferred fixes were taken before the stop; the end of the deferral delivers them.
      state.endDeferral()
    }
    holdLeaseIfWanted()
    services.detach(self)
  }

  func requestLocation() {
    let now = services.clock.now()
    guard let deadline = state.withLock({ $0.location.beginRequest(at: now) }) else { return }
    services.attach(self)
    setRequestAlarm(after: deadline.timeIntervalSince(now))
  }

  /// Holds a lease while updates run and background updates are allowed. The daemon then stores
  /// fixes for the stopped program.
  func holdLeaseIfWanted() {
    let (wants, holds) = state.withLock {
      ($0.allowsBackground && $0.location.isUpdating, $0.lease != nil)
    }
    guard wants != holds else { return }
    let lease = wants ? services.holdActivity() : nil
    state.withLock { $0.lease = lease }
  }

  /// Updates were paused or resumed automatically.
  func updatesHaveChanged() {
    holdLeaseIfWanted()
    services.demandHasChanged()
    if location.isUpdating { setUpdateAlarm(after: LocationDelivery.updateTimeout) }
  }

  // MARK: Deferral

  func allowDeferral(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
    let now = services.clock.now()
    post { $0.allowDeferral(untilTraveled: distance, timeout: timeout, at: now) }
    setDeferralAlarm()
  }

  func disallowDeferral() { post { $0.endDeferral() } }

  private func setDeferralAlarm() {
    let now = services.clock.now()
    guard let deadline = state.withLock({ $0.deferralDeadline }) else { return }
    // A deadline more than 30 years ahead needs no alarm.
    let seconds = deadline.timeIntervalSince(now)
    guard seconds < 1e9 else { return }
    let alarm = services.clock.alarm(after: max(seconds, 0)) { [weak self] in
      guard let self else { return }
      let now = services.clock.now()
      post { $0.advanceDeferral(to: now) }
      setDeferralAlarm()
    }
    state.withLock { $0.deferralAlarm = alarm }
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
    // The alarm decides, not the clock, which may have been set back since.
    post { state in
      state.requestAlarm = nil
      state.report(state.location.requestOutcome(at: .distantFuture))
    }
    detachIfIdle()
  }

  private func updateIsDue() {
    let now = services.clock.now()
    let wasUpdating = location.isUpdating
    var next: TimeInterval?
    post { state in
      state.advancePause(to: now)
      let outcome = state.location.updateOutcome(at: now)
      state.report(outcome)
      switch outcome {
      case .wait(let deadline):
        next = min(deadline.timeIntervalSince(now), LocationDelivery.updateTimeout)
      case .unknown: next = LocationDelivery.updateTimeout
      case .fix, nil: break
      }
    }
    if let next { setUpdateAlarm(after: next) }
    if wasUpdating != location.isUpdating { updatesHaveChanged() }
    detachIfIdle()
  }
}
