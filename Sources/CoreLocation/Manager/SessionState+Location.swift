internal import Monitoring
internal import Quantities

// A fix on its way to the delegate: pause, filters, deferral.
extension SessionState {
  /// Starts updates, also after a pause.
  /// - Returns: False where updates were running.
  mutating func startUpdatingLocation(at now: Date) -> Bool {
    guard location.start(at: now) else { return false }
    if isPaused { mailbox.post(.resumed) }
    isPaused = false
    if let now = UTCTime(now) {
      pause = AutomaticPause(activity: AutomaticPause.Activity(activity), at: now)
    }
    return true
  }

  /// Takes a fix.
  mutating func take(_ fix: CLLocation, at now: Date, isOfArea: Bool) {
    let place = fix.placeFix
    // Only what can pause is watched; who is paused and goes on by itself is watched as well.
    // An area of kilometres says nothing about rest.
    let action =
      isOfArea
      ? nil
      : place.flatMap { pausesAutomatically ? pause?.process($0, arrival: UTCTime(now)) : nil }
    if action == .resume, isPaused, resumesAutomatically { _ = startUpdatingLocation(at: now) }
    if let due = location.receive(fix, at: now, isOfArea: isOfArea) {
      hand(over: due, place, at: now)
    }
    if action == .pause { pauseUpdates() }
  }

  /// Time has passed without a fix.
  mutating func advancePause(to now: Date) {
    guard pausesAutomatically, let now = UTCTime(now), pause?.advance(to: now) == .pause else {
      return
    }
    pauseUpdates()
  }

  private mutating func pauseUpdates() {
    guard location.isUpdating else { return }
    perform(deferral.stop())
    location.stop()
    updateAlarm = nil
    isPaused = true
    mailbox.post(.paused)
  }

  private mutating func hand(over fix: CLLocation, _ place: PlaceFix?, at now: Date) {
    guard location.isUpdating, let now = UTCTime(now) else {
      return mailbox.post(.locations([fix]))
    }
    perform(deferral.process(fix, at: place?.position, time: now))
  }

  /// Posts what a wait has come to.
  mutating func tell(_ outcome: LocationDelivery.Outcome?) {
    switch outcome {
    case nil, .wait: break
    case .fix(let fix): mailbox.post(.locations([fix]))
    case .unknown: mailbox.post(.failure(CLError(.locationUnknown)))
    }
  }

  // MARK: Deferral

  /// When a deferral ends by itself; nil without one.
  var deferralDeadline: Date? { deferral.deadline.map { Date($0) } }

  mutating func allowDeferral(
    untilTraveled distance: CLLocationDistance, timeout: TimeInterval, at now: Date
  ) {
    guard let now = UTCTime(now) else { return }
    location.cancelRequest()
    requestAlarm = nil
    let conditions = DeferredUpdates<CLLocation>.Conditions(
      isUpdating: location.isUpdating, isBestAccuracy: location.wantsBest,
      hasDistanceFilter: location.distanceFilter != kCLDistanceFilterNone)
    perform(
      deferral.allow(
        untilTraveled: distance, timeout: timeout, conditions: conditions, at: now))
  }

  mutating func advanceDeferral(to now: Date) {
    if let now = UTCTime(now) { perform(deferral.advance(to: now)) }
  }

  mutating func endDeferral() { perform(deferral.disallow()) }

  private mutating func perform(_ actions: [DeferredUpdates<CLLocation>.Action]) {
    for action in actions {
      switch action {
      case .finish(let refusal): mailbox.post(.deferralFinished(refusal.map { CLError($0) }))
      case .deliver(let fixes): mailbox.post(.locations(fixes))
      }
    }
  }
}

extension CLError {
  fileprivate init(_ refusal: DeferredUpdates<CLLocation>.Refusal) {
    switch refusal {
    case .notUpdating: self.init(.deferredNotUpdatingLocation)
    case .accuracyTooLow: self.init(.deferredAccuracyTooLow)
    case .distanceFiltered: self.init(.deferredDistanceFiltered)
    case .canceled: self.init(.deferredCanceled)
    }
  }
}

extension AutomaticPause.Activity {
  init(_ activity: CLActivityType) {
    switch activity {
    case .other: self = .other
    case .automotiveNavigation: self = .automotive
    case .fitness: self = .fitness
    case .otherNavigation: self = .otherNavigation
    case .airborne: self = .airborne
    }
  }
}
