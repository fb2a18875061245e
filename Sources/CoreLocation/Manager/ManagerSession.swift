package import HostProtocol
internal import LocationHost
internal import Monitoring
internal import Observers
package import Quantities
internal import Synchronization

/// The services that one manager has started, and the events that wait for its delegate.
///
/// Estimates arrive on the source's thread. They are filtered there and produce events. The
/// manager's delivery context is then scheduled to deliver the events. Nothing is delivered from
/// inside a call of the program.
package final class ManagerSession: EstimateConsumer {
  let services: LocationServices
  /// The calibration that the program controls.
  let headingCalibration: CLHeadingCalibration
  private let context: DeliveryContext
  /// The ranging for beacons.
  let ranging = ManagerRanging()
  private let state: Mutex<SessionState>

  init(services: LocationServices, context: DeliveryContext) {
    self.services = services
    headingCalibration = CLHeadingCalibration(services: services)
    self.context = context
    var state = SessionState()
    state.withholdsHeadings = services.authority.withholdsHeadings
    state.resumesAutomatically = services.authority.resumesAutomatically
    self.state = Mutex(state)
  }

  /// Sets the manager that the delegate calls name; the reference is weak.
  func setManager(_ manager: CLLocationManager) { state.withLock { $0.manager = manager } }

  var delegate: (any CLLocationManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let new = ProgramValue(value: newValue)
      // Whether the delegate before was released is asked here: it would end under the lock.
      _ = presentProgram()
      var (isFirst, isNew, wantsChanges) = (false, false, false)
      // Events that came before the delegate are delivered now.
      post { state in
        isNew = new.value != nil && !state.hasDelegate
        isFirst = new.value != nil && !state.isAnnounced
        wantsChanges = state.wantsSignificantChanges
        state.delegate = new.value
        if isNew { state.delegateQueue.dropMonitoring() }
        state.isAnnounced = state.isAnnounced || isFirst
      }
      if isFirst { services.announce(to: self) }
      guard isNew else { return }
      // Events of an earlier run, and events without an acknowledgement, are delivered again.
      services.listen(self)
      if wantsChanges { services.joinSignificantChanges(self) }
    }
  }

  /// Copies the options of a session that it replaces.
  func copyOptions(of other: ManagerSession) {
    let options = other.read(\.options)
    state.withLock { $0.options = options }
  }

  /// A part of the state.
  func read<Value: Sendable>(_ part: KeyPath<SessionState, Value>) -> Value {
    state.withLock { $0[keyPath: part] }
  }

  /// True while a service wants estimates.
  package var isActive: Bool { read(\.isActive) }

  /// The estimates that the running services need.
  package var demand: EstimateDemand {
    state.withLock { state in
      var demand = state.location.demand
      demand.headings = state.heading.isUpdating
      demand.magneticHeadings = state.heading.isUpdating ? true : nil
      demand.motion = Activity(state.activity)
      // Paused updates resume at the first fix that shows motion, hence fixes every 30 s.
      if !demand.fixes, state.isPaused, state.resumesAutomatically {
        (demand.fixes, demand.fixInterval) = (true, 30)
      }
      return demand
    }
  }

  /// True where the program asks for locations as if it had reduced accuracy.
  package var wantsCoarseLocations: Bool { read(\.location.wantsCoarse) }

  /// Ends every service; called when the manager is deinitialized.
  func close() {
    state.withLock { state in
      state.location.stop()
      state.heading.stop()
      state.dropAlarms()
    }
    // Outside the lock: cancelling an observation takes other locks.
    for observation in state.withLock({ $0.removeObservations() }) { observation.cancel() }
    ranging.close()
    dismissCalibration()
    services.forget(self)
  }

  // MARK: From the services

  package func authorizationIsKnown(_ status: CLAuthorizationStatus) {
    let accuracy = services.authority.accuracy
    post { state in
      guard state.reportedAccess?.status != status || state.reportedAccess?.accuracy != accuracy
      else { return }
      let isFirst = state.reportedAccess == nil
      state.reportedAccess = (status, accuracy)
      if isFirst {
        state.delegateQueue.postFirst(.authorization)
      } else {
        state.delegateQueue.post(.authorization)
      }
    }
  }

  package func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {
    let (now, steadyNow) = (services.clock.now(), services.clock.steadyNow)
    post { state in
      if let first = state.location.sourceReady(known: known, at: now, steadyNow: steadyNow) {
        state.postLocation(first)
      }
      if !hasReceiver { state.report(state.location.receiverIsMissing()) }
    }
    if let latest { receive(latest, fix: nil, at: now) }
    detachIfIdle()
  }

  package func headingsReady(latest: Estimate?) {
    if let latest { receive(latest, fix: nil, at: services.clock.now()) }
  }

  package func sourceFailed(_ error: CLError) {
    state.withLock { $0.heading.stop() }
    locationFailed(error)
  }

  package func locationFailed(_ error: CLError) {
    post { state in
      state.endDeferral()
      state.location.stop()
      state.dropAlarms()
      state.delegateQueue.post(.failure(error))
    }
    holdLeaseIfWanted()
  }

  package func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
    _ = presentProgram()
    let isReduced = services.authority.accuracy == .reducedAccuracy
    let steadyNow = services.clock.steadyNow
    let outcome = state.withLock { state in
      let isOfArea = isReduced || state.location.wantsCoarse
      let (wasActive, wasUpdating) = (state.isActive, state.location.isUpdating)
      let wasDisplayed = state.question.isDisplayed
      if let fix {
        state.process(
          fix, at: steadyNow, age: estimate.fixAgeSeconds ?? 0, isOfArea: isOfArea)
      }
      if state.takesHeadings {
        if state.question.isDue(estimate) { state.delegateQueue.post(.calibrationQuestion) }
        let reception = state.heading.receive(
          estimate, givesTrueHeading: state.location.isUpdating, at: now)
        if reception == .failure { state.delegateQueue.post(.failure(CLError(.headingFailure))) }
      }
      return (
        schedules: state.schedulesDelivery(),
        hasChangedUpdates: wasUpdating != state.location.isUpdating,
        hasEndedDisplay: wasDisplayed && !state.question.isDisplayed,
        isIdle: wasActive && !state.isActive
      )
    }
    if outcome.schedules { scheduleDelivery() }
    if outcome.hasChangedUpdates { updatesHaveChanged() }
    if outcome.hasEndedDisplay { services.endCalibrationDisplay(of: self) }
    if outcome.isIdle { services.detach(self) }
  }

  /// An event of regions, visits or significant changes. Without a delegate it stays at the host,
  /// which sends it again to the next one.
  func receive(_ event: MonitoringEvent) {
    post { state in
      if state.hasDelegate { state.delegateQueue.post(.monitoring(event)) }
    }
  }

  private func detachIfIdle() {
    if !isActive { services.detach(self) }
  }

  // MARK: Delivery

  /// Changes the state. If events wait after that, schedules one delivery in the manager's context.
  func post(_ change: (inout SessionState) -> Void) {
    let schedules = state.withLock { state in
      change(&state)
      return state.schedulesDelivery()
    }
    if schedules { scheduleDelivery() }
  }

  private func scheduleDelivery() {
    context.call { [weak self] in
      guard let self else { return }
      // Only the events that wait now: a slow delegate must not occupy its queue for long.
      let count = state.withLock { state in
        state.isDeliveryScheduled = false
        return state.eventCount
      }
      for rest in (0..<count).reversed() {
        // The delegate may wait for the events behind this one in a run loop.
        if rest > 0 { post { _ in } }
        deliverNext()
      }
    }
  }

  /// Calls the delegate for the next event; the heading is delivered after all others.
  ///
  /// One event at a time, so that a stop inside a delegate call takes effect at once.
  private func deliverNext() {
    // The references are released outside the lock: the deinitializer of a last reference takes it.
    let now = services.clock.steadyNow
    guard let (manager, delegate) = presentProgram() else { return }
    let next = state.withLock { $0.nextEvent(at: now) }
    if next.isPostponed { setPaceAlarm() }
    guard let event = next.event else { return }
    state.withLock { $0.deliveryBegins(of: event, at: now) }
    call(delegate, of: manager, for: event)
    let end = services.clock.steadyNow
    state.withLock { $0.deliveryEnds(of: event, at: end) }
  }

  /// The manager and its delegate; nil where one of them is released. Not to be called under the
  /// lock, which the deinitializer of a last reference takes.
  private func presentProgram() -> (CLLocationManager, any CLLocationManagerDelegate)? {
    let (program, number) = state.withLock { ($0.program, $0.delegateNumber) }
    guard let manager = program.value.manager, let delegate = program.value.delegate else {
      state.withLock { $0.delegateIsReleased(number) }
      return nil
    }
    return (manager, delegate)
  }

  /// Resumes the events that were postponed, because the same ones were delivered just now.
  private func setPaceAlarm() {
    let alarm = services.clock.alarm(after: DeliveryPace.interval) { [weak self] in
      self?.post { $0.delegateQueue.resumePostponed() }
    }
    state.withLock { $0.paceAlarm = alarm }
  }

  private func call(
    _ delegate: any CLLocationManagerDelegate, of manager: CLLocationManager,
    for event: DelegateEvent
  ) {
    switch event {
    case .authorization:
      delegate.locationManagerDidChangeAuthorization(manager)
    case .locations(let locations):
      delegate.locationManager(manager, didUpdateLocations: locations)
    case .failure(let error):
      delegate.locationManager(manager, didFailWithError: error)
    case .heading(let heading):
      delegate.locationManager(manager, didUpdateHeading: heading)
    case .calibrationQuestion:
      let answer = delegate.locationManagerShouldDisplayHeadingCalibration(manager)
      state.withLock { $0.question.answer(answer) }
      if answer { services.displayCalibration(for: self) }
    case .paused:
      delegate.locationManagerDidPauseLocationUpdates(manager)
    case .resumed:
      delegate.locationManagerDidResumeLocationUpdates(manager)
    case .deferralFinished(let error):
      delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error)
    case .monitoring(let event):
      deliver(event, of: manager, to: delegate)
      services.monitoring.delivered(event)
    case .monitoringFailed(let region, let error):
      delegate.locationManager(manager, monitoringDidFailFor: region, withError: error)
    case .ranged(let ranged):
      delegate.locationManager(
        manager, didRange: ranged.beacons, satisfying: ranged.constraint)
    case .rangingFailed(let constraint, let error):
      delegate.locationManager(manager, didFailRangingFor: constraint, error: error)
    }
  }

  private func deliver(
    _ event: MonitoringEvent, of manager: CLLocationManager,
    to delegate: any CLLocationManagerDelegate
  ) {
    switch event.kind {
    case .regionStarted(let region):
      delegate.locationManager(manager, didStartMonitoringFor: .make(region))
    case .regionFailed(let region, let fault):
      delegate.locationManager(
        manager, monitoringDidFailFor: region.map(CLRegion.make),
        withError: CLError(monitoring: fault))
    case .regionState(let region, let state):
      delegate.locationManager(
        manager, didDetermineState: CLRegionState(state), for: .make(region))
    case .entered(let region):
      delegate.locationManager(manager, didEnterRegion: .make(region))
    case .exited(let region):
      delegate.locationManager(manager, didExitRegion: .make(region))
    case .visit(let visit):
      delegate.locationManager(manager, didVisit: CLVisit(visit))
    case .significantChange(let fix):
      let location = services.location(CLLocation(fix), isCoarse: wantsCoarseLocations)
      delegate.locationManager(manager, didUpdateLocations: [location])
      state.withLock { $0.previousLocation = location }
    case .condition:
      break
    }
  }
}

