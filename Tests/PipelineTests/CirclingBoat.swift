import Formats
import Foundation
import Quantities

/// The rows of a board with iron on it (x forward, y left, z up) on a boat that lies still for
/// three seconds and then turns in circles of a minute, rolling by three degrees.
struct CirclingBoat {
  /// The roll's amplitude, degrees.
  var rollDegrees = 3.0
  /// A constant list to the right, degrees.
  var listDegrees = 0.0
  /// The iron of the board, microtesla.
  var iron = SIMD3(14.0, -9, 6)
  /// Duration of a circle, s; infinite for none.
  var circleSeconds = 60.0
  /// The earth's field, microtesla.
  private static let earth = SIMD3(17.4, 0, 47.0)

  /// Fifty rows a second, each with inertial samples, every second one with a field.
  func rows(seconds: Double) -> [SensorSamples] {
    var seed: UInt64 = 5
    // Uniform noise of this standard deviation.
    func noise(_ sigma: Double) -> SIMD3<Double> {
      func one() -> Double {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Double(seed >> 11) / Double(UInt64(1) << 53) - 0.5) * 12.0.squareRoot() * sigma
      }
      return SIMD3(one(), one(), one())
    }
    return (0..<Int(bounded: seconds * 50)).map { n in
      let t = Double(n) / 50
      let at = Timestamp(nanoseconds: UInt64(n) * 20_000_000)
      let now = attitude(t)
      let step = attitude(t - 0.01).inverse * attitude(t + 0.01)
      let rate = step.v * ((step.w < 0 ? -2 : 2) / 0.02)
      var row = SensorSamples(timestamp: at)
      row.inertial = InertialSample(
        timestamp: at,
        angularRate: AngularRate(radiansPerSecond: Self.sensor(rate) + noise(0.002)),
        specificForce: SpecificForce(
          metresPerSecondSquared: Self.sensor(now.inverse.rotate(SIMD3(0, 0, -9.806_65)))
            + noise(0.03)))
      if n % 2 == 0 {
        row.field = FieldSample(
          timestamp: at,
          field: MagneticField(
            microtesla: Self.sensor(now.inverse.rotate(Self.earth)) + iron + noise(0.2)))
      }
      return row
    }
  }

  /// Forward, right and down above north, east and down.
  private func attitude(_ t: Double) -> Rotation<BodyFrame, MagneticEarthFrame> {
    let moving = max(0, t - 3)
    // Two seconds to reach the rate.
    let turned = moving < 2 ? moving * moving / 4 : moving - 1
    let heading = circleSeconds.isFinite ? 2 * .pi * turned / circleSeconds : 0
    let roll = (listDegrees + (t > 3 ? rollDegrees * sin(0.9 * (t - 3)) : 0)) * .pi / 180
    return Rotation<BodyFrame, MagneticEarthFrame>(rotationVector: SIMD3(0, 0, heading))
      * Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(roll, 0, 0))
  }

  private static func sensor(_ v: SIMD3<Double>) -> SIMD3<Double> { SIMD3(v.x, -v.y, -v.z) }
}
