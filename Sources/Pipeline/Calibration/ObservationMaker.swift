import CalibrationFit
import Formats
import Fusion
import Quantities

/// Makes the observations for a calibration from a board's samples: the raw field with the
/// orientation by gyroscope and accelerometer, or with gravity on a board without a gyroscope.
package struct ObservationMaker: Sendable {
  /// Longest age of the newest rate sample at a field sample, s.
  private static let longestRateAge = 0.25

  /// What was seen of the raw samples.
  package private(set) var checks: SampleChecks
  private var orientation: InertialOrientation
  private var observer = FieldObserver()
  private var lastRate: Timestamp?
  private var gravityObserver = GravityFieldObserver()
  private var lastForce: SIMD3<Double>?
  private var uprights = UprightMean()

  /// Makes a maker without samples.
  /// - Parameter fullScale: The ranges of the sensors.
  package init(fullScale: SensorFullScale = SensorFullScale()) {
    checks = SampleChecks(fullScale: fullScale)
    orientation = InertialOrientation(fullScale: fullScale)
  }

  /// Unit vector of gravity at the start, in sensor axes: the board is assumed to have been level
  /// then. Nil without an accelerometer.
  package var downAtStart: SIMD3<Double>? { uprights.down }

  /// Unit vector of gravity now, in sensor axes.
  package var downNow: SIMD3<Double>? {
    orientation.attitude?.rows.2 ?? lastForce.flatMap { (-$0).normalized }
  }

  /// True while the board lies still.
  package var isAtRest: Bool { orientation.isAtRest }

  /// Clears the faults of earlier samples.
  package mutating func forgetFaults() { checks.forget() }

  /// Adds all samples of one row.
  /// - Returns: An observation where an interval has ended.
  package mutating func add(_ row: SensorSamples) -> FieldObservation? {
    if let sample = row.inertial { add(sample) }
    return row.field.flatMap { add($0) }
  }

  /// Adds an inertial sample with a rate, a force or both.
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

  /// Adds a field sample.
  /// - Returns: An observation where an interval has ended.
  package mutating func add(_ sample: FieldSample<SensorFrame>) -> FieldObservation? {
    let now = sample.timestamp
    checks.add(field: sample.field.components)
    if let lastRate, abs(now.seconds(since: lastRate)) < Self.longestRateAge {
      // Without an attitude (during levelling) there is no observation.
      guard let attitude = orientation.attitude else { return nil }
      return observer.add(
        field: sample.field.components, at: now, attitude: attitude, rate: orientation.rate,
        isLevelCertain: orientation.isLevelCertain)
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
