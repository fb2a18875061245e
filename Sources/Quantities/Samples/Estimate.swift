/// The result of the fusion at one time. nil means unknown.
public struct Estimate: Equatable, Sendable {
  /// The time of the estimate.
  public var timestamp: Timestamp
  /// Civil time of the estimate, if a receiver or the machine's clock has it.
  public var utc: UTCTime?

  /// Rotation from body to earth with magnetic north.
  public var attitude: Rotation<BodyFrame, MagneticEarthFrame>?
  /// True if roll and pitch are known; a magnetometer alone gives heading without level.
  public var isLevelKnown = false
  /// The forward axis, clockwise from magnetic north.
  public var magneticHeading: MagneticHeading?
  /// The forward axis, clockwise from true north; needs a place and a date.
  public var trueHeading: TrueHeading?
  /// The bound of 95 % of magnetic heading errors; nil if unknown.
  public var headingAccuracy: Angle?
  /// The same for the true heading, including the magnetic model's uncertainty.
  public var trueHeadingAccuracy: Angle?
  /// The estimated deviation of the compass by the vehicle's iron, positive east; the headings are
  /// corrected for it. nil if it is not estimated.
  public var deviation: Angle?
  /// How far a vehicle's compass is from its heading by course, positive clockwise, where it
  /// contradicts it: the compass is uncalibrated or disturbed, and its heading is not used while
  /// the course gives one. nil where they agree.
  public var compassContradiction: Angle?
  /// How far the tilt was from gravity, where gravity contradicted it within the last half minute
  /// and it was reset: the gyroscope is faulty or of another scale, or an acceleration lasted.
  /// nil where they agree.
  public var tiltContradiction: Angle?
  /// What is known about the mounting of a receiver's two antennas; nil without such a receiver,
  /// and while the board file is the only information.
  public var antennas: AntennaState?
  /// What physics says about the axes and units of the sensors; nil without samples of them.
  public var inputs: InputVerdicts?
  /// True if the true heading uses a magnetic model outside its years of validity.
  public var isDeclinationOutOfDate = false
  /// Rate of turn, clockwise seen from above.
  public var rateOfTurn: AngularSpeed?
  /// Magnetic north from true north, clockwise, by the magnetic model; needs a place and a date.
  public var declination: Angle?
  /// The sensors in use for attitude and heading; nil without any.
  public var attitudeMode: AttitudeMode?
  /// The body's acceleration without gravity, m/s²: north, east, down, with north magnetic.
  public var acceleration: SIMD3<Double>?
  /// Heave above the mean height in the waves, metres; nil until the filter has settled.
  public var heaveMetres: Double?
  /// Significant height of the waves (Hm0) in the last 19 minutes, metres; of a boat only, nil in
  /// the first quarter of an hour.
  public var waveHeightMetres: Double?
  /// The period of the peak of the waves' spectrum, seconds; nil in a calm. Under way it is that of
  /// encounter.
  public var wavePeakPeriodSeconds: Double?
  /// The mean period of the waves between crossings of the mean height (Tm02), seconds.
  public var waveMeanPeriodSeconds: Double?
  /// The direction from which the waves of the peak come, clockwise from true north; nil where it
  /// is not clear, at 3 m/s and more, and without a true heading.
  public var waveDirection: Angle?
  /// The change of the pressure in three hours, hectopascal; nil before, and where the receiver's
  /// altitude changes.
  public var pressureTendencyHectopascal: Double?
  /// Its characteristic, 0 to 8, of WMO code table 0200.
  public var pressureCharacteristic: Int?
  /// The estimated earth's field here.
  public var earthField: EarthField?
  /// The earth's field by the magnetic model; needs a place and a date.
  public var modelField: EarthField?
  /// The field in body axes after calibration.
  public var field: MagneticField<BodyFrame>?

