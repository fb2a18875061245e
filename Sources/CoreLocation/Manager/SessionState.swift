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
  private var pace = DeliveryPace()
  /// Resumes the postponed events.
  var paceAlarm: Observation?
  /// The calls of the delegate for a location and for a heading that have not returned.
  private var locationCalls = 0
  private var headingCalls = 0
  /// The event of monitoring that the delegate received last. It is not acknowledged before the
  /// delegate returns, and a delegate that is set again meanwhile would receive it again.
  private var lastMonitored: MonitoringEvent?
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
    set {
      program.value.delegate = newValue
      hasDelegate = newValue != nil
      delegateNumber += 1
    }
  }
  /// True after a delegate was set, until it is found released. To ask the weak reference itself
  /// may make this the last owner of the delegate, whose deinitializer then runs under the lock.
  private(set) var hasDelegate = false
  /// Counts the delegates that were set.
  private(set) var delegateNumber = 0

  /// The delegate of a number was found released: events wait for the next one.
  mutating func delegateIsReleased(_ number: Int) {
    if number == delegateNumber { hasDelegate = false }
  }

  /// The number of waiting events; a waiting heading counts as one.
  var eventCount: Int { delegateQueue.count + (heading.hasHeading ? 1 : 0) }

  /// True once the delegate can be called. Events wait until then, so that none is lost by the
  /// order in which a program sets up its manager: the authorization is the first event.
  var receivesEvents: Bool { hasDelegate && reportedAccess != nil }

  /// The heading for a program that asks for it: the delivered one, without a delegate the newest.
  mutating func currentHeading() -> CLHeading? {
    if !hasDelegate, let newest = heading.newest, reportedHeading?.storedValues != newest {
      reportedHeading = CLHeading(newest)
    }
    return reportedHeading
  }

  /// True while a service wants estimates.
  var isActive: Bool {
    location.isActive || heading.isUpdating || (isPaused && resumesAutomatically)
  }

  /// True where headings are wanted and allowed.
  var takesHeadings: Bool {
    heading.isUpdating && (!withholdsHeadings || allowsBackground && location.isUpdating)
  }

  /// Marks a delivery as scheduled if events wait and none is scheduled.
  /// - Returns: True if the caller must schedule it.
  mutating func schedulesDelivery() -> Bool {
    guard !isDeliveryScheduled, eventCount > 0, receivesEvents else { return false }
    isDeliveryScheduled = true
    return true
  }

  mutating func dropAlarms() { (requestAlarm, updateAlarm, deferralAlarm) = (nil, nil, nil) }

  /// Removes and returns the observations of other services.
  mutating func removeObservations() -> [Observation] {
    defer { (lease, monitoringObservation, significantChangesObservation) = (nil, nil, nil) }
    return [lease, monitoringObservation, significantChangesObservation].compactMap { $0 }
  }
}

// The events on their way to the delegate.
extension SessionState {
  /// Removes and returns the next event; the heading comes after all others. An event that was
  /// delivered too often just now is postponed.
  /// - Returns: The event; nil for none. `isPostponed` is true where an alarm has to resume events.
  mutating func nextEvent(at now: Date) -> (event: DelegateEvent?, isPostponed: Bool) {
    guard receivesEvents else { return (nil, false) }
    if let event = delegateQueue.next() {
      if case .monitoring(let monitored) = event, monitored == lastMonitored { return (nil, false) }
      guard let key = event.paceKey, !pace.admits(key, at: now) else { return (event, false) }
      // A location that was delivered just now is of no use later.
      if event.isLocation { return (nil, false) }
      delegateQueue.postpone(event)
      return (nil, true)
    }
    // The next estimate replaces a heading that was delivered too often.
    guard let stamp = heading.waitingStamp, heading.hasHeading,
      pace.admits(.heading(monotonicNanoseconds: stamp.nanoseconds), at: now),
      let values = heading.removeNewest()
    else { return (nil, false) }
    let delivered = CLHeading(values)
    reportedHeading = delivered
    return (.heading(delivered), false)
  }