// Authorization and accuracy.
extension ManagerSession {
  /// Requests full accuracy on a global queue, because the daemon's answer may take time. The
  /// completion is called in the delivery context, also after the manager was released.
  func requestFullAccuracy(_ purposeKey: String, _ completion: (((any Error)?) -> Void)?) {
    let answer = ProgramValue(value: completion)
    DispatchQueue.global().async { [services, context] in
      let refusal = services.authority.requestFullAccuracy(purposeKey: purposeKey)
      // The answer comes also where the manager has ended.
      context.call { [context] in withExtendedLifetime(context) { answer.value?(refusal) } }
    }
  }
}

// The heading service.
extension ManagerSession {
  /// True while the program has allowed the calibration display and not dismissed it.
  package var isCalibrationDisplayed: Bool { read(\.question.isDisplayed) }

  /// The last delivered heading; without a delegate the newest.
  var currentHeading: CLHeading? { state.withLock { $0.currentHeading() } }

  func startUpdatingHeading() {
    guard state.withLock({ $0.startUpdatingHeading() }) else { return }
    services.attach(self)
  }

  func stopUpdatingHeading() {
    state.withLock { $0.heading.stop() }
    dismissCalibration()
    services.detach(self)
  }

  func dismissCalibration() {
    state.withLock { $0.question.dismiss() }
    services.endCalibrationDisplay(of: self)
  }

