internal import Engine

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
  var reportedStatus: CLAuthorizationStatus?
  var reportedHeading: CLHeading?
  var requestAlarm: Observation?
  var updateAlarm: Observation?

  /// How many letters wait, a waiting heading being one.
  var letterCount: Int { mailbox.count + (heading.hasHeading ? 1 : 0) }

  /// The letter that is to be delivered next; the heading comes after everything else.
  mutating func nextLetter() -> Letter? {
    if let letter = mailbox.next() { return letter }
    guard let values = heading.take() else { return nil }
    let heading = CLHeading(values)
    reportedHeading = heading
    return .heading(heading)
  }
}
