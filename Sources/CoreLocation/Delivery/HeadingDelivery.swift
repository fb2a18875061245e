internal import Fusion
package import Quantities

/// Which headings one manager hands out: the newest, once it has turned by the filter's angle.
///
/// One heading waits at most. A slow delegate finds the newest, and a heading that has turned back
/// by the time it would be delivered is not.
package struct HeadingDelivery {
  /// Degrees, as the manager's property; negative: every heading comes.
  package var filterDegrees: CLLocationDegrees = 1 {
    didSet { filter.minimumChange = Angle(degrees: filterDegrees) }
  }
  /// The orientation as it was set; some values leave the reference as it is.
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

  /// What came of an estimate.
  package enum Reception: Equatable, Sendable {
    /// Nothing to deliver.
    case nothing
    /// A heading waits to be taken.
    case heading
    /// The heading cannot be told; said once for each disturbance.
    case failure
  }

  /// Makes the delivery of a manager that has started nothing.
  package init() {}

  /// Starts updates.
  /// - Returns: False where updates were already running: nothing new comes of that.
  package mutating func start() -> Bool {
    guard !isUpdating else { return false }
    isUpdating = true
    hasFailed = false
    filter.reset()
    return true
  }

  /// Ends updates and drops the heading that waits.
  package mutating func stop() {
    isUpdating = false
    waiting = nil
  }

  /// Takes an estimate.
  package mutating func receive(
    _ estimate: Estimate, givesTrueHeading: Bool, at receipt: Date
  ) -> Reception {
    guard isUpdating else { return .nothing }
    let isLost = estimate.disturbance?.isDisturbed == true && estimate.headingAccuracy == nil
    defer { hasFailed = isLost }
    if isLost, !hasFailed {
      // The heading itself is still worth delivering: its accuracy says that it is not known.
      keep(estimate, givesTrueHeading, receipt)
      return .failure
    }
    return keep(estimate, givesTrueHeading, receipt) ? .heading : .nothing
  }

  /// The newest heading, if it is still due.
  package mutating func take() -> HeadingValues? {
    defer { waiting = nil }
    guard isUpdating, let waiting, isDue(waiting) else { return nil }
    lastHadTrueHeading = waiting.trueHeading >= 0
    return waiting
  }

  /// True while a heading waits to be taken.
  package var hasHeading: Bool { waiting != nil }

  @discardableResult
  private mutating func keep(
    _ estimate: Estimate, _ givesTrueHeading: Bool, _ receipt: Date
  ) -> Bool {
    guard
      let values = HeadingValues(
        estimate, turnedBy: turn, mountedBy: mount, givesTrueHeading: givesTrueHeading,
        receivedAt: receipt)
    else { return false }
    var trial = self
    guard waiting != nil || trial.isDue(values) else { return false }
    waiting = values
    return true
  }

  private mutating func isDue(_ values: HeadingValues) -> Bool {
    if (values.trueHeading >= 0) != lastHadTrueHeading { filter.reset() }
    return filter.passes(Angle(degrees: values.magneticHeading))
  }
}
