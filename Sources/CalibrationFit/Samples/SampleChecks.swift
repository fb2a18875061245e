import Quantities

/// Checks raw samples for frozen sensors and sensors at their limit, which no fit can detect. A
/// sensor is checked only while another sensor shows that the board turns.
public struct SampleChecks: Equatable, Sendable {
  private var field = VectorRepeats()
  private var rate = VectorRepeats()
  private var force = VectorRepeats()
  private var extremes = ExtremeCounter()
  private var turned = 0.0
  private var fieldRange = VectorRange()
  private var forceRange = VectorRange()
  private var lastRate: Timestamp?
  private var lastForce: Timestamp?
  private var rateEnd: FullScaleDetector
  private var forceEnd: FullScaleDetector
  /// Seconds of turning, and those with the gyroscope at its limit.
  private var turning = (all: 0.0, atEnd: 0.0)
  /// Seconds with a force, and those with the accelerometer at its limit.
  private var forceTime = (all: 0.0, atEnd: 0.0)
  /// Rotation that the gyroscope may have missed at the current limit, rad.
  private var missed = 0.0

  /// Makes checks without samples.
  /// - Parameter fullScale: The full-scale values of the sensors.
  public init(fullScale: SensorFullScale = SensorFullScale()) {
    rateEnd = FullScaleDetector(
      fullScale: fullScale.radiansPerSecond, least: FullScaleDetector.leastRate)
    forceEnd = FullScaleDetector(
      fullScale: fullScale.metresPerSecondSquared, least: FullScaleDetector.leastForce)
  }

  /// Resets the checks; the limits of the ranges remain, since they belong to the sensors.
  public mutating func forget() {
    var next = SampleChecks()
    (next.rateEnd, next.forceEnd) = (rateEnd, forceEnd)
    self = next
  }

  /// Adds a field sample along the sensor's axes, microtesla.
  public mutating func add(field m: SIMD3<Double>) {
    field.add(m)
    fieldRange.add(m)
    extremes.add(m)
  }

  /// Adds an inertial sample with rate, force or both: rad/s and m/s² along the sensor's axes.
  /// - Returns: The part of the orientation that is unreliable after the sample; nil if none.
  @discardableResult
  public mutating func add(
    rate w: SIMD3<Double>?, force f: SIMD3<Double>?, at t: Timestamp
  ) -> OrientationLoss? {
    var loss: OrientationLoss?
    if let f, add(force: f, at: t) { loss = .level }
    if let w, add(rate: w, at: t) { loss = .yaw }
    return loss
  }

  /// - Returns: True if the gyroscope has missed too much rotation for a continuous yaw.
  private mutating func add(rate w: SIMD3<Double>, at t: Timestamp) -> Bool {
    rate.add(w)
    var seconds = 0.0
    if let lastRate, t > lastRate { seconds = min(t.seconds(since: lastRate), 0.5) }
    lastRate = t
    turned += w.length * seconds
    if w.length > Self.fastTurning { turning.all += seconds }
    guard rateEnd.add(w) != .zero else {
      missed = 0
      return false
    }
    turning.atEnd += seconds
    missed += Self.missedShare * w.length * seconds
    return missed > Self.toleratedMiss.radians
  }

  /// - Returns: True if the accelerometer was at its limit.
  private mutating func add(force f: SIMD3<Double>, at t: Timestamp) -> Bool {
    force.add(f)
    forceRange.add(f)
    var seconds = 0.0
    if let lastForce, t > lastForce { seconds = min(t.seconds(since: lastForce), 0.5) }
    lastForce = t
    forceTime.all += seconds
    guard forceEnd.add(f) != .zero else { return false }
    forceTime.atEnd += seconds
    return true
  }

  /// Turning above this rate is counted, rad/s.
  private static var fastTurning: Double { 0.5 }
  /// Beyond its range a gyroscope misses about half of what it reports. Source: the T-stick's
  /// recordings.
  private static var missedShare: Double { 0.5 }
  /// Tolerated rotation missed at one limit.
  private static var toleratedMiss: Angle { Angle(degrees: 2) }
  /// The share of the turning at the limit above which the orientation is unusable.
  private static var toleratedTurning: Double { 0.1 }
  /// The share of the time at the limit above which level is unusable. For a 2 g sensor in a
  /// shaking hand it is a tenth; the samples between still give level.
  private static var toleratedPushing: Double { 0.25 }

  /// The fault of an inertial sensor at its limit, if that leaves too few samples; nil if there is
  /// none.
  var shortage: CalibrationFitError? {
    if shareAtRateEnd > 0.01 { return .gyroscopeAtLimit(share: shareAtRateEnd) }
    if shareAtForceEnd > 0.01 { return .accelerometerAtLimit(share: shareAtForceEnd) }
    return nil
  }

  /// The share of the turning with the gyroscope at its limit, 0 to 1.
  public var shareAtRateEnd: Double { turning.all > 1 ? turning.atEnd / turning.all : 0 }
  /// The share of the time with the accelerometer at its limit, 0 to 1.
  public var shareAtForceEnd: Double { forceTime.all > 1 ? forceTime.atEnd / forceTime.all : 0 }

