package import HostProtocol
internal import LinuxIO
internal import LocationHost
internal import Monitoring
package import Quantities

/// The services that one manager has started, and the events that wait for its delegate.
///
/// Estimates arrive on the source's thread. They are filtered there and produce events. The
/// manager's delivery context is then scheduled to deliver the events. Nothing is delivered from
/// inside a call of the program. Location, monitoring and ranging have a file each.
package final class ManagerSession: EstimateConsumer, @unchecked Sendable {
  let services: LocationServices
  /// The calibration that the program controls.
  let headingCalibration: CLHeadingCalibration
  private let context: DeliveryContext
  let state: Locked<SessionState>
  /// The location delivered before the current one. Used only in the delivery context.
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

  /// Sets the manager that the delegate calls name; the reference is weak.
  func setManager(_ manager: CLLocationManager) { state.withLock { $0.manager = manager } }

  var delegate: (any CLLocationManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      let (isFirst, isNew, wantsChanges) = state.withLock { state in
        let isNew = newValue != nil && state.delegate == nil
        state.delegate = newValue
        if isNew { state.delegateQueue.dropMonitoring() }
        defer { state.isAnnounced = state.isAnnounced || newValue != nil }
        return (newValue != nil && !state.isAnnounced, isNew, state.wantsSignificantChanges)
      }
      if isFirst { services.announce(to: self) }
      guard isNew else { return }
      // Events of an earlier run, and events without an acknowledgement, are delivered again.
      services.listen(self)
      if wantsChanges { services.joinSignificantChanges(self) }
    }
  }

  /// True while a service wants estimates.
  package var isActive: Bool { state.withLock(\.isActive) }

  /// The estimates that the running services need.
  package var demand: EstimateDemand {
    state.withLock { state in
      var demand = state.location.demand
      demand.headings = state.heading.isUpdating
      // Paused updates resume at the first fix that shows motion, hence fixes every 30 s.
      if !demand.fixes, state.isPaused, state.resumesAutomatically {
        (demand.fixes, demand.fixInterval) = (true, 30)
      }
      return demand
    }
  }

  /// Ends every service; called when the manager is deinitialized.
  func close() {
    state.withLock { state in
      state.location.stop()
      state.heading.stop()
      state.dropAlarms()
    }
    // Outside the lock: cancelling an observation takes other locks.
    for observation in state.withLock({ $0.takeObservations() }) { observation.cancel() }
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
      state.delegateQueue.post(.authorization)
    }
  }

  package func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {
    let now = services.clock.now()
    post { state in
      if let first = state.location.sourceReady(known: known, at: now) {
        state.delegateQueue.post(.locations([first]))
      }
      if !hasReceiver { state.report(state.location.receiverIsMissing()) }
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
      state.delegateQueue.post(.failure(error))
    }
    holdLeaseIfWanted()
  }

  package func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
    let (wasActive, wasUpdating, wasDisplayed) = state.withLock {
      ($0.isActive, $0.location.isUpdating, $0.question.isDisplayed)
    }
    let isOfArea = services.authority.accuracy == .reducedAccuracy
    post { state in
      if let fix { state.process(fix, at: now, isOfArea: isOfArea) }
      state.process(estimate, at: now)
    }
    if wasUpdating != location.isUpdating { updatesHaveChanged() }
    if wasDisplayed, !isCalibrationDisplayed { services.endCalibrationDisplay(of: self) }
    if wasActive { detachIfIdle() }
  }

  func detachIfIdle() {
    if !isActive { services.detach(self) }
  }

  // MARK: Delivery

  /// Changes the state. If events wait after that, schedules one delivery in the manager's context.
  func post(_ change: (inout SessionState) -> Void) {
    let schedules = state.withLock { state in
      change(&state)
      guard !state.isDeliveryScheduled, state.eventCount > 0 else { return false }
      state.isDeliveryScheduled = true
      return true
    }
    if schedules { context.call { [weak self] in self?.deliverEvents() } }
  }

  private func deliverEvents() {
    // Only the events that wait now: a slow delegate must not occupy its queue for long.
    let count = state.withLock { state in
      state.isDeliveryScheduled = false
      return state.eventCount
    }
    for _ in 0..<count {
      // One event at a time, so that a stop inside a delegate call takes effect at once. The
      // references are released outside the lock: the deinitializer of a last reference takes the
      // lock.
      let (event, manager, delegate) = state.withLock { state in
        (state.nextEvent(), state.manager, state.delegate)
      }
      guard let event, let manager else { return }
      deliver(event, of: manager, to: delegate)
    }
  }
}

// Authorization and accuracy.
extension ManagerSession {
  func requestAuthorization(_ wanted: CLAuthorizationStatus) {
    services.requestAuthorization(wanted)
  }

  /// Requests full accuracy on a global queue, because the daemon's answer may take time. The
  /// completion is called in the delivery context, also after the manager was released.
  func requestFullAccuracy(_ purposeKey: String, _ completion: (((any Error)?) -> Void)?) {
    let answer = Completion(body: completion)
    DispatchQueue.global().async { [services, context] in
      let refusal = services.authority.requestFullAccuracy(purposeKey: purposeKey)
      context.call { answer.body?(refusal) }
    }
  }
}

/// A program's completion. Unchecked: it is called in the delivery context only.
private struct Completion: @unchecked Sendable {
  let body: (((any Error)?) -> Void)?
}

// The heading service.
extension ManagerSession {
  var heading: HeadingDelivery { state.withLock { $0.heading } }
  var reportedHeading: CLHeading? { state.withLock { $0.reportedHeading } }
  /// True while the program has allowed the calibration display and not dismissed it.
  package var isCalibrationDisplayed: Bool { state.withLock { $0.question.isDisplayed } }

  func setHeadingFilter(_ degrees: Double) {
    state.withLock { $0.heading.filterDegrees = degrees }
  }

  func setOrientation(_ orientation: CLDeviceOrientation) {
    state.withLock { $0.heading.orientation = orientation }
  }

  func setMount(_ mount: DeviceMount?) {
    state.withLock { $0.heading.mount = mount }
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

  func dismissCalibration() {
    state.withLock { $0.question.dismiss() }
    services.endCalibrationDisplay(of: self)
  }

  /// The displayed calibration session has ended.
  func calibrationDisplayIsOver() { state.withLock { $0.question.dismiss() } }
}

// Delivery: one delegate call for each event.
extension ManagerSession {
  private func deliver(
    _ event: DelegateEvent, of manager: CLLocationManager,
    to delegate: (any CLLocationManagerDelegate)?
  ) {
    switch event {
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
    case .paused:
      delegate?.locationManagerDidPauseLocationUpdates(manager)
    case .resumed:
      delegate?.locationManagerDidResumeLocationUpdates(manager)
    case .deferralFinished(let error):
      delegate?.locationManager(manager, didFinishDeferredUpdatesWithError: error)
    case .monitoring(let event):
      // Without a delegate the event stays unacknowledged; the next delegate receives it.
      guard let delegate else { return }
      deliver(event, of: manager, to: delegate)
      services.monitoring.delivered(event)
    case .monitoringFailed(let region, let error):
      delegate?.locationManager(manager, monitoringDidFailFor: region, withError: error)
    case .ranged(let ranged):
      delegate?.locationManager(
        manager, didRange: ranged.beacons, satisfying: ranged.constraint)
    case .rangingFailed(let constraint, let error):
      delegate?.locationManager(manager, didFailRangingFor: constraint, error: error)
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
      let location = CLLocation(fix)
      delegate.locationManager(manager, didUpdateLocations: [location])
      previousLocation = location
    case .condition:
      break
    }
  }
}
