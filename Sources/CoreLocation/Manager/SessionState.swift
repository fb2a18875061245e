internal import Engine
internal import Monitoring
internal import Quantities

/// What `ManagerSession` keeps behind its lock.
///
/// A reference read from here has to leave the lock before it is let go: where it is the last one,
/// the manager's end comes back for the lock.
struct SessionState {
  weak var manager: CLLocationManager?
  weak var delegate: (any CLLocationManagerDelegate)?
  var location = LocationDelivery()
  var heading = HeadingDelivery()
  var question = CalibrationQuestion()
  var mailbox = Mailbox()
  /// True from calling the manager's place until it reads the letters out.
  var isCalled = false
  /// True once a delegate was there to be told the authorization.
  var isAnnounced = false
  var reportedAccess: (status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization)?
  var reportedHeading: CLHeading?
  var requestAlarm: Observation?
  var updateAlarm: Observation?
  var deferralAlarm: Observation?

  // The standard service's options and what comes of them.
  var activity = CLActivityType.other
  var pausesAutomatically = true
  var allowsBackground = false
  var pause: AutomaticPause?
  var isPaused = false
  var resumesAutomatically = false
  var withholdsHeadings = false
  var deferral = DeferredUpdates<CLLocation>()
  var lease: Observation?

  // What monitoring and ranging tell this manager.
  var wantsSignificantChanges = false
  var hearsSignificantChanges: Observation?
  var listening: Observation?
  var ranging: [CLBeaconIdentityConstraint: Ranging] = [:]

  /// How many letters wait, a waiting heading being one.
  var letterCount: Int { mailbox.count + (heading.hasHeading ? 1 : 0) }

  /// True while a service wants estimates.
  var isActive: Bool {
    location.isActive || heading.isUpdating || (isPaused && resumesAutomatically)
  }

  /// The letter that is to be delivered next; the heading comes after everything else.
  mutating func nextLetter() -> Letter? {
    if let letter = mailbox.next() { return letter }
    guard let values = heading.take() else { return nil }
    let heading = CLHeading(values)
    reportedHeading = heading
    return .heading(heading)
  }

  mutating func dropAlarms() { (requestAlarm, updateAlarm, deferralAlarm) = (nil, nil, nil) }

  /// What holds on to other services, given away.
  mutating func takeWatches() -> [Observation] {
    defer { (lease, listening, hearsSignificantChanges, ranging) = (nil, nil, nil, [:]) }
    return [lease, listening, hearsSignificantChanges].compactMap { $0 }
      + ranging.values.compactMap(\.watch)
  }

  // MARK: Estimates

  /// Takes an estimate's heading and calibration.
  mutating func take(_ estimate: Estimate, at now: Date) {
    guard heading.isUpdating else { return }
    guard !withholdsHeadings || allowsBackground && location.isUpdating else { return }
    if question.isDue(estimate) { mailbox.post(.calibrationQuestion) }
    let reception = heading.receive(estimate, givesTrueHeading: location.isUpdating, at: now)
    if reception == .failure { mailbox.post(.failure(CLError(.headingFailure))) }
  }
}