  /// The kind of fix.
  public var fixKind: FixKind?
  /// The position at the estimate's time: the receiver's, carried on by its velocity or, with an
  /// inertial unit, fused with its samples. In an outage the kind of fix is `deadReckoning`.
  public var position: GeodeticPosition?
  /// Horizontal accuracy: the radius of 68 % probability, metres.
  public var horizontalAccuracyMetres: Double?
  /// Altitude above mean sea level, metres.
  public var altitudeMetres: Double?
  /// The pressure at sea level that belongs to the altitude and the measured pressure (QNH), hPa;
  /// nil without both.
  public var qnhHectopascal: Double?
  /// Altitude above the WGS-84 ellipsoid, metres.
  public var ellipsoidalAltitudeMetres: Double?
  /// One sigma of the altitude, metres.
  public var verticalAccuracyMetres: Double?
  /// Vertical speed, upward, metres per second.
  public var verticalSpeedMetresPerSecond: Double?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Velocity over ground: north (true), east and down. North and east come from the receiver's
  /// vector, or from its speed and course; with an inertial unit and in an outage they are fused.
  /// Down is the fused vertical speed if it is known, else the receiver's, else the fused one with
  /// any uncertainty (2 m/s or less). nil without speed and course, and without an altitude.
  public var velocity: Velocity<EarthFrame>?
  /// Covariance of the position, square metres over true north, east and down. North and east are
  /// the receiver's own covariance, or `horizontalAccuracyMetres` as equal errors on both axes;
  /// down is the square of `verticalAccuracyMetres`, without correlation to them. nil if either is
  /// unknown.
  public var positionCovarianceSquareMetres: Matrix3?
  /// Covariance of `velocity`, (m/s)² over true north, east and down. North and east are the
  /// receiver's own covariance, or the square of `speedAccuracyMetresPerSecond` on both axes; down
  /// is the variance of the vertical speed in `velocity`, without correlation to them. nil if the
  /// receiver reports no velocity error, as with NMEA 0183.
  public var velocityCovarianceSquareMetresPerSecondSquared: Matrix3?
  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// Age of the differential corrections of the position, seconds; nil without any.
  public var correctionAgeSeconds: Double?
  /// The fix of the position: changes with every epoch, and each second in an outage.
  public var fixTimestamp: Timestamp?
  /// The time since the newest fix, seconds, where the position is carried on through an outage;
  /// nil elsewhere.
  public var outageSeconds: Double?
  /// The receiver's position where the filter holds it for an outlier; `position` is then the
  /// predicted one.
  public var rejectedPosition: GeodeticPosition?
  /// The accuracy that the receiver states for `rejectedPosition`: the radius of 68 % probability,
  /// metres.
  public var rejectedAccuracyMetres: Double?
  /// Satellites in the solution.
  public var satellitesUsed: Int?

  /// The state of motion, by steps, shaking, sway and speed; nil where it is unknown.
  public var motionState: MotionState?
  /// The probability of `motionState`, 0 to 1.
  public var motionProbability: Double?
  /// The time at which `motionState` began: of rest after travel, the time of the halt.
  public var motionSince: Timestamp?

  /// The state of the source of headings; nil for a board without one.
  public var headingState: SourceState?
  /// The time at which `headingState` began.
  public var headingStateSince: Timestamp?
  /// The state of the source of positions; nil for a board without one, and while no one needs it.
  public var positionState: SourceState?
  /// The time at which `positionState` began.
  public var positionStateSince: Timestamp?

  /// The calibration state of the magnetometer; nil without one.
  public var calibration: CalibrationState?
  /// Whether the field matches the earth's; nil without a magnetometer.
  public var disturbance: DisturbanceState?
  /// True if the values are simulated.
  public var isSimulated = false

  /// Makes an estimate with a time only.
  public init(timestamp: Timestamp) { self.timestamp = timestamp }
}

/// An angular speed.
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

extension Estimate {
  /// The place that monitoring judges, with its radius of 68 % probability: the receiver's own
  /// where the filter holds it for an outlier, else the position; nil without one.
  public var judgedPlace: (position: GeodeticPosition, accuracyMetres: Double?)? {
    guard let position else { return nil }
    return rejectedPosition.map { ($0, rejectedAccuracyMetres) }
      ?? (position, horizontalAccuracyMetres)
  }
}
