import Quantities
import RealModule

/// The true state at one instant, for comparison with an estimate.
public struct Truth: Equatable, Sendable {
  /// The instant.
  public var timestamp: Timestamp
  /// Civil time of the instant.
  public var utc: UTCTime
  /// The body's attitude relative to true north.
  public var attitude: Rotation<BodyFrame, EarthFrame>
  /// Magnetic north east of true north; of the undisturbed field at this place.
  public var declination: Angle
  /// The undisturbed field of the earth.
  public var field: MagneticField<EarthFrame>
  /// The reading of an ideal gyroscope, along body axes.
  public var angularRate: AngularRate<BodyFrame>
  /// The reading of an ideal accelerometer, along body axes.
  public var specificForce: SpecificForce<BodyFrame>
  /// The rate of turn, clockwise positive.
  public var rateOfTurn: AngularSpeed
  /// The position.
  public var position: GeodeticPosition
  /// Above the WGS-84 ellipsoid, metres.
  public var ellipsoidalAltitudeMetres: Double
  /// Above mean sea level, metres.
  public var altitudeMetres: Double
  /// Over ground and down.
  public var velocity: Velocity<EarthFrame>
  /// Static pressure, hectopascal.
  public var pressureHectopascal: Double

  /// The body's attitude relative to magnetic north.
  public var magneticAttitude: Rotation<BodyFrame, MagneticEarthFrame> {
    Rotation<EarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(0, 0, -declination.radians)) * attitude
  }

  /// Heading, pitch and roll relative to true north.
  public var angles: AttitudeAngles { attitude.attitudeAngles }

  /// The forward axis, clockwise from true north.
  public var trueHeading: TrueHeading { TrueHeading(angles.heading) }

  /// The forward axis, clockwise from magnetic north.
  public var magneticHeading: MagneticHeading { MagneticHeading(angles.heading - declination) }

  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double {
    let v = velocity.metresPerSecond
    return (v.x * v.x + v.y * v.y).squareRoot()
  }

  /// Over ground, clockwise from true north; nil at a standstill.
  public var course: Angle? {
    let v = velocity.metresPerSecond
    return v.x == 0 && v.y == 0 ? nil : Angle(radians: .atan2(y: v.y, x: v.x)).wrappedToTurn
  }

  /// The field's inclination below the horizon.
  public var dip: Angle {
    let b = field.microtesla
    return Angle(radians: .atan2(y: b.z, x: (b.x * b.x + b.y * b.y).squareRoot()))
  }
}
