import Quantities
import RealModule

/// The position filter's result for one instant.
public struct PositionSolution: Equatable, Sendable {
  /// The place.
  public var position: GeodeticPosition
  /// The radius of 68 % probability, metres.
  public var horizontalAccuracyMetres: Double
  /// Covariance of the position over true north and east, square metres: north, east, both.
  public var positionCovariance: SIMD3<Double>
  /// Velocity over ground along true north and east, metres per second.
  public var velocity: SIMD2<Double>
  /// Covariance of the velocity over true north and east, (m/s)²: north, east, both.
  public var velocityCovariance: SIMD3<Double>
  /// The newest fix that was used.
  public var fixTimestamp: Timestamp
  /// Seconds since then.
  public var fixAgeSeconds: Double
  /// True while inertial samples are integrated.
  public var isInertial: Bool
  /// True while the body stands.
  public var isStanding: Bool

  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double {
    isStanding ? 0 : velocity.length
  }

  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double {
    let speed = velocity.length
    guard speed > 0.1 else {
      return (max(0, velocityCovariance.x + velocityCovariance.y) / 2).squareRoot()
    }
    return variance(along: velocity / speed).squareRoot()
  }

  /// Course over ground, clockwise from true north; nil where the body stands or is too slow for a
  /// course.
  public var course: Angle? {
    guard !isStanding, let sigma = courseAccuracy, sigma.radians < 0.6 else { return nil }
    return Angle(radians: Double.atan2(y: velocity.y, x: velocity.x)).wrappedToTurn
  }

  /// One sigma of the course; nil at a speed of nearly zero.
  public var courseAccuracy: Angle? {
    let speed = velocity.length
    guard speed > 0.3 else { return nil }
    let across = SIMD2(-velocity.y, velocity.x) / speed
    return Angle(radians: min(variance(along: across).squareRoot() / speed, .pi))
  }

  private func variance(along u: SIMD2<Double>) -> Double {
    let c = velocityCovariance
    return max(0, u.x * u.x * c.x + u.y * u.y * c.y + 2 * u.x * u.y * c.z)
  }
}
