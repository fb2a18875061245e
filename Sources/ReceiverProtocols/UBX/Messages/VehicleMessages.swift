import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221 (ADR and UDR),
//   as pyubx2 1.4.0 and SparkFun's u-blox GNSS library 3 quote it.

/// NAV-ATT (0x01 0x05) and HNR-ATT (0x28 0x01): the vehicle's attitude.
public struct VehicleAttitude: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 32 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// Roll, right side down positive; nil where the receiver does not know it.
  public var roll: Angle?
  /// Pitch, bow up positive; nil where the receiver does not know it.
  public var pitch: Angle?
  /// Direction of the vehicle's bow; nil where the receiver does not know it.
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

  init(_ fields: UBXFields) {
    /// An accuracy of zero means that the angle is not known.
    func accuracy(_ offset: Int) -> Angle? {
      fields.u4(offset) == 0 ? nil : fields.angleAccuracy4(offset, per: 1e5)
    }
    timeOfWeekMilliseconds = fields.u4(0)
    printedRoll = fields.angle4(8, per: 1e5)
    printedPitch = fields.angle4(12, per: 1e5)
    printedHeading = fields.angle4(16, per: 1e5)
    rollAccuracy = accuracy(20)
    pitchAccuracy = accuracy(24)
    headingAccuracy = accuracy(28)
    if rollAccuracy != nil { roll = printedRoll }
    if pitchAccuracy != nil { pitch = printedPitch }
    if headingAccuracy != nil { heading = TrueHeading(printedHeading) }
  }
}

/// ESF-INS (0x10 0x15) and HNR-INS (0x28 0x02): angular rate and acceleration of the vehicle about
/// and along its own axes (x forward, y right, z down), corrected for the sensors' errors.
///
/// The accelerations of ESF-INS do not contain gravity, those of HNR-INS do.
public struct VehicleDynamics: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 36 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// About x; nil where the receiver does not know it.
  public var xAngularRate: AngularSpeed?
  /// About y; nil where the receiver does not know it.
  public var yAngularRate: AngularSpeed?
  /// About z; nil where the receiver does not know it.
  public var zAngularRate: AngularSpeed?
  /// Along x; nil where the receiver does not know it.
  public var xAccelerationMetresPerSecondSquared: Double?
  /// Along y; nil where the receiver does not know it.
  public var yAccelerationMetresPerSecondSquared: Double?
  /// Along z; nil where the receiver does not know it.
  public var zAccelerationMetresPerSecondSquared: Double?

  init(_ fields: UBXFields) {
    let flags = fields.u4(0)
    func rate(_ offset: Int, _ bit: Int) -> AngularSpeed? {
      guard flags.bit(bit) else { return nil }
      return AngularSpeed(radiansPerSecond: fields.angle4(offset, per: 1e3).radians)
    }
    func acceleration(_ offset: Int, _ bit: Int) -> Double? {
      flags.bit(bit) ? fields.i4(offset, per: 1e2) : nil
    }
    timeOfWeekMilliseconds = fields.u4(8)
    xAngularRate = rate(12, 8)
    yAngularRate = rate(16, 9)
    zAngularRate = rate(20, 10)
    xAccelerationMetresPerSecondSquared = acceleration(24, 11)
    yAccelerationMetresPerSecondSquared = acceleration(28, 12)
    zAccelerationMetresPerSecondSquared = acceleration(32, 13)
  }
}

/// HNR-PVT (0x28 0x00): position, motion and time at the high rate of receivers with motion
/// sensors.
public struct HnrPVT: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 72 }

  /// GPS time of week of the high-rate epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// UTC, as far as it is valid.
  public var time: UBXTime
  /// Type of the solution; nil for a value that u-blox has not defined.
  public var fixType: UBXFixType?
  /// True where the solution is within the receiver's limits of dilution and accuracy.
  public var isFixOK: Bool
  /// True where differential corrections were applied.
  public var isDifferential: Bool
  /// True where the week number is known.
  public var isWeekKnown: Bool
  /// True where the time of week is known.
  public var isTimeOfWeekKnown: Bool
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
  /// Speed over ground.
  public var speedMetresPerSecond: Double
  /// Speed in three dimensions; negative backwards.
  public var spatialSpeedMetresPerSecond: Double
  /// Course over ground, clockwise from true north.
  public var course: Angle
  /// One sigma of the speed.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course, and of the vehicle's heading.
  public var headingAccuracy: Angle?
  /// Direction of the vehicle's bow, where the receiver knows it.
  public var vehicleHeading: TrueHeading?

  init(_ fields: UBXFields) {
    let flags = fields.u1(17)
    timeOfWeekMilliseconds = fields.u4(0)
    time = UBXTime(fields, at: 4, valid: fields.u1(11), nanoseconds: fields.i4(12))
    fixType = UBXFixType(rawValue: fields.u1(16))
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    isWeekKnown = flags.bit(2)
    isTimeOfWeekKnown = flags.bit(3)
    position = fields.position(longitude: 20, latitude: 24)
    ellipsoidalAltitudeMetres = fields.i4(28, per: 1e3)
    altitudeMetres = fields.i4(32, per: 1e3)
    speedMetresPerSecond = fields.i4(36, per: 1e3)
    spatialSpeedMetresPerSecond = fields.i4(40, per: 1e3)
    course = fields.angle4(44, per: 1e5)
    if flags.bit(4) { vehicleHeading = TrueHeading(fields.angle4(48, per: 1e5)) }
    horizontalAccuracyMetres = fields.accuracy4(52, per: 1e3)
    verticalAccuracyMetres = fields.accuracy4(56, per: 1e3)
    speedAccuracyMetresPerSecond = fields.accuracy4(60, per: 1e3)
    headingAccuracy = fields.angleAccuracy4(64, per: 1e5)
  }
}
