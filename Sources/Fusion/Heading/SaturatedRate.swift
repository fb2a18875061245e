import Quantities
import RealModule

/// Estimates the rate of rotation above the gyroscope's limit about saturated axes: a phase-locked
/// loop on the directions of gravity and field.
struct SaturatedRate: Equatable, Sendable {
  /// The rate in excess of the gyroscope's reading, rad/s, along the sensor's axes.
  private(set) var rate = SIMD3<Double>.zero
  private var sign = SIMD3<Double>.zero

  /// Time constant of the loop, s. Small: accelerations turn the attitude; large: the loop loses a
  /// fast spin.
  private static var time: Double { 0.04 }
  /// Damping: the fraction of the squared gain that corrects the rate.
  private static var rateGain: Double { 0.3 }
  /// Weight of a direction at which the gain is halved.
  private static var halfWeight: Double { 0.3 }
  /// Upper limit of the excess rate, rad/s.
  private static var fastest: Double { 35 }

  /// True while an axis is at its limit.
  var isOn: Bool { sign != .zero }

  /// - Parameter sign: The sign of each saturated axis, zero for the others.
  mutating func setLimits(_ sign: SIMD3<Double>) {
    self.sign = sign
    for i in 0..<3 where sign[i] == 0 { rate[i] = 0 }
  }

  /// - Returns: The rotation of the body that moves the expected direction towards the measured
  ///   one, rad.
  mutating func follow(
    _ measured: SIMD3<Double>, expected: SIMD3<Double>, weight: Double, seconds dt: Double
  ) -> SIMD3<Double> {
    var turn = SIMD3<Double>.zero
    guard dt > 0 else { return turn }
    let cross = measured.cross(expected)
    let dot = measured.dot(expected)
    for i in 0..<3 where sign[i] != 0 {
      let (n, d) = (weight * cross[i], weight * (dot - measured[i] * expected[i]))
      let size = (n * n + d * d).squareRoot()
      let phase = Double.atan2(y: n, x: d)
      let gain = (1 - Double.exp(-dt / Self.time)) * size / (size + Self.halfWeight)
      rate[i] += Self.rateGain * gain * gain * phase / dt
      // A saturated gyroscope reports too little, never too much.
      rate[i] = sign[i] * min(max(0, rate[i] * sign[i]), Self.fastest)
      turn[i] = gain * phase
    }
    return turn
  }

  mutating func code(_ c: inout StateCoder) {
    c.code(&rate)
    c.code(&sign)
  }
}
