import CalibrationFit
import Foundation
import Fusion
import Quantities

/// A simulated level turn: three seconds at rest, then yaw to one side at an even rate while the
/// board tilts a little, and the same way back. Gyroscope, accelerometer and magnetometer have
/// noise.
struct LevelTurn: Sendable {
  /// The earth's field of the turn, microtesla: that of the trials' room.
  static let field = EarthField(horizontal: 16, down: 44)

  /// Through how much yaw the board goes, degrees.
  var yaw: Double
  /// The tilt about each level axis, one sigma, degrees.
  var tilt: Double

  private static let hertz = 100.0
  private static let rest = 3.0
  /// Degrees a second.
  private static let turnRate = 20.0
  /// The tilt's correlation time, s.
  private static let tiltTime = 1.5
  /// The magnetometer's latency, s.
  private static let latency = 0.012
  /// The angle's random walk, degrees after a second, and the bias about each axis, degrees a
  /// second.
  private static let (angleWalk, bias) = (0.01, 0.2)
  /// Noise of specific force, m/s², and of the field, microtesla.
  private static let (forceNoise, fieldNoise) = (0.03, 0.4)

  /// The observations of the turn by Lodestar's orientation filter and observer, with the field
  /// undistorted.
  func observations(seed: Int) -> [FieldObservation] {
    var draws = Draws(seed: seed)
    var trouble = GyroscopeTrouble.Process(
      GyroscopeTrouble(bias: Self.bias, angleWalk: Self.angleWalk), period: 1 / Self.hertz,
      seed: seed + 1)
    var orientation = InertialOrientation()
    var observer = FieldObserver()
    var result: [FieldObservation] = []
    let side = yaw / Self.turnRate
    let attitudes = attitudes(seconds: Self.rest + 2 * side, &draws)
    for (i, attitude) in attitudes.enumerated().dropFirst() {
      let turn = attitudes[i - 1].inverse * attitude
      let rate = turn.rotationVector * Self.hertz
      let force: SIMD3<Double> = attitude.inverse.rotate(SIMD3(0, 0, -9.81))
      let time = Timestamp(nanoseconds: UInt64((1 + Double(i) / Self.hertz) * 1e9))
      orientation.update(
        InertialSample<SensorFrame>(
          timestamp: time, angularRate: AngularRate(components: trouble(rate)),
          specificForce: SpecificForce(
            components: force + draws.vector() * Self.forceNoise)))
      guard let carried = orientation.attitude else { continue }
      // As it was a latency ago.
      let late = attitude * Rotation<BodyFrame, BodyFrame>(rotationVector: -rate * Self.latency)
      let earth = SIMD3(Self.field.horizontal, 0, Self.field.down)
      let field: SIMD3<Double> = late.inverse.rotate(earth) + draws.vector() * Self.fieldNoise
      let observation = observer.add(
        field: field, at: time, attitude: carried, rate: orientation.rate)
      if let observation { result.append(observation) }
    }
    return result
  }

  private func attitudes(
    seconds: Double, _ draws: inout Draws
  ) -> [Rotation<BodyFrame, MagneticEarthFrame>] {
    let decay = exp(-1 / (Self.tiltTime * Self.hertz))
    let push = tilt * .pi / 180 * (1 - decay * decay).squareRoot()
    // Twice filtered: a board's tilt has no corners.
    var (raw, smooth) = (SIMD2<Double>.zero, SIMD2<Double>.zero)
    let side = yaw / Self.turnRate
    return (0..<Int(seconds * Self.hertz)).map { i in
      let t = Double(i) / Self.hertz - Self.rest
      if t > 0 {
        raw = raw * decay + SIMD2(draws.normal(), draws.normal()) * push
        smooth += (raw - smooth) * (1 - decay)
      }
      let angle = Self.turnRate * max(0, t < side ? t : 2 * side - t) * .pi / 180
      let heading = Rotation<BodyFrame, MagneticEarthFrame>(rotationVector: SIMD3(0, 0, angle))
      // The second filter halves the variance.
      let lean = smooth * 2.0.squareRoot()
      return heading
        * Rotation<BodyFrame, BodyFrame>(rotationVector: SIMD3(lean.x, lean.y, 0))
    }
  }
}

extension Rotation {
  /// The shortest turn that does the same.
  fileprivate var rotationVector: SIMD3<Double> {
    let sign = w < 0 ? -1.0 : 1
    let length = v.length
    return length > 0 ? v * (sign * 2 * atan2(length, abs(w)) / length) : .zero
  }
}
