import Quantities

/// All values that a receiver reported for one instant; nil means not reported.
public struct ReceiverEpoch: Equatable, Sendable {
  /// What the solution determines.
  public enum Dimension: Int, Comparable, Sendable {
    /// No fix.
    case none = 1
    /// The position.
    case two
    /// The position and the altitude.
    case three

    /// Orders by the number of determined dimensions.
    public static func < (a: Dimension, b: Dimension) -> Bool { a.rawValue < b.rawValue }
  }

  /// Position, motion and accuracy. `fix.timestamp` is when the epoch's first byte was received.
  public var fix: Fix
  /// False where the receiver declares its solution outside its own limits (u-blox's `gnssFixOK`).
  /// gpsd reports such a solution, `validFix` does not.
  public var isFixOK = true
  /// The dimension by the receiver's messages of this instant.
  public var dimension = Dimension.none
  /// The dimension by gpsd's rule: once three, it stays three until the fix is lost, even where the
  /// receiver reports two.
  public var heldDimension = Dimension.none
  /// The altitude as printed, above mean sea level, metres; in a 2D solution, where `fix` has none,
  /// it is an old or assumed one.
  public var printedAltitudeMetres: Double?
  /// The same above the WGS-84 ellipsoid.
  public var printedHeightMetres: Double?
  /// Position dilution of precision.
  public var positionDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// The receiver's own one-sigma error to the north, metres.
  public var latitudeErrorMetres: Double?
  /// The receiver's own one-sigma error to the east, metres.
  public var longitudeErrorMetres: Double?
  /// The values of GST.
  public var errors: GST?
  /// Covariance of the position over true north, east and down, square metres, from NAV-COV.
  public var positionCovarianceSquareMetres: Matrix3?
  /// Covariance of the velocity over true north, east and down, (m/s)², from NAV-COV.
  public var velocityCovarianceSquareMetresPerSecondSquared: Matrix3?
  /// Age of the differential corrections in use, seconds; nil where none are in use.
  public var correctionAgeSeconds: Double?
  /// Mean sea level above the WGS-84 ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// Magnetic north clockwise from true north.
  public var magneticVariation: Angle?
  /// Course over ground, clockwise from magnetic north.
  public var magneticCourse: Angle?
  /// True where no speed came before the cycle's last sentence with a time. gpsd then reports the
  /// derived speed.
  public var isSpeedLate = false
  /// Speed between this position and the last one, metres per second, where no sentence contained a
  /// speed in time. Nil where it contradicts a late speed of the receiver: that one is right.
  public var derivedSpeedMetresPerSecond: Double?
  /// Climb between this altitude and the last one, metres per second; NMEA has no sentence for it.
  public var derivedClimbMetresPerSecond: Double?
  /// Velocity along north, east and down, where the receiver reports it.
  public var velocity: Velocity<EarthFrame>?
  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?
  /// One sigma of the receiver's time, seconds.
  public var timeAccuracySeconds: Double?
  /// True where the receiver knows the leap seconds of its UTC, false where it does not or has not
  /// reported those that a conversion needs; nil where it does not report whether it knows them, as
  /// NMEA 0183.
  public var isTimeResolved: Bool?
  /// GPS time minus UTC, seconds, where the receiver reports it.
  public var leapSeconds: Int?
  /// Geometric dilution of precision.
  public var geometricDilution: Double?
  /// Time dilution of precision.
  public var timeDilution: Double?
  /// Vector from the reference station or a second antenna to this one; metres north, east, down.
  public var baselineMetres: SIMD3<Double>?
  /// The bow's true direction by a compass on the same line.
  public var trueHeading: TrueHeading?
  /// The bow's magnetic direction by a compass on the same line.
  public var magneticHeading: MagneticHeading?
  /// Measurements of instruments on the same line since the last epoch.
  public var environment = Environment()
  /// The newest state of antenna and signals.
  public var signals = SignalState()
  /// Time since the receiver's start or reset, seconds, from NAV-STATUS.
  public var uptimeSeconds: Double?
  /// Time from the receiver's start to its first fix, seconds, from NAV-STATUS; 0 before the fix.
  public var ownFirstFixSeconds: Double?
  /// The satellites in view, where the receiver has reported them since the last epoch.
  public var sky: SkyView?
  /// True where messages of this instant came after its report: this epoch replaces the earlier
  /// one.
  public var isRevision = false

