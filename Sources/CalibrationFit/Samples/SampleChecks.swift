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

  /// Makes checks that have seen nothing.
  public init() {}

  /// Takes in a field sample along the sensor's axes, microtesla.
  public mutating func add(field m: SIMD3<Double>) {
    field.add(m)
    fieldReach.add(m)
    extremes.add(m)
  }

  /// Takes in an inertial sample of any completeness: rad/s and m/s² along the sensor's axes.
  public mutating func add(rate w: SIMD3<Double>?, force f: SIMD3<Double>?, at t: Timestamp) {
    if let w {
      rate.add(w)
      if let lastRate, t > lastRate { turned += w.length * min(t.seconds(since: lastRate), 0.5) }
      lastRate = t
    }
    if let f {
      force.add(f)
      forceReach.add(f)
    }
  }

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
    // The end of a range shows itself in values that come again and again while the others change.
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