  /// The fault that makes the samples unusable for a calibration; nil if there is none.
  public var fault: CalibrationFitError? {
    let isTurnedOver = forceRange.length > 4
    // A level turn leaves two axes of an ideal gyroscope at zero; turning the board over leaves
    // none.
    if isTurnedOver, let axis = rate.frozenAxis {
      return .frozenInertialUnit("gyroscope's \(axis) axis")
    }
    if isTurnedOver, let axis = field.frozenAxis {
      return .frozenInertialUnit("magnetometer's \(axis) axis")
    }
    if shareAtRateEnd > Self.toleratedTurning {
      return .gyroscopeAtLimit(share: shareAtRateEnd)
    }
    if shareAtForceEnd > Self.toleratedPushing {
      return .accelerometerAtLimit(share: shareAtForceEnd)
    }
    // A magnetometer at its limit repeats the same value while other axes change.
    if extremes.share > 0.03 { return .saturated(share: extremes.share) }
    let isTurnedByGyroscope = turned > 1
    let isTurnedByField = fieldRange.length > 15
    if field.isFrozen, isTurnedByGyroscope || isTurnedOver { return .frozenMagnetometer }
    if rate.isFrozen, isTurnedOver || isTurnedByField {
      return .frozenInertialUnit("gyroscope")
    }
    if force.isFrozen, isTurnedByGyroscope, isTurnedByField {
      return .frozenInertialUnit("accelerometer")
    }
    return nil
  }
}

extension SampleChecks {
  /// True if both have the same state.
  public static func == (a: Self, b: Self) -> Bool {
    a.field == b.field && a.rate == b.rate && a.force == b.force && a.extremes == b.extremes
      && a.turned == b.turned && a.fieldRange == b.fieldRange && a.forceRange == b.forceRange
      && a.rateEnd == b.rateEnd && a.forceEnd == b.forceEnd && a.turning == b.turning
      && a.forceTime == b.forceTime && a.missed == b.missed
  }
}

/// Repetition counters of a sensor's axes.
private struct VectorRepeats: Equatable, Sendable {
  private var axes = [RepeatCounter](repeating: RepeatCounter(), count: 3)

  mutating func add(_ value: SIMD3<Double>) { for i in 0..<3 { axes[i].add(value[i]) } }

  /// True if no axis changes.
  var isFrozen: Bool { axes.allSatisfy { $0.isFrozen } }
  /// The axis that is constant while others change; nil if there is none.
  var frozenAxis: String? {
    guard !isFrozen, let i = axes.firstIndex(where: { $0.isFrozen }) else { return nil }
    return ["x", "y", "z"][i]
  }
}

/// Counts exact repetitions of a value.
private struct RepeatCounter: Equatable, Sendable {
  private var last: Double?
  private var count = 0
  private var repeats = 0
  private var run = 0
  private var longestRun = 0

  mutating func add(_ value: Double) {
    if let last {
      count += 1
      run = last == value ? run + 1 : 0
      if run > 0 { repeats += 1 }
      longestRun = max(longestRun, run)
    }
    last = value
  }

  /// Noise changes the last digit of a resting sensor. A sensor that is read faster than it
  /// measures repeats values often, but never for long.
  var isFrozen: Bool {
    count >= 20 && Double(repeats) > 0.9 * Double(count) && Double(longestRun) > 0.5 * Double(count)
  }
}

/// The range of a vector.
private struct VectorRange: Equatable, Sendable {
  private var least: SIMD3<Double>?
  private var most: SIMD3<Double>?

  mutating func add(_ value: SIMD3<Double>) {
    least = pointwiseMin(least ?? value, value)
    most = pointwiseMax(most ?? value, value)
  }

  var length: Double {
    guard let least, let most else { return 0 }
    return (most - least).length
  }
}

/// Counts how often a component of the field is at its own extreme while another component moves.
private struct ExtremeCounter: Equatable, Sendable {
  private var last: SIMD3<Double>?
  private var least = SIMD3<Double>(repeating: .infinity)
  private var most = SIMD3<Double>(repeating: -.infinity)
  private var atLeast = SIMD3<Double>.zero
  private var atMost = SIMD3<Double>.zero
  private var count = 0.0

  mutating func add(_ m: SIMD3<Double>) {
    // A sample near the last counted one has no information on the limit.
    if let last, (m - last).length <= 0.5 { return }
    last = m
    count += 1
    for i in 0..<3 {
      if m[i] < least[i] { (least[i], atLeast[i]) = (m[i], 0) }
      if m[i] > most[i] { (most[i], atMost[i]) = (m[i], 0) }
      if m[i] == least[i] { atLeast[i] += 1 }
      if m[i] == most[i] { atMost[i] += 1 }
    }
  }

  /// The largest share of one extreme.
  var share: Double {
    guard count >= 50 else { return 0 }
    return max(atLeast.max(), atMost.max()) / count
  }
}