  /// The delegate is called for an event.
  mutating func deliveryBegins(of event: DelegateEvent, at now: Date) {
    switch event {
    case .locations(let locations):
      locationCalls += 1
      if let last = locations.last { location.recordDelivery(of: last, at: now) }
    case .heading: headingCalls += 1
    case .monitoring(let monitored): lastMonitored = monitored
    default: break
    }
  }

  /// The delegate's call has returned.
  mutating func deliveryEnds(of event: DelegateEvent, at now: Date) {
    switch event {
    case .locations(let locations):
      locationCalls -= 1
      if let last = locations.last { location.recordDelivery(of: last, at: now) }
      previousLocation = locations.last
    case .heading: headingCalls -= 1
    default: break
    }
  }

  /// Starts headings.
  /// - Returns: False where they were running.
  mutating func startUpdatingHeading() -> Bool {
    heading.start(isInsideDelivery: headingCalls > 0)
  }

  /// Posts a location of the standard service. Without a delegate only the newest one waits, and
  /// the distance filter begins at the first that a delegate receives.
  mutating func postLocation(_ fix: CLLocation) {
    if !hasDelegate { delegateQueue.dropLocations() }
    delegateQueue.post(.locations([fix]))
  }
}

// Processing of a fix before its delivery: pause, filters, deferral.
extension SessionState {
  /// Starts updates, also after a pause.
  /// - Returns: False where updates were running.
  mutating func startUpdatingLocation(at now: Date) -> Bool {
    guard location.start(at: now, isInsideDelivery: locationCalls > 0) else { return false }
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
    var action: AutomaticPause.Action?
    if let place, pausesAutomatically, !isOfArea {
      action = pause?.process(place, arrival: UTCTime(now))
    } else if let now = UTCTime(now) {
      action = pause?.receiveFix(at: now)
    }
    if action == .resume, isPaused, resumesAutomatically { _ = startUpdatingLocation(at: now) }
    if !hasDelegate { location.forgetReference() }
    if let due = location.receive(fix, at: now, age: age, isOfArea: isOfArea) {
      if location.isUpdating, deferral.isDeferring, let now = UTCTime(now) {
        perform(deferral.process(due, at: place?.position, time: now))
      } else {
        postLocation(due)
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

/// The options of a manager.
struct ManagerOptions: Sendable {
  fileprivate var distanceFilter: CLLocationDistance
  fileprivate var desiredAccuracy: CLLocationAccuracy
  fileprivate var activity: CLActivityType
  fileprivate var pausesAutomatically: Bool
  fileprivate var allowsBackground: Bool
  fileprivate var headingFilter: CLLocationDegrees
  fileprivate var orientation: CLDeviceOrientation
  fileprivate var mount: DeviceMount?
}

extension SessionState {
  var options: ManagerOptions {
    get {
      ManagerOptions(
        distanceFilter: location.distanceFilter, desiredAccuracy: location.desiredAccuracy,
        activity: activity, pausesAutomatically: pausesAutomatically,
        allowsBackground: allowsBackground, headingFilter: heading.filterDegrees,
        orientation: heading.orientation, mount: heading.mount)
    }
    set {
      (location.distanceFilter, location.desiredAccuracy) = (
        newValue.distanceFilter, newValue.desiredAccuracy
      )
      (activity, pausesAutomatically) = (newValue.activity, newValue.pausesAutomatically)
      allowsBackground = newValue.allowsBackground
      (heading.filterDegrees, heading.orientation) = (newValue.headingFilter, newValue.orientation)
      heading.mount = newValue.mount
    }
  }
}

/// Weak references to the objects of the program.
struct ProgramObjects {
  weak var manager: CLLocationManager?
  weak var delegate: (any CLLocationManagerDelegate)?
}
