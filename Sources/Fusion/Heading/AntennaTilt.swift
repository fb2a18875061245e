import Quantities
import RealModule

/// The elevation of a receiver's second antenna above its main one, as a measurement of pitch, or
/// of roll where the antennas stand across the bow.
///
/// The antennas seldom stand exactly level: their elevation is learnt while nothing accelerates and
/// gravity shows level. During a lasting acceleration, as in a long curve, which the accelerometer
/// cannot distinguish from a tilt, the elevation corrects the tilt.
public struct AntennaTilt: Equatable, Sendable {
  /// Elevation of level antennas before it is known, one sigma, rad.
  private static let usualOffset = 5 * Double.pi / 180
  /// Elevation that is known well enough, one sigma, rad.
  private static let knownOffset = 1 * Double.pi / 180
  /// Tilt of the attitude filter, one sigma, rad.
  private static let levelSigma = 0.5 * Double.pi / 180
  /// Mean horizontal acceleration, m/s²: `offset` is learnt below `calm`, used above `lasting`.
  private static let (calm, lasting) = (0.3, 0.6)
  /// Time constant of the acceleration, s: vibration and waves average out.
  private static let accelerationTime = 3.0
  /// Correlation time of the receiver's error, s, and within a curve.
  private static let (errorSeconds, curveSeconds) = (60.0, 20.0)
  /// Lateness of a message and its one sigma, s.
  private static let (lateness, latenessSigma) = (0.1, 0.06)

  private var offset = 0.0
  private var variance = AntennaTilt.usualOffset * AntennaTilt.usualOffset
  private var acceleration = SIMD2<Double>.zero
  private var newest: Timestamp?

  /// Makes a state in which the elevation of level antennas is unknown.
  public init() {}

  /// The elevation of the baseline of a level body with its one sigma, rad; nil until it is known.
  public var levelElevation: (radians: Double, sigma: Double)? {
    variance <= Self.knownOffset * Self.knownOffset ? (offset, variance.squareRoot()) : nil
  }

  /// Uses an elevation.
  /// - Parameters:
  ///   - elevation: Second antenna up positive.
  ///   - sigma: One sigma.
  ///   - direction: Direction of the baseline, clockwise from the bow.
  ///   - filter: The attitude filter, whose tilt is corrected.
  ///   - t: When it came.
  public mutating func update(
    elevation: Angle, sigma: Angle, direction: Angle, with filter: inout AttitudeEstimator,
    at t: Timestamp
  ) {
    guard let solution = filter.solution, let felt = solution.acceleration,
      elevation.radians.isFinite, sigma.radians > 0, sigma.radians.isFinite
    else { return }
    let dt = newest.map { min(1, t.seconds(since: $0)) } ?? 0
    newest = t
    guard dt > 0 else { return }
    acceleration +=
      (SIMD2(felt.x, felt.y) - acceleration) * (dt / (dt + Self.accelerationTime))
    let axis = SIMD3(Double.cos(direction.radians), Double.sin(direction.radians), 0)
    let matrix = Matrix3(solution.attitude)
    let vector = matrix * axis
    let level = (1 - vector.z * vector.z).squareRoot()
    guard level > 0.5 else { return }
    let rising = -(matrix * filter.turnRate.cross(axis)).z / level
    let late = rising * Self.latenessSigma
    let noise = sigma.radians * sigma.radians + late * late
    let measured = elevation.radians + rising * Self.lateness
    let strength = (acceleration * acceleration).sum().squareRoot()
    if strength < Self.calm {
      let residual = measured - Double.asin(max(-1, min(1, -vector.z))) - offset
      let r = (noise + Self.levelSigma * Self.levelSigma) * max(1, 2 * Self.errorSeconds / dt)
      let gain = variance / (variance + r)
      offset += gain * residual
      variance -= gain * variance
    } else if strength > Self.lasting, let known = levelElevation {
      let r = noise + known.sigma * known.sigma
      filter.correctTilt(
        along: axis, elevation: measured - known.radians,
        variance: r * max(1, 2 * Self.curveSeconds / dt))
    }
  }
}
