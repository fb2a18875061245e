import Fusion
import Quantities

/// A body with a synthetic motion in a synthetic field: the samples of its sensors, and the truth.
struct Bench {
  /// North and down strength, microtesla: middle Europe's.
  static let field = SIMD3<Double>(18, 0, 45)
  var rate = 100.0
  var gyroscopeBias = SIMD3<Double>.zero
  var noise = Noise(seed: 3)
  var gyroscopeSigma = 0.002
  var forceSigma = 0.03
  var fieldSigma = 0.3
  /// Turns the sensor's axes in the body.
  var axes = Rotation<BodyFrame, BodyFrame>.identity
  /// The magnetometer's output in place of the field.
  var stuckField: SIMD3<Double>?
  /// The available sensors.
  var hasGyroscope = true
  var hasAccelerometer = true

  /// Feeds `filter` from `start` for `seconds` and gives the worst heading error of the last
  /// `check` s.
  mutating func run<F: AttitudeFilter>(
    _ filter: inout F, from start: Double = 0, seconds: Double, check: Double,
    extraField: SIMD3<Double> = .zero, hasField: Bool = true,
    earthDisturbance: (Double) -> SIMD3<Double> = { _ in .zero },
    motion: (Double) -> AttitudeAngles
  ) -> (heading: Double, tilt: Double) {
    var worst = (heading: 0.0, tilt: 0.0)
    let dt = 1 / rate
    var previous = attitude(motion, start - dt)
    for i in 0..<Int(bounded: seconds * rate) {
      let t = start + Double(i) * dt
      let now = attitude(motion, t)
      let step = previous.inverse * now
      previous = now
      let w = step.v * (2 / dt) * (step.w < 0 ? -1 : 1)
      let at = Timestamp(nanoseconds: UInt64(bounded: (10 + t) * 1e9))
      filter.update(
        InertialSample<BodyFrame>(
          timestamp: at,
          angularRate: hasGyroscope
            ? AngularRate(
              radiansPerSecond: axes.rotate(w + gyroscopeBias + vector() * gyroscopeSigma)) : nil,
          specificForce: hasAccelerometer
            ? SpecificForce(
              metresPerSecondSquared: axes.rotate(
                now.inverse.rotate(SIMD3(0, 0, -9.80665)) + vector() * forceSigma)) : nil))
      if hasField {
        filter.update(
          FieldSample<BodyFrame>(
            timestamp: at,
            field: MagneticField(
              microtesla: stuckField
                ?? axes.rotate(
                  now.inverse.rotate(Self.field + earthDisturbance(t)) + extraField
                    + vector() * fieldSigma))))
      }
      guard t >= start + seconds - check, let solution = filter.solution else { continue }
      let error = solution.attitude * axes * now.inverse
      let heading = abs(2 * atan(error.v.z / error.w))
      let down = (solution.attitude * axes).inverse.rotate(SIMD3(0, 0, 1))
      let tilt = (down - now.inverse.rotate(SIMD3(0, 0, 1))).length
      worst = (max(worst.heading, heading * 180 / .pi), max(worst.tilt, tilt * 180 / .pi))
    }
    return worst
  }

  private mutating func vector() -> SIMD3<Double> {
    SIMD3(noise.next(), noise.next(), noise.next())
  }

  private func attitude(
    _ motion: (Double) -> AttitudeAngles, _ t: Double
  ) -> Rotation<BodyFrame, MagneticEarthFrame> {
    Rotation(motion(t))
  }

  private func atan(_ x: Double) -> Double { Rotation<BodyFrame, BodyFrame>.arcTangent(x) }
}

extension Rotation {
  /// The arc tangent by way of `Rotation`, so that the test needs no other mathematics.
  fileprivate static func arcTangent(_ x: Double) -> Double {
    let half = Rotation<BodyFrame, BodyFrame>(w: 1, x: 0, y: 0, z: x)
    return (half?.angle.radians ?? 0) / 2 * (x < 0 ? -1 : 1)
  }
}

func degrees(_ heading: Double, _ pitch: Double = 0, _ roll: Double = 0) -> AttitudeAngles {
  AttitudeAngles(
    heading: Angle(degrees: heading), pitch: Angle(degrees: pitch), roll: Angle(degrees: roll))
}

/// A boat's waves and a slow turn.
func boat(_ t: Double) -> AttitudeAngles {
  degrees(40 + 6 * t, 5 * wave(t / 4), 15 * wave(t / 6 + 0.2))
}

/// A wave between -1 and 1 of period 1, smooth enough for a test.
func wave(_ x: Double) -> Double {
  let p = x - x.rounded(.down)
  let s = p < 0.5 ? p : p - 0.5
  let half = 16 * s * (0.5 - s)
  return (p < 0.5 ? 1 : -1) * half
}