  /// The displayed calibration session has ended.
  func calibrationDisplayIsOver() { state.withLock { $0.question.dismiss() } }
}

// The standard location service, the one-shot request, deferral and pauses.
extension ManagerSession {
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
      state.pause?.activity = Activity(activity)
    }
    services.demandHasChanged()
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

  /// The newest location, as exact as the manager asks for.
  var knownLocation: CLLocation? { services.knownLocation(isCoarse: wantsCoarseLocations) }

  // MARK: Updates

  func startUpdatingLocation() {
    let now = services.clock.steadyNow
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
    let now = services.clock.steadyNow
    guard let deadline = state.withLock({ $0.location.beginRequest(at: now) }) else { return }
    services.attach(self)
    setRequestAlarm(after: deadline.timeIntervalSince(now))
  }

  /// Holds a lease while updates run and background updates are allowed. The daemon then stores
  /// fixes for the stopped program.
  private func holdLeaseIfWanted() {
    let (wants, holds) = state.withLock {
      ($0.allowsBackground && $0.location.isUpdating, $0.lease != nil)
    }
    guard wants != holds else { return }
    let lease = wants ? services.holdActivity() : nil
    let old = state.withLock { state in
      defer { state.lease = lease }
      return state.lease
    }
    old?.cancel()
  }

  /// Updates were paused or resumed automatically.
  private func updatesHaveChanged() {
    holdLeaseIfWanted()
    services.demandHasChanged()
    if read(\.location.isUpdating) { setUpdateAlarm(after: LocationDelivery.updateTimeout) }
  }

  // MARK: Deferral

  func allowDeferral(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
    let now = services.clock.steadyNow
    post { $0.allowDeferral(untilTraveled: distance, timeout: timeout, at: now) }
    setDeferralAlarm()
  }

  func disallowDeferral() { post { $0.endDeferral() } }

  private func setDeferralAlarm() {
    let now = services.clock.steadyNow
    guard let deadline = state.withLock({ $0.deferralDeadline }) else { return }
    // A deadline more than 30 years ahead needs no alarm.
    let seconds = deadline.timeIntervalSince(now)
    guard seconds < 1e9 else { return }
    let alarm = services.clock.alarm(after: max(seconds, 0)) { [weak self] in
      guard let self else { return }
      let now = services.clock.steadyNow
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
    let now = services.clock.steadyNow
    let wasUpdating = read(\.location.isUpdating)
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
    if wasUpdating != read(\.location.isUpdating) { updatesHaveChanged() }
    detachIfIdle()
  }
}

