import Quantities
import RealModule

/// What a second of inertial samples shows of the motion.
struct MotionFeatures: Sendable {
  /// Standard deviation of the force's magnitude, m/s², and its ratio to the sensor's noise.
  var shake: Double
  var shakeAboveFloor: Double
  /// Root mean square of the angular rate about its mean, rad/s; nil without a gyroscope.
  var turning: Double?
  var turningAboveFloor = 1.0
  /// The repetition of the force at 1.0 to 3.6 Hz within four seconds, 0 to 1, and its frequency;
  /// nil at slow sampling.
  var steps: (strength: Double, hertz: Double)?
  /// Root mean square of the slow roll and pitch, rad/s, and how regular it is at 3 to 12 s, 0 to
  /// 1; nil before 30 s.
  var sway: (rate: Double, strength: Double)?
}

/// Turns inertial samples of any rate into features, once a second.
struct MotionFeatureExtractor: Sendable {
  /// Interval of the features, s.
  static var interval: Double { 1 }
  /// Interval of the values in which steps are looked for, ns: 25 Hz, twice the third harmonic of a
  /// walk.
  private static var stepBin: UInt64 { 40_000_000 }
  /// Interval of the values in which sway is looked for, ns.
  private static var swayBin: UInt64 { 400_000_000 }
  /// A longer step is a gap, s.
  private static var longestStep: Double { 0.5 }

  /// Force and rate of the sensor at rest.
  private var shakeFloor = NoiseFloor(initial: 0.08, limits: 0.004...0.15)
  private var turningFloor = NoiseFloor(initial: 0.006, limits: 0.0005...0.012)

  private var last: Timestamp?
  private var begun: Timestamp?
  // Sums over the present second.
  private var count = 0.0
  private var size = 0.0
  private var sizeSquare = 0.0
  private var rateCount = 0.0
  private var rate = SIMD3<Double>.zero
  private var rateSquare = 0.0
  // The present values of the windows.
  private var stepBinNumber: UInt64 = 0
  private var stepSum = (size: 0.0, count: 0.0)
  private var swayBinNumber: UInt64 = 0
  private var gravity = SIMD3<Double>.zero
  private var slow = SIMD3<Double>.zero
  private var slowest = SIMD3<Double>.zero
  // Four seconds hold four steps of a slow walk; forty, three of the longest waves.
  private var steps = PeriodWindow(count: 100, lags: 7...25)
  private var sway = PeriodWindow(count: 100, lags: 8...30)

  /// Adds a sample; returns the features when a second is complete.
  mutating func add(_ sample: InertialSample<BodyFrame>) -> MotionFeatures? {
    guard let f = sample.specificForce?.components, f.isFinite else { return nil }
    let t = sample.timestamp
    let dt = last.map { t.seconds(since: $0) } ?? 0
    guard dt >= 0, dt < Self.longestStep else {
      restart()
      last = t
      return nil
    }
    last = t
    var features: MotionFeatures?
    if let begun, t.seconds(since: begun) >= Self.interval {
      features = count >= 8 ? self.features() : nil
      (self.begun, count, size, sizeSquare) = (t, 0, 0, 0)
      (rateCount, rate, rateSquare) = (0, .zero, 0)
    }
    begun = begun ?? t
    let length = f.length
    count += 1
    size += length
    sizeSquare += length * length
    addStep(length, t)
    if let w = sample.angularRate?.components, w.isFinite {
      rateCount += 1
      rate += w
      rateSquare += w.lengthSquared
      addSway(w, f, t, dt)
    }
    return features
  }

  private mutating func restart() {
    begun = nil
    (count, size, sizeSquare, rateCount, rate, rateSquare) = (0, 0, 0, 0, .zero, 0)
    (stepSum, gravity, slow, slowest) = ((0, 0), .zero, .zero, .zero)
    steps.clear()
    sway.clear()
  }

  private mutating func addStep(_ length: Double, _ t: Timestamp) {
    let bin = t.nanoseconds / Self.stepBin
    if bin != stepBinNumber, stepSum.count > 0 {
      // A sensor slower than the bins holds its value.
      let value = SIMD3(stepSum.size / stepSum.count, 0, 0)
      for _ in 0..<min(bin &- stepBinNumber, 12) { steps.add(value) }
      stepSum = (0, 0)
    }
    stepBinNumber = bin
    stepSum.size += length
    stepSum.count += 1
  }

  private mutating func addSway(
    _ w: SIMD3<Double>, _ f: SIMD3<Double>, _ t: Timestamp, _ dt: Double
  ) {
    if gravity == .zero { (gravity, slow, slowest) = (f, w, w) }
    gravity += (f - gravity) * (dt / (dt + 2))
    // Between the periods of 2.5 s and 50 s.
    slow += (w - slow) * (dt / (dt + 0.4))
    slowest += (w - slowest) * (dt / (dt + 8))
    let bin = t.nanoseconds / Self.swayBin
    guard bin != swayBinNumber else { return }
    swayBinNumber = bin
    let down = gravity.length
    guard down > 1 else { return }
    let band = slow - slowest
    let axis = gravity / down
    sway.add(band - axis * band.dot(axis))
  }

  private mutating func features() -> MotionFeatures {
    let mean = size / count
    let shake = max(0, sizeSquare / count - mean * mean).squareRoot()
    var features = MotionFeatures(shake: shake, shakeAboveFloor: shakeFloor.ratio(shake))
    if rateCount >= 8 {
      let w = rate / rateCount
      let turning = max(0, rateSquare / rateCount - w.lengthSquared).squareRoot()
      features.turning = turning
      features.turningAboveFloor = turningFloor.ratio(turning)
      // Thirty seconds of sway.
      if sway.filled > 0.75 {
        features.sway = (sway.variance.squareRoot(), sway.period()?.strength ?? 0)
      }
    }
    // At fewer than 12 samples a second steps alias.
    if count >= 12, steps.filled == 1 {
      let hertz = 1e9 / Double(Self.stepBin)
      features.steps = steps.period().map { ($0.strength, hertz / $0.length) } ?? (0, 0)
    }
    return features
  }
}

/// The noise of a sensor at rest: a minimum that rises slowly.
struct NoiseFloor: Sendable {
  private var level: Double
  private let limits: ClosedRange<Double>

  init(initial: Double, limits: ClosedRange<Double>) { (level, self.limits) = (initial, limits) }

  /// The ratio of a second's deviation to the floor, which learns from it.
  mutating func ratio(_ deviation: Double) -> Double {
    // Down within seconds; up within half an hour, and by rest only.
    if deviation < level {
      level += (deviation - level) * 0.2
    } else if deviation < 2 * level {
      level += (deviation - level) * 0.001
    }
    level = min(max(level, limits.lowerBound), limits.upperBound)
    return deviation / level
  }
}
