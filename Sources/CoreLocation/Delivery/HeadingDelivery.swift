internal import Fusion
package import Quantities

/// Selects the headings that one manager delivers: the newest, once it has
/// turned by the filter's angle.
///
/// At most one heading waits. A slow delegate receives the newest. A heading that has turned back
/// below the filter's angle before its delivery is dropped.
package struct HeadingDelivery {
  /// Degrees, as the manager's property; negative: every heading is delivered.
  package var filterDegrees: CLLocationDegrees = 1 {
    didSet { filter.minimumChange = Angle(degrees: filterDegrees) }
  }
  /// The orientation that the program set. `unknown`, `faceUp` and `faceDown` do not change the
  /// reference.
  package var orientation = CLDeviceOrientation.portrait {
    didSet { turn = orientation.turnFromForward ?? turn }
  }
  /// The body that headings are given for instead of an edge of the device; nil for the device.
  package var mount: DeviceMount?
  /// True from start to stop.
  package private(set) var isUpdating = false

  private var filter = HeadingFilter(minimumChange: Angle(degrees: 1))
  private var turn = Angle.zero
  private var waiting: HeadingValues?
  private var lastHadTrueHeading = false
  private var hasFailed = false
  /// The time of the waiting heading's estimate.
  package private(set) var waitingStamp: Timestamp?
  /// The time of the estimate of the heading that was delivered last.
  private var deliveredStamp: Timestamp?
  private var hasStartedInsideDelivery = false

  /// The result of an estimate.
  package enum Reception: Equatable, Sendable {
    /// There is nothing to deliver.
    case nothing
    /// A heading waits for delivery.
    case heading
    /// The heading is not known; returned once for each disturbance.
    case failure
  }

  /// Makes a delivery whose updates are not started.
  package init() {}

  /// Starts updates.
  /// - Parameter isInsideDelivery: True where the delegate starts them while it receives a heading,
  ///   which is not delivered again then: the program would not return.
  /// - Returns: False where updates were already running.
  package mutating func start(isInsideDelivery: Bool = false) -> Bool {
    guard !isUpdating else { return false }
    isUpdating = true
    hasStartedInsideDelivery = isInsideDelivery
    hasFailed = false
    filter.reset()
    return true
  }

  /// Ends updates and drops the waiting heading.
  package mutating func stop() {
    isUpdating = false
    waiting = nil
  }

  /// Processes an estimate.
  package mutating func receive(
    _ estimate: Estimate, givesTrueHeading: Bool, at receipt: Date
  ) -> Reception {
    guard isUpdating else { return .nothing }
    if hasStartedInsideDelivery, estimate.timestamp == deliveredStamp { return .nothing }
    let isLost = estimate.disturbance?.isDisturbed == true && estimate.headingAccuracy == nil
    defer { hasFailed = isLost }
    let values = HeadingValues(
      estimate, turnedBy: turn, mountedBy: mount, givesTrueHeading: givesTrueHeading,
      receivedAt: receipt)
    let isDue = values.map { waiting != nil || wouldPass($0) } ?? false
    if isDue { (waiting, waitingStamp) = (values, estimate.timestamp) }
    // A lost heading is still delivered; its negative accuracy marks it as uncertain.
    if isLost, !hasFailed { return .failure }
    return isDue ? .heading : .nothing
  }

  /// Removes and returns the newest heading; nil where the filter does not pass it now.
  package mutating func removeNewest() -> HeadingValues? {
    defer { waiting = nil }
    guard isUpdating, let waiting, passes(waiting) else { return nil }
    lastHadTrueHeading = waiting.trueHeading >= 0
    deliveredStamp = waitingStamp
    return waiting
  }

  /// The heading that waits for delivery.
  package var newest: HeadingValues? { waiting }

  /// True while a heading waits for delivery.
  package var hasHeading: Bool { waiting != nil }

  private func wouldPass(_ values: HeadingValues) -> Bool {
    let heading = Angle(degrees: values.magneticHeading)
    // `passes` resets the filter then, and a filter that was reset passes every finite heading.
    if hasChangedTrueHeading(values) { return heading.radians.isFinite }
    return filter.wouldPass(heading)
  }

  private mutating func passes(_ values: HeadingValues) -> Bool {
    if hasChangedTrueHeading(values) { filter.reset() }
    return filter.passes(Angle(degrees: values.magneticHeading))
  }

  /// True where the true heading has appeared or disappeared since the last delivery.
  private func hasChangedTrueHeading(_ values: HeadingValues) -> Bool {
    (values.trueHeading >= 0) != lastHadTrueHeading
  }
}