// Significant changes, visits and regions: requested from the program's monitoring, reported to
// every manager.
extension ManagerSession {
  func startSignificantChanges() {
    let isNew = state.withLock { state in
      defer { state.wantsSignificantChanges = true }
      return !state.wantsSignificantChanges
    }
    guard isNew else { return }
    services.joinSignificantChanges(self)
    monitor(.startSignificantChanges)
  }

  func stopSignificantChanges() {
    let observation = state.withLock { state in
      defer { (state.wantsSignificantChanges, state.significantChangesObservation) = (false, nil) }
      return state.significantChangesObservation
    }
    observation?.cancel()
    // Another manager of the program may still use the service.
    if services.leaveSignificantChanges(self) { monitor(.stopSignificantChanges) }
  }

  /// Stores the observation of monitoring events until the manager is deinitialized.
  func store(_ observation: Observation) {
    let old = state.withLock { state in
      defer { state.monitoringObservation = observation }
      return state.monitoringObservation
    }
    old?.cancel()
  }

  /// Stores the observation of significant changes until the program stops the service. If the
  /// program has stopped it already, cancels the observation.
  func storeSignificantChanges(_ observation: Observation) {
    let unused = state.withLock { state in
      guard state.wantsSignificantChanges else { return Observation?(observation) }
      defer { state.significantChangesObservation = observation }
      return state.significantChangesObservation
    }
    unused?.cancel()
  }

  func startVisits() { monitor(.startVisits) }
  func stopVisits() { monitor(.stopVisits) }

  func startMonitoring(_ region: CLRegion) {
    monitor(region) { .startRegion($0) }
  }

  func stopMonitoring(_ region: CLRegion) {
    monitor(.stopRegion(identifier: region.identifier), of: region)
  }

  func requestState(_ region: CLRegion) {
    monitor(region) { .requestState($0) }
  }

  private func fail(_ region: CLRegion?, _ error: CLError) {
    post { $0.delegateQueue.post(.monitoringFailed(region, error)) }
  }

  private func monitor(
    _ region: CLRegion, _ command: (MonitoredRegion) -> MonitoringCommand
  ) {
    do throws(MonitoringFault) {
      monitor(command(try MonitoredRegion(region)), of: region)
    } catch {
      fail(region, CLError(monitoring: error))
    }
  }

  private func monitor(_ command: MonitoringCommand, of region: CLRegion? = nil) {
    services.monitor(command) { [weak self] refusal in
      guard let self else { return }
      if let region {
        let code = refusal.code == .denied ? CLError.Code.regionMonitoringDenied : refusal.code
        fail(region, CLError(code, userInfo: refusal.userInfo))
      } else {
        post { $0.delegateQueue.post(.failure(refusal)) }
      }
    }
  }
}
