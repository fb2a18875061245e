import Quantities
import RealModule

/// How much faster than its gyroscope shows the body turns about the axes at which the gyroscope is at its
/// limit: a phase-locked loop on the directions of gravity and field.
struct SaturatedRate: Equatable, Sendable {
  /// Beyond what the gyroscope shows, rad/s, along the sensor's axes.
  private(set) var rate = SIMD3<Double>.zero
  private var sign = SIMD3<Double>.zero

  /// Time constant of the loop, s. Small: pushes turn the attitude; large: a spin is lost.
  private static var time: Double { 0.04 }
  /// Damping: the part of the squared gain that corrects the rate.
  private static var rateGain: Double { 0.3 }
  /// Weight at which a direction is worth half.
  private static var halfWeight: Double { 0.3 }
  /// No body that is measured turns faster beyond its gyroscope's range, rad/s.
  private static var fastest: Double { 35 }

  /// True while an axis is at its limit.
  var isOn: Bool { sign != .zero }

  /// - Parameter sign: Of each axis at its limit, zero of the others.
  mutating func keep(_ sign: SIMD3<Double>) {
    self.sign = sign
    for i in 0..<3 where sign[i] == 0 { rate[i] = 0 }
  }

  /// - Returns: The turn of the body that brings the expected direction nearer to the measured one, rad.
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
      // At its limit the gyroscope shows too little, never too much.
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