  /// Makes an epoch without values.
  public init(timestamp: Timestamp) { fix = Fix(timestamp: timestamp, kind: .none) }
}

/// Heading and attitude from a compass, an attitude sensor or a pair of antennas on the receiver's
/// line.
public struct HeadingReport: Equatable, Sendable {
  /// When the message was received.
  public var timestamp: Timestamp
  /// The instant of the measurement, where the message contains it.
  public var utc: UTCTime?
  /// The bow's true direction.
  public var trueHeading: TrueHeading?
  /// The bow's magnetic direction.
  public var magneticHeading: MagneticHeading?
  /// Clockwise seen from above.
  public var rateOfTurn: AngularSpeed?
  /// Bow up.
  public var pitch: Angle?
  /// Right side down.
  public var roll: Angle?
  /// Upwards, metres.
  public var heaveMetres: Double?
  /// Inclination of the magnetic field below the horizontal.
  public var dip: Angle?
  /// One sigma of the heading.
  public var headingAccuracy: Angle?
  /// One sigma of the pitch.
  public var pitchAccuracy: Angle?
  /// One sigma of the roll.
  public var rollAccuracy: Angle?
  /// The vector from the receiver's main antenna to its second one, whose direction the heading is;
  /// nil where another device measured the heading.
  public var antennas: AntennaVector?
  /// The angles as sent, including those that the receiver marks as unknown and that are nil above;
  /// gpsd forwards them.
  public var printed: Printed?

  /// Angles as sent, which may be invalid.
  public struct Printed: Equatable, Sendable {
    /// Clockwise from north.
    public var heading: Angle?
    /// Bow up.
    public var pitch: Angle?
    /// Right side down.
    public var roll: Angle?
  }

  /// Makes a report; the other values are nil.
  public init(
    timestamp: Timestamp, trueHeading: TrueHeading? = nil,
    magneticHeading: MagneticHeading? = nil, rateOfTurn: AngularSpeed? = nil
  ) {
    self.timestamp = timestamp
    self.trueHeading = trueHeading
    self.magneticHeading = magneticHeading
    self.rateOfTurn = rateOfTurn
  }
}

extension HeadingReport {
  /// True where it contains a true or magnetic heading.
  public var hasHeading: Bool { trueHeading != nil || magneticHeading != nil }
}

/// A result of the messages of a receiver.
public enum ReceiverReport: Equatable, Sendable {
  /// The epoch of a complete instant.
  case epoch(ReceiverEpoch)
  /// A heading or attitude, reported before its instant is complete.
  case heading(HeadingReport)
  /// Mounting angles of the receiver's own motion sensors.
  case alignment(EsfAlg)
  /// The second of the receiver's next pulse.
  case pulse(PulseAnnouncement)
}

/// Satellites in view and in use.
public struct SkyView: Equatable, Sendable {
  /// One satellite.
  public struct Satellite: Equatable, Sendable {
    /// System and number.
    public var id: SatelliteID
    /// Elevation above the horizon, degrees.
    public var elevationDegrees: Double?
    /// Azimuth clockwise from true north, degrees.
    public var azimuthDegrees: Double?
    /// Carrier to noise density, dB-Hz.
    public var signalDecibelHertz: Double?
    /// True where the solution uses it.
    public var isUsed = false
    /// True where its navigation message declares it healthy; nil where that is not known.
    public var isHealthy: Bool?

    /// Makes a satellite.
    public init(
      id: SatelliteID, elevationDegrees: Double? = nil, azimuthDegrees: Double? = nil,
      signalDecibelHertz: Double? = nil, isUsed: Bool = false, isHealthy: Bool? = nil
    ) {
      (self.id, self.isUsed, self.isHealthy) = (id, isUsed, isHealthy)
      (self.elevationDegrees, self.azimuthDegrees) = (elevationDegrees, azimuthDegrees)
      self.signalDecibelHertz = signalDecibelHertz
    }
  }

  /// In the order of the receiver's messages.
  public var satellites: [Satellite]

  /// Makes a sky of its satellites.
  public init(satellites: [Satellite]) { self.satellites = satellites }
}
