import Quantities

/// The spread of the samples of a second, by which a board at rest is recognised.
///
/// The offsets of the sensors do not matter, so that a gyroscope with a large one can lie still
/// too.
struct MotionWindow {
  /// The largest spread at rest, m/s²: thirty times the noise of consumer accelerometers at 100 Hz
  /// (230 µg/√Hz, TDK DS-000189, table 2), below the shaking of any hand.
  private static let stillForce = 0.3
  /// The largest at rest, rad/s: 3 degrees a second, twenty times the noise of such gyroscopes.
  private static let stillRate = 3 * Double.pi / 180
  /// The largest at rest, microtesla: five times the noise of the LIS3MDL (DocID024204, table 3).
  private static let stillField = 2.5

  private var force = Spread()
  private var rate = Spread()
  private var field = Spread()

  mutating func add(_ row: SensorSamples) {
    if let value = row.inertial?.specificForce?.components { force.add(value) }
    if let value = row.inertial?.angularRate?.components { rate.add(value) }
    if let value = row.field?.field.components { field.add(value) }
  }

  /// True if no sensor delivered.
  var isEmpty: Bool { force.count + rate.count + field.count == 0 }
  /// The upward direction; nil without an accelerometer.
  var up: SIMD3<Double>? { force.count > 0 ? force.mean.normalized : nil }
  /// The mean rate, rad/s; zero without a gyroscope.
  var meanRate: SIMD3<Double> { rate.mean }
  /// The mean field, microtesla; zero without a magnetometer.
  var meanField: SIMD3<Double> { field.mean }

  /// True if every sensor that delivers has the spread of a board at rest.
  var isStill: Bool {
    force.deviation <= Self.stillForce && rate.deviation <= Self.stillRate
      && field.deviation <= Self.stillField
  }
}

/// Mean and spread of vectors.
struct Spread {
  private(set) var count = 0.0
  private var sum = SIMD3<Double>.zero
  private var squares = SIMD3<Double>.zero
  /// Subtracted first, so that the squares of a large mean lose no digits.
  private var origin = SIMD3<Double>.zero

  mutating func add(_ value: SIMD3<Double>) {
    if count == 0 { origin = value }
    count += 1
    sum += value - origin
    squares += (value - origin) * (value - origin)
  }

  var mean: SIMD3<Double> { count > 0 ? origin + sum / count : .zero }

  /// The standard deviation of each axis.
  var deviations: SIMD3<Double> {
    guard count > 1 else { return .zero }
    let mean = sum / count
    let variance = squares / count - mean * mean
    return SIMD3(
      max(0, variance.x).squareRoot(), max(0, variance.y).squareRoot(),
      max(0, variance.z).squareRoot())
  }

  /// The length of the standard deviations together.
  var deviation: Double { deviations.length }
}
