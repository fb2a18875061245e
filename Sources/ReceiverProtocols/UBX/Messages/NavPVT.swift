import Quantities

/// NAV-PVT: position, motion and time, the one message that suffices for a fix.
/// - Source: u-blox M8 receiver description UBX-13003221 and ZED-F9P interface description
///   UBX-18010854, UBX-NAV-PVT (0x01 0x07); u-blox 7 sends the first 84 bytes. The layout was taken
///   from pyubx2 1.4.0 and SparkFun's u-blox GNSS library 3, which quote them.
public struct NavPVT: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 84 }
  private static var lengthWithVehicle: Int { 92 }

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
  /// True where the time was checked against an authenticated external source.
  public var isTimeAuthenticated: Bool
  /// Type of the solution; nil for a value that u-blox has not defined.
  public var fixType: UBXFixType?
  /// True where the solution is within the receiver's limits of dilution and accuracy.
  public var isFixOK: Bool
  /// True where differential corrections were applied.
  public var isDifferential: Bool
  /// State of the carrier phase solution.
  public var carrierSolution: UBXCarrierSolution?
  /// State of the power saving mode.
  public var powerSaving: UBXPowerSaving?
  /// Satellites in the solution.
  public var satellitesUsed: Int
  /// Position dilution of precision; 99.99 where there is no solution.
  public var positionDilution: Double
  /// Lower limit of the newest correction's age; nil where there is none.
  public var leastCorrectionAgeSeconds: Double?
  /// True where satellites with and without authenticated navigation data are mixed.
  public var mixesAuthenticatedSatellites: Bool
  /// The position; nil where the receiver marks it as invalid. Without a fix it is the last known
  /// one.
  public var position: GeodeticPosition?
  /// Altitude above the WGS-84 ellipsoid.
  public var ellipsoidalAltitudeMetres: Double?
  /// Altitude above mean sea level.
  public var altitudeMetres: Double?
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
  /// One sigma of the course, and of the vehicle's heading.
  public var headingAccuracy: Angle?
  /// Direction of the vehicle's bow, from receivers with motion sensors that know it.
  public var vehicleHeading: TrueHeading?
  /// Declination: magnetic north clockwise from true north, from receivers with a model of it.
  public var magneticDeclination: Angle?
  /// One sigma of the declination.
  public var magneticDeclinationAccuracy: Angle?

  init(_ fields: UBXFields) {
    let (valid, flags, confirmations) = (fields.u1(11), fields.u1(21), fields.u1(22))
    let moreFlags = fields.u2(78)
    timeOfWeekMilliseconds = fields.u4(0)
    time = UBXTime(fields, at: 4, valid: valid, nanoseconds: fields.i4(16))
    timeAccuracySeconds = fields.accuracy4(12, per: 1e9)
    isDateConfirmed = confirmations.bit(5) ? confirmations.bit(6) : nil
    isTimeConfirmed = confirmations.bit(5) ? confirmations.bit(7) : nil
    isTimeAuthenticated = moreFlags.bit(13)
    fixType = UBXFixType(rawValue: fields.u1(20))
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    carrierSolution = UBXCarrierSolution(rawValue: flags.bits(6, count: 2))
    powerSaving = UBXPowerSaving(rawValue: flags.bits(2, count: 3))
    satellitesUsed = Int(fields.u1(23))
    positionDilution = fields.u2(76, per: 1e2)
    leastCorrectionAgeSeconds = Self.leastAge(moreFlags.bits(1, count: 4))
    mixesAuthenticatedSatellites = moreFlags.bit(14)
    let isPlaceValid = !moreFlags.bit(0)
    position = isPlaceValid ? fields.position(longitude: 24, latitude: 28) : nil
    ellipsoidalAltitudeMetres = isPlaceValid ? fields.i4(32, per: 1e3) : nil
    altitudeMetres = isPlaceValid ? fields.i4(36, per: 1e3) : nil
    horizontalAccuracyMetres = fields.accuracy4(40, per: 1e3)
    verticalAccuracyMetres = fields.accuracy4(44, per: 1e3)
    velocity = fields.velocity(48, per: 1e3)
    speedMetresPerSecond = fields.i4(60, per: 1e3)
    course = fields.angle4(64, per: 1e5)
    speedAccuracyMetresPerSecond = fields.accuracy4(68, per: 1e3)
    headingAccuracy = fields.angleAccuracy4(72, per: 1e5)
    guard fields.count >= Self.lengthWithVehicle else { return }
    if flags.bit(5) { vehicleHeading = TrueHeading(fields.angle4(84, per: 1e5)) }
    if valid.bit(3) {
      magneticDeclination = Angle(degrees: Double(fields.i2(88)) / 1e2)
      magneticDeclinationAccuracy = Angle(degrees: fields.u2(90, per: 1e2))
    }
  }

  /// The lower end of a code's interval; codes of 12 and above are two minutes or more.
  private static func leastAge(_ code: UInt8) -> Double? {
    switch code {
    case 0: nil
    case 1: 0
    case 2: 1
    case 3: 2
    case 4: 5
    case 5: 10
    case 6: 15
    case 7: 20
    case 8: 30
    case 9: 45
    case 10: 60
    case 11: 90
    default: 120
    }
  }
}

extension UBXFields {
  /// Two signed four-byte numbers of 1e-7 degrees; nil beyond 180 degrees east or 90 degrees north.
  func position(longitude: Int, latitude: Int) -> GeodeticPosition? {
    let (east, north) = (i4(longitude, per: 1e7), i4(latitude, per: 1e7))
    guard abs(east) <= 180, abs(north) <= 90 else { return nil }
    return GeodeticPosition(latitudeDegrees: north, longitudeDegrees: east)
  }

  /// Three signed four-byte numbers: north, east, down.
  func velocity(_ offset: Int, per scale: Double) -> Velocity<EarthFrame> {
    Velocity(
      metresPerSecond: SIMD3(
        i4(offset, per: scale), i4(offset + 4, per: scale), i4(offset + 8, per: scale)))
  }
}
