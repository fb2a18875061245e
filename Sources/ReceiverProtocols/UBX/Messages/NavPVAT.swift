import Quantities

/// NAV-PVAT: position, motion, attitude and time of receivers with motion sensors.
/// - Source: u-blox F9 interface descriptions (HPS, DBS), UBX-NAV-PVAT (0x01 0x17), version 0. The
///   layout was taken from pyubx2 1.4.0 and SparkFun's u-blox GNSS library 3, which quote them.
public struct NavPVAT: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 116 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// UTC, as far as it is valid.
  public var time: UBXTime
  /// One sigma of the time.
  public var timeAccuracySeconds: Double?
  /// True where the date was confirmed by a further source; nil where nothing is known about that.
  public var isDateConfirmed: Bool?
  /// True where the time of day was confirmed; nil where nothing is known about that.
  public var isTimeConfirmed: Bool?
  /// Type of the solution; nil for a value that u-blox has not defined.
  public var fixType: UBXFixType?
  /// True where the solution is within the receiver's limits of dilution and accuracy.
  public var isFixOK: Bool
  /// True where differential corrections were applied.
  public var isDifferential: Bool
  /// State of the carrier phase solution.
  public var carrierSolution: UBXCarrierSolution?
  /// Satellites in the solution.
  public var satellitesUsed: Int
  /// The position; without a fix it is the last known one.
  public var position: GeodeticPosition?
  /// Altitude above the WGS-84 ellipsoid.
  public var ellipsoidalAltitudeMetres: Double
  /// Altitude above mean sea level.
  public var altitudeMetres: Double
  /// One sigma of the horizontal position.
  public var horizontalAccuracyMetres: Double?
  /// One sigma of the altitude.
  public var verticalAccuracyMetres: Double?
  /// Velocity along north, east and down.
  public var velocity: Velocity<EarthFrame>
  /// Speed over ground.
  public var speedMetresPerSecond: Double
  /// Course over ground, clockwise from true north.
  public var course: Angle
  /// One sigma of the speed.
  public var speedAccuracyMetresPerSecond: Double?
  /// Right side down positive, where the receiver knows it.
  public var roll: Angle?
  /// Bow up positive, where the receiver knows it.
  public var pitch: Angle?
  /// Direction of the vehicle's bow, where the receiver knows it.
  public var heading: TrueHeading?
  /// Roll as sent, even where the receiver does not know it.
  public var printedRoll: Angle
  /// Pitch as sent, bow up positive.
  public var printedPitch: Angle
  /// Heading as sent, clockwise from true north.
  public var printedHeading: Angle
  /// One sigma of the roll.
  public var rollAccuracy: Angle?
  /// One sigma of the pitch.
  public var pitchAccuracy: Angle?
  /// One sigma of the heading.
  public var headingAccuracy: Angle?
  /// Declination: magnetic north clockwise from true north, from receivers with a model of it.
  public var magneticDeclination: Angle?
  /// One sigma of the declination.
  public var magneticDeclinationAccuracy: Angle?
  /// Direction of the error ellipse's major axis, clockwise from true north.
  public var errorEllipseDirection: Angle
  /// Semi-major axis of the error ellipse.
  public var errorEllipseSemiMajorMetres: Double
  /// Semi-minor axis of the error ellipse.
  public var errorEllipseSemiMinorMetres: Double

  init(_ fields: UBXFields) {
    let (valid, flags, confirmations) = (fields.u1(5), fields.u1(25), fields.u1(26))
    func hundredths(_ offset: Int) -> Angle { Angle(degrees: fields.u2(offset, per: 1e2)) }
    timeOfWeekMilliseconds = fields.u4(0)
    time = UBXTime(fields, at: 6, valid: valid, nanoseconds: fields.i4(20))
    timeAccuracySeconds = fields.accuracy4(16, per: 1e9)
    isDateConfirmed = confirmations.bit(5) ? confirmations.bit(6) : nil
    isTimeConfirmed = confirmations.bit(5) ? confirmations.bit(7) : nil
    fixType = UBXFixType(rawValue: fields.u1(24))
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    carrierSolution = UBXCarrierSolution(rawValue: flags.bits(6, count: 2))
    satellitesUsed = Int(fields.u1(27))
    position = fields.position(longitude: 28, latitude: 32)
    ellipsoidalAltitudeMetres = fields.i4(36, per: 1e3)
    altitudeMetres = fields.i4(40, per: 1e3)
    horizontalAccuracyMetres = fields.accuracy4(44, per: 1e3)
    verticalAccuracyMetres = fields.accuracy4(48, per: 1e3)
    velocity = fields.velocity(52, per: 1e3)
    speedMetresPerSecond = fields.i4(64, per: 1e3)
    speedAccuracyMetresPerSecond = fields.accuracy4(68, per: 1e3)
    course = fields.angle4(84, per: 1e5)
    (printedRoll, printedPitch) = (fields.angle4(72, per: 1e5), fields.angle4(76, per: 1e5))
    printedHeading = fields.angle4(80, per: 1e5)
    if flags.bit(3) {
      roll = printedRoll
      rollAccuracy = hundredths(88)
    }
    if flags.bit(4) {
      pitch = printedPitch
      pitchAccuracy = hundredths(90)
    }
    if flags.bit(5) {
      heading = TrueHeading(printedHeading)
      headingAccuracy = hundredths(92)
    }
    if valid.bit(3) {
      magneticDeclination = Angle(degrees: Double(fields.i2(94)) / 1e2)
      magneticDeclinationAccuracy = hundredths(96)
    }
    errorEllipseDirection = hundredths(98)
    errorEllipseSemiMajorMetres = Double(fields.u4(100)) / 1e3
    errorEllipseSemiMinorMetres = Double(fields.u4(104)) / 1e3
  }
}
