import Quantities

/// Everything that a receiver said about one instant. Absent means that it did not say.
public struct ReceiverEpoch: Equatable, Sendable {
  /// What the solution determines.
  public enum Dimension: Int, Comparable, Sendable {
    /// No fix.
    case none = 1
    /// The place.
    case two
    /// The place and the altitude.
    case three

    /// The order from the least to the most.
    public static func < (a: Dimension, b: Dimension) -> Bool { a.rawValue < b.rawValue }
  }

  /// Place, motion and accuracy. `fix.timestamp` is when the epoch's first byte came in.
  public var fix: Fix
  /// False where the receiver calls its solution outside its own limits (u-blox's `gnssFixOK`): gpsd tells it
  /// all the same, `vouchedFix` does not.
  public var isVouchedFor = true
  /// What the solution determines, by what the receiver says of this instant.
  public var dimension = Dimension.none
  /// As gpsd tells it: once three, it stays three until the fix is lost, though the receiver may say two.
  public var heldDimension = Dimension.none
  /// The altitude as printed, above mean sea level, metres; in a 2D solution, where `fix` has none, it is
  /// an old or assumed one.
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
  /// What GST said.
  public var errors: GST?
  /// Of the place, square metres over true north, east and down, as NAV-COV tells it.
  public var positionCovarianceSquareMetres: Matrix3?
  /// Of the velocity, (m/s)² over true north, east and down, as NAV-COV tells it.
  public var velocityCovarianceSquareMetresPerSecondSquared: Matrix3?
  /// Of the differential corrections in use, seconds; nil where none are.
  public var correctionAgeSeconds: Double?
  /// Mean sea level above the WGS-84 ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// Magnetic north clockwise from true north.
  public var magneticVariation: Angle?
  /// Over ground, clockwise from magnetic north.
  public var magneticCourse: Angle?
  /// True where the receiver's speed came, if at all, after the last sentence that tells its time: too
  /// late for gpsd, which then tells the derived one.
  public var isSpeedLate = false
  /// Speed between this place and the last one, metres per second, where no sentence gave a speed in time.
  public var derivedSpeedMetresPerSecond: Double?
  /// Rise between this altitude and the last one, metres per second; NMEA has no sentence for it.
  public var derivedClimbMetresPerSecond: Double?
  /// North, east, down, where the receiver tells it.
  public var velocity: Velocity<EarthFrame>?
  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?
  /// One sigma of the receiver's time, seconds.
  public var timeAccuracySeconds: Double?
  /// GPS time less UTC, where the receiver knows it.
  public var leapSeconds: Int?
  /// The other dilutions of precision: geometric, and of time.
  public var geometricDilution: Double?
  /// Of the time.
  public var timeDilution: Double?
  /// From the reference station, or a second antenna, to this one; metres north, east, down.
  public var baselineMetres: SIMD3<Double>?
  /// The bow's true direction by a compass on the same line.
  public var trueHeading: TrueHeading?
  /// The bow's magnetic direction by a compass on the same line.
  public var magneticHeading: MagneticHeading?
  /// What instruments on the same line measured since the last epoch.
  public var environment = Environment()
  /// The sky, where it was told anew since the last epoch.
  public var sky: SkyView?
  /// True where sentences of this instant came after it had been reported: this one replaces it.
  public var isRevision = false

  /// Makes an epoch of which nothing is known.
  public init(timestamp: Timestamp) { fix = Fix(timestamp: timestamp, kind: .none) }
}

/// What a compass, an attitude sensor or a pair of antennas on the receiver's line says.
public struct HeadingReport: Equatable, Sendable {
  /// When it came in.
  public var timestamp: Timestamp
  /// The instant that it is of, where it says so.
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
  /// The magnetic field below the horizontal.
  public var dip: Angle?
  /// One sigma of the heading.
  public var headingAccuracy: Angle?
  /// One sigma of the pitch.
  public var pitchAccuracy: Angle?
  /// One sigma of the roll.
  public var rollAccuracy: Angle?
  /// The angles as sent, also where the receiver does not vouch for them and they are not told above:
  /// gpsd hands them on.
  public var printed: Printed?

  /// Angles that nobody vouches for.
  public struct Printed: Equatable, Sendable {
    /// Clockwise from north.
    public var heading: Angle?
    /// Bow up.
    public var pitch: Angle?
    /// Right side down.
    public var roll: Angle?
  }

  /// Makes a report of what is known.
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
  /// True where it tells where the bow points.
  public var hasHeading: Bool { trueHeading != nil || magneticHeading != nil }
}

/// What the sentences of a receiver add up to.
public enum ReceiverReport: Equatable, Sendable {
  /// An instant is complete.
  case epoch(ReceiverEpoch)
  /// A compass spoke; it does not wait for an instant to be complete.
  case heading(HeadingReport)
  /// How the receiver's own motion sensors lie in the vehicle.
  case alignment(EsfAlg)
  /// Which second the receiver's next pulse will mark.
  case pulse(PulseAnnouncement)
}

/// Satellites in view and in use.
public struct SkyView: Equatable, Sendable {
  /// One satellite.
  public struct Satellite: Equatable, Sendable {
    /// Which one.
    public var id: SatelliteID
    /// Above the horizon, degrees.
    public var elevationDegrees: Double?
    /// Clockwise from true north, degrees.
    public var azimuthDegrees: Double?
    /// Carrier to noise density, dB-Hz.
    public var signalDecibelHertz: Double?
    /// True where the solution uses it.
    public var isUsed = false
  }

  /// In the order in which the receiver told them.
  public var satellites: [Satellite]
}
