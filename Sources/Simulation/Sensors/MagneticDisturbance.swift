import Quantities
import RealModule

/// Iron or a magnet near the sensor for a while. Its field adds to the earth's, in body axes.
public enum MagneticDisturbance: Equatable, Sendable {
  /// A steady field for a while: a tool laid beside the sensor. It rises and falls within a fifth
  /// of a second.
  case laidDown(fromSeconds: Double, toSeconds: Double, field: MagneticField<BodyFrame>)
  /// A magnet carried past on a straight line.
  case passing(PassingMagnet)

  /// The time that laying down takes, seconds.
  static var rampSeconds: Double { 0.2 }

  package func field(atSeconds t: Double) -> MagneticField<BodyFrame> {
    switch self {
    case .laidDown(let from, let to, let field):
      let rise = Blend(elapsed: t - from, duration: Self.rampSeconds).value
      let fall = Blend(elapsed: t - to, duration: Self.rampSeconds).value
      return MagneticField(components: field.components * (rise - fall))
    case .passing(let magnet):
      return magnet.field(atSeconds: t)
    }
  }
}

/// A magnet that passes along the body's y axis from left to right, in front of the sensor.
public struct PassingMagnet: Equatable, Sendable {
  /// The instant of the smallest distance, seconds.
  public var nearestAtSeconds: Double
  /// The smallest distance, metres; ahead of the sensor.
  public var nearestMetres: Double
  /// Its speed, metres per second.
  public var speedMetresPerSecond: Double
  /// Its dipole moment in body axes, ampere square metres; a loudspeaker's is about 1.
  public var moment: SIMD3<Double>

  /// Makes a passing magnet.
  public init(
    nearestAtSeconds: Double, nearestMetres: Double, speedMetresPerSecond: Double,
    moment: SIMD3<Double>
  ) {
    self.nearestAtSeconds = nearestAtSeconds
    self.nearestMetres = nearestMetres
    self.speedMetresPerSecond = speedMetresPerSecond
    self.moment = moment
  }

  /// - Source: J. D. Jackson, Classical Electrodynamics, 3rd edition, equation 5.56.
  func field(atSeconds t: Double) -> MagneticField<BodyFrame> {
    // From the magnet to the sensor.
    let r = SIMD3(-nearestMetres, -(t - nearestAtSeconds) * speedMetresPerSecond, 0)
    let squared = r.lengthSquared
    let distance = squared.squareRoot()
    // The magnetic constant over 4 pi is 1e-7 T m/A, here in microtesla.
    let factor = 0.1 / (squared * distance)
    return MagneticField(microtesla: (r * (3 * moment.dot(r) / squared) - moment) * factor)
  }
}
