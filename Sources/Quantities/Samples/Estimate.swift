/// What the fusion core believes at one instant. Absent means not known.
public struct Estimate: Equatable, Sendable {
  /// The instant that the estimate holds for.
  public var timestamp: Timestamp
  /// Civil time of the instant, where a receiver or the machine's clock tells it.
  public var utc: UTCTime?

  /// The body above the earth with magnetic north.
  public var attitude: Rotation<BodyFrame, MagneticEarthFrame>?
  /// Roll and pitch where the attitude is known; a magnetometer alone gives heading but no level.
  public var isLevelKnown = false
  /// The forward axis, clockwise from magnetic north.
  public var magneticHeading: MagneticHeading?
  /// The forward axis, clockwise from true north; needs a place and a date.
  public var trueHeading: TrueHeading?
  /// The radius that holds 95 % of magnetic heading errors; nil where it is not known.
  public var headingAccuracy: Angle?
  /// The same of the true heading, which adds the magnetic model's uncertainty.
  public var trueHeadingAccuracy: Angle?
  /// By how much the vehicle's own iron was found to turn the compass, positive east; the headings have it
  /// taken in. nil where it was not learnt.
  public var deviation: Angle?
  /// True where the true heading rests on a magnetic model outside the years that it is meant for.
  public var isDeclinationOutOfDate = false
  /// Clockwise seen from above.
  public var rateOfTurn: AngularSpeed?
  /// By which sensors attitude and heading are told; nil without any.
  public var attitudeMode: AttitudeMode?
  /// The body's acceleration without gravity, m/s²: north, east, down, with north magnetic.
  public var acceleration: SIMD3<Double>?
  /// Above the mean height in the waves, metres; nil until the filter has settled.
  public var heaveMetres: Double?
  /// The earth's field as it is found here.
  public var earthField: EarthField?
  /// The earth's field by the magnetic model; needs a place and a date.
  public var modelField: EarthField?
  /// The field in body axes after calibration.
  public var field: MagneticField<BodyFrame>?

  /// What the position rests on.
  public var fixKind: FixKind?
  /// The receiver's last position.
  public var position: GeodeticPosition?
  /// The radius that holds the place with 68 % probability, metres.
  public var horizontalAccuracyMetres: Double?
  /// Above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Above the WGS-84 ellipsoid, metres.
  public var ellipsoidalAltitudeMetres: Double?
  /// One sigma of the altitude, metres.
  public var verticalAccuracyMetres: Double?
  /// Upwards, metres per second.
  public var verticalSpeedMetresPerSecond: Double?
  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Over ground, clockwise from true north.
  public var course: Angle?
  /// Over ground: towards true north, east and down. North and east are the receiver's, or of its speed and
  /// course. Down is the fused vertical speed where that is known, else the receiver's, else the fused one
  /// however uncertain (2 m/s and less). nil without speed and course, and without an altitude.
  public var velocity: Velocity<EarthFrame>?
  /// Of the place, square metres over true north, east and down. North and east are the receiver's own
  /// covariance, or what `horizontalAccuracyMetres` means of equal errors on both axes; down is the square of
  /// `verticalAccuracyMetres`, without correlation to them. nil where either is not known.
  public var positionCovarianceSquareMetres: Matrix3?
  /// Of `velocity`, (m/s)² over true north, east and down. North and east are the receiver's own covariance,
  /// or the square of `speedAccuracyMetresPerSecond` on both axes; down is the variance of whichever vertical
  /// speed `velocity` has, without correlation to them. nil where the receiver says nothing of its velocity's
  /// error, as with NMEA 0183.
  public var velocityCovarianceSquareMetresPerSecondSquared: Matrix3?
  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// How old the differential corrections are that the position uses, seconds; nil without any.
  public var correctionAgeSeconds: Double?
  /// The last fix that the position came from: changes with every epoch.
  public var fixTimestamp: Timestamp?
  /// Satellites in the solution.
  public var satellitesUsed: Int?

  /// What is known of the magnetometer's errors; nil where there is no magnetometer.
  public var calibration: CalibrationState?
  /// Whether the field is the earth's; nil where there is no magnetometer.
  public var disturbance: DisturbanceState?
  /// True where no sensor stands behind the numbers.
  public var isSimulated = false

  /// Makes an estimate that knows nothing but its instant.
  public init(timestamp: Timestamp) { self.timestamp = timestamp }
}

/// How fast an angle grows.
public struct AngularSpeed: Equatable, Sendable {
  /// Radians per second.
  public var radiansPerSecond: Double
  /// Makes an angular speed from radians per second.
  @inlinable
  public init(radiansPerSecond: Double) { self.radiansPerSecond = radiansPerSecond }
  /// Degrees per second.
  @inlinable
  public var degreesPerSecond: Double { radiansPerSecond * (180 / .pi) }
}
