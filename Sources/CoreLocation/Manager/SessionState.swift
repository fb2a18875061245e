internal import Monitoring
internal import Observers
internal import Quantities

/// The state that `ManagerSession` guards with its lock.
///
/// A reference read from here has to be released outside the lock: if it is the last one, the
/// deinitializer takes the lock again.
struct SessionState: Sendable {
  /// The objects of the program; its delegate is called in the delivery context only.
  var program = ProgramValue(value: ProgramObjects())
  var location = LocationDelivery()
  var heading = HeadingDelivery()
  var question = CalibrationQuestion()
  var delegateQueue = DelegateQueue()
  /// True while a delivery is scheduled and has not begun.
  var isDeliveryScheduled = false
  /// True once a delegate was set; the first one receives the authorization.
  var isAnnounced = false
  var reportedAccess: (status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization)?
  var reportedHeading: CLHeading?
  /// The location delivered before the current one.
  var previousLocation: CLLocation?
  var requestAlarm: Observation?
  var updateAlarm: Observation?
  var deferralAlarm: Observation?

  // The options of the standard service, and the state that follows from them.
  var activity = CLActivityType.other
  var pausesAutomatically = true
  var allowsBackground = false
  var pause: AutomaticPause?
  var isPaused = false
  var resumesAutomatically = false
  var withholdsHeadings = false
  private var deferral = DeferredUpdates<CLLocation>()
  var lease: Observation?

  // Monitoring.
  var wantsSignificantChanges = false
  var significantChangesObservation: Observation?
  var monitoringObservation: Observation?

  /// The manager that the delegate's calls name.
  var manager: CLLocationManager? {
    get { program.value.manager }
    set { program.value.manager = newValue }
  }

  var delegate: (any CLLocationManagerDelegate)? {
    get { program.value.delegate }
    set { program.value.delegate = newValue }
  }

  /// The number of waiting events; a waiting heading counts as one.
  var eventCount: Int { delegateQueue.count + (heading.hasHeading ? 1 : 0) }

  /// True while a service wants estimates.
  var isActive: Bool {
    location.isActive || heading.isUpdating || (isPaused && resumesAutomatically)
  }

  /// True where headings are wanted and allowed.
  var takesHeadings: Bool {
    heading.isUpdating && (!withholdsHeadings || allowsBackground && location.isUpdating)
  }

  /// Notes the next delivery.
  /// - Returns: True where events wait and none is scheduled yet.
  mutating func schedulesDelivery() -> Bool {
    guard !isDeliveryScheduled, eventCount > 0 else { return false }
    isDeliveryScheduled = true
    return true
  }

  mutating func dropAlarms() { (requestAlarm, updateAlarm, deferralAlarm) = (nil, nil, nil) }

  /// Removes and returns the observations of other services.
  mutating func takeObservations() -> [Observation] {
    defer { (lease, monitoringObservation, significantChangesObservation) = (nil, nil, nil) }
    return [lease, monitoringObservation, significantChangesObservation].compactMap { $0 }
  }
}

// Processing of a fix before its delivery: pause, filters, deferral.
extension SessionState {
  /// Starts updates, also after a pause.
  /// - Returns: False where updates were running.
  mutating func startUpdatingLocation(at now: Date) -> Bool {
    guard location.start(at: now) else { return false }
    if isPaused { delegateQueue.post(.resumed) }
    isPaused = false
    if let now = UTCTime(now) {
      pause = AutomaticPause(activity: Activity(activity), at: now)
    }
    return true
  }

  /// Processes a fix that was taken `age` seconds before.
  mutating func process(_ fix: CLLocation, at now: Date, age: TimeInterval, isOfArea: Bool) {
    let place = fix.placeFix
    // Rest is detected only while updates may pause, during a pause as well. A coarse area of
    // kilometres gives no information about rest.
    let action =
      isOfArea
      ? nil
      : place.flatMap { pausesAutomatically ? pause?.process($0, arrival: UTCTime(now)) : nil }
    if action == .resume, isPaused, resumesAutomatically { _ = startUpdatingLocation(at: now) }
    if let due = location.receive(fix, at: now, age: age, isOfArea: isOfArea) {
      if location.isUpdating, let now = UTCTime(now) {
        perform(deferral.process(due, at: place?.position, time: now))
      } else {
        delegateQueue.post(.locations([due]))
      }
    }
    if action == .pause { pauseUpdates() }
  }

  /// Advances the pause detection by time without a fix.
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
    delegateQueue.post(.paused)
  }

  /// Posts the outcome of a request or of a wait for fixes.
  mutating func report(_ outcome: LocationDelivery.Outcome?) {
    switch outcome {
    case nil, .wait: break
    case .fix(let fix): delegateQueue.post(.locations([fix]))
    case .unknown: delegateQueue.post(.failure(CLError(.locationUnknown)))
    }
  }

  // MARK: Deferral

  /// When the deferral times out; nil without a deferral.
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
      case .finish(let refusal): delegateQueue.post(.deferralFinished(refusal.map { CLError($0) }))
      case .deliver(let fixes): delegateQueue.post(.locations(fixes))
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

extension Activity {
  init(_ activity: CLActivityType) {
    switch activity {
    case .other: self = .other
    case .automotiveNavigation: self = .automotiveNavigation
    case .fitness: self = .fitness
    case .otherNavigation: self = .otherNavigation
    case .airborne: self = .airborne
    }
  }
}

/// Weak references to the objects of the program.
struct ProgramObjects {
  weak var manager: CLLocationManager?
  weak var delegate: (any CLLocationManagerDelegate)?
}
