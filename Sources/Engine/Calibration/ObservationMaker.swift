import CalibrationFit
import Fusion
import Quantities
import Recording

/// Turns a board's samples into what a calibration is fitted to: the raw field beside the orientation
/// that gyroscope and accelerometer carry, or beside gravity on a board without a gyroscope.
package struct ObservationMaker: Sendable {
  /// A gyroscope that was last heard so long ago says nothing of the field's instant, s.
  private static let patience = 0.25

  /// What was seen of the raw samples.
  package private(set) var checks: SampleChecks
  private var orientation: InertialOrientation
  private var observer = FieldObserver()
  private var lastRate: Timestamp?
  private var gravityObserver = GravityFieldObserver()
  private var lastForce: SIMD3<Double>?
  private var uprights = UprightMean()

  /// Makes a maker that has seen nothing.
  /// - Parameter fullScale: What the sensors show at the ends of their ranges.
  package init(fullScale: SensorFullScale = SensorFullScale()) {
    checks = SampleChecks(fullScale: fullScale)
    orientation = InertialOrientation(fullScale: fullScale)
  }

  /// Where gravity pointed along the sensor's axes at the start, of length 1: the board is taken to have
  /// been level then. nil without an accelerometer.
  package var downAtStart: SIMD3<Double>? { uprights.down }

  /// How the board stands now: gravity along the sensor's axes.
  package var downNow: SIMD3<Double>? {
    orientation.attitude?.rows.2 ?? lastForce.flatMap { (-$0).normalized }
  }

  /// True while the board lies still.
  package var isAtRest: Bool { orientation.isAtRest }

  /// Forgets what was wrong with samples before.
  package mutating func forgetFaults() { checks.forget() }

  /// Takes in all that one instant holds.
  /// - Returns: An observation where an interval has ended.
  package mutating func add(_ row: SensorRow) -> FieldObservation? {
    if let sample = row.inertial { add(sample) }
    return row.field.flatMap { add($0) }
  }

  /// Takes in an inertial sample of any completeness.
  package mutating func add(_ sample: InertialSample<SensorFrame>) {
    let (rate, force) = (sample.angularRate?.components, sample.specificForce?.components)
    let loss = checks.add(rate: rate, force: force, at: sample.timestamp)
    if rate != nil { lastRate = sample.timestamp }
    if let force {
      uprights.add(force, at: sample.timestamp)
      lastForce = force
      if lastRate == nil { gravityObserver.add(force: force, at: sample.timestamp) }
    }
    orientation.update(sample)
    if let loss { observer.interrupt(at: sample.timestamp, loss) }
  }

  /// Takes in a field sample.
  /// - Returns: An observation where an interval has ended.
  package mutating func add(_ sample: FieldSample<SensorFrame>) -> FieldObservation? {
    let now = sample.timestamp
    checks.add(field: sample.field.components)
    if let lastRate, abs(now.seconds(since: lastRate)) < Self.patience {
      // While level is being found nothing can be said of the field.
      guard let attitude = orientation.attitude else { return nil }
      return observer.add(
        field: sample.field.components, at: now, attitude: attitude, rate: orientation.rate)
    }
    return gravityObserver.add(field: sample.field.components, at: now)
  }
}

/// The mean direction of gravity over the first seconds.
private struct UprightMean: Sendable {
  private static let seconds = 3.0
  private var sum = SIMD3<Double>.zero
  private var start: Timestamp?

  mutating func add(_ force: SIMD3<Double>, at t: Timestamp) {
    let begin = start ?? t
    start = begin
    if t.seconds(since: begin) <= Self.seconds { sum += force }
  }

  var down: SIMD3<Double>? { (-sum).normalized }
}
