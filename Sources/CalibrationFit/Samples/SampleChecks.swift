import Quantities

/// Watches raw samples for sensors that hang or stand at the end of their range, which no fit can see
/// through. It counts only while something else shows that the board turns.
public struct SampleChecks: Equatable, Sendable {
  private var field = VectorRepeats()
  private var rate = VectorRepeats()
  private var force = VectorRepeats()
  private var extremes = ExtremeCounter()
  private var turned = 0.0
  private var fieldReach = Reach()
  private var forceReach = Reach()
  private var lastRate: Timestamp?
  private var lastForce: Timestamp?
  private var rateEnd: FullScaleDetector
  private var forceEnd: FullScaleDetector
  /// Seconds of turning, and those of them at the end of the gyroscope's range.
  private var turning = (all: 0.0, atEnd: 0.0)
  /// Seconds with a force, and those of them at the end of the range.
  private var pushing = (all: 0.0, atEnd: 0.0)
  /// What the gyroscope may have missed in the present flat top, rad.
  private var missed = 0.0

  /// Makes checks that have seen nothing.
  /// - Parameter fullScale: What the sensors show at the ends of their ranges.
  public init(fullScale: SensorFullScale = SensorFullScale()) {
    rateEnd = FullScaleDetector(
      fullScale: fullScale.radiansPerSecond, least: FullScaleDetector.leastRate)
    forceEnd = FullScaleDetector(
      fullScale: fullScale.metresPerSecondSquared, least: FullScaleDetector.leastForce)
  }

  /// Forgets what was seen but for the ends of the ranges, which belong to the sensors.
  public mutating func forget() {
    var next = SampleChecks()
    (next.rateEnd, next.forceEnd) = (rateEnd, forceEnd)
    self = next
  }

  /// Takes in a field sample along the sensor's axes, microtesla.
  public mutating func add(field m: SIMD3<Double>) {
    field.add(m)
    fieldReach.add(m)
    extremes.add(m)
  }

  /// Takes in an inertial sample of any completeness: rad/s and m/s² along the sensor's axes.
  /// - Returns: What of the orientation the sample leaves unreliable; nil where nothing.
  @discardableResult
  public mutating func add(
    rate w: SIMD3<Double>?, force f: SIMD3<Double>?, at t: Timestamp
  ) -> OrientationLoss? {
    var loss: OrientationLoss?
    if let f, add(force: f, at: t) { loss = .level }
    if let w, add(rate: w, at: t) { loss = .yaw }
    return loss
  }

  /// - Returns: True where the gyroscope has missed too much of a turn for yaw to be carried on.
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

  /// - Returns: True where the accelerometer stood at the end of its range.
  private mutating func add(force f: SIMD3<Double>, at t: Timestamp) -> Bool {
    force.add(f)
    forceReach.add(f)
    var seconds = 0.0
    if let lastForce, t > lastForce { seconds = min(t.seconds(since: lastForce), 0.5) }
    lastForce = t
    pushing.all += seconds
    guard forceEnd.add(f) != .zero else { return false }
    pushing.atEnd += seconds
    return true
  }

  /// Turning faster than this is what a gyroscope's range is for, rad/s.
  private static var fastTurning: Double { 0.5 }
  /// Beyond its range a gyroscope misses about half of what it gives. Source: the T-stick's recordings.
  private static var missedShare: Double { 0.5 }
  /// A flat top that hides no more than this is passed over.
  private static var toleratedMiss: Angle { Angle(degrees: 2) }
  /// The share of the turning at the end of the range from which on the orientation is no reference.
  private static var toleratedTurning: Double { 0.1 }
  /// The share of the time at the end of the range from which on level is no reference. A hand that shakes a
  /// sensor of 2 g is there for a tenth of the time; the samples between still tell level.
  private static var toleratedPushing: Double { 0.25 }

  /// What at the end of an inertial sensor's range left too little to fit; nil where nothing did.
  var shortage: CalibrationFitError? {
    if shareAtRateEnd > 0.01 { return .gyroscopeAtLimit(share: shareAtRateEnd) }
    if shareAtForceEnd > 0.01 { return .accelerometerAtLimit(share: shareAtForceEnd) }
    return nil
  }

  /// The share of the turning at the end of the gyroscope's range, 0 to 1.
  public var shareAtRateEnd: Double { turning.all > 1 ? turning.atEnd / turning.all : 0 }
  /// The share of the time at the end of the accelerometer's range, 0 to 1.
  public var shareAtForceEnd: Double { pushing.all > 1 ? pushing.atEnd / pushing.all : 0 }

  /// What makes the samples unfit for a calibration; nil where nothing does.
  public var fault: CalibrationFitError? {
    let isTurnedOver = forceReach.length > 4
    // A level turn leaves two axes of an ideal gyroscope at zero; a board that is turned over leaves none.
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
    // The end of a magnetometer's range shows itself in values that come again and again while the others change.
    if extremes.share > 0.03 { return .saturated(share: extremes.share) }
    let isTurnedByGyroscope = turned > 1
    let isTurnedByField = fieldReach.length > 15
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
  /// True where both have seen the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.field == b.field && a.rate == b.rate && a.force == b.force && a.extremes == b.extremes
      && a.turned == b.turned && a.fieldReach == b.fieldReach && a.forceReach == b.forceReach
      && a.rateEnd == b.rateEnd && a.forceEnd == b.forceEnd && a.turning == b.turning
      && a.pushing == b.pushing && a.missed == b.missed
  }
}

/// The same for each axis of a sensor, and for all together.
private struct VectorRepeats: Equatable, Sendable {
  private var axes = [RepeatCounter](repeating: RepeatCounter(), count: 3)

  mutating func add(_ value: SIMD3<Double>) { for i in 0..<3 { axes[i].add(value[i]) } }

  /// True where no axis changes.
  var isFrozen: Bool { axes.allSatisfy { $0.isFrozen } }
  /// The axis that does not change while others do; nil for none.
  var frozenAxis: String? {
    guard !isFrozen, let i = axes.firstIndex(where: { $0.isFrozen }) else { return nil }
    return ["x", "y", "z"][i]
  }
}

/// How often a sensor told exactly what it had told before.
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

  /// Noise makes even a resting sensor change its last digit; one that is read faster than it measures
  /// repeats itself often, but never for long.
  var isFrozen: Bool {
    count >= 20 && Double(repeats) > 0.9 * Double(count) && Double(longestRun) > 0.5 * Double(count)
  }
}

/// How far a vector has moved.
private struct Reach: Equatable, Sendable {
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

/// How often a part of the field stood at its own extreme while another part moved.
private struct ExtremeCounter: Equatable, Sendable {
  private var last: SIMD3<Double>?
  private var least = SIMD3<Double>(repeating: .infinity)
  private var most = SIMD3<Double>(repeating: -.infinity)
  private var atLeast = SIMD3<Double>.zero
  private var atMost = SIMD3<Double>.zero
  private var count = 0.0

  mutating func add(_ m: SIMD3<Double>) {
    // A sample near the last that counted says nothing of where the range ends.
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
