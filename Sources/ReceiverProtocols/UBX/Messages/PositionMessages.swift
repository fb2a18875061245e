import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221 and ZED-F9P
//   interface description UBX-18010854, as pyubx2 1.4.0, SparkFun's u-blox GNSS library 3 and
//   ubloxcfg quote them.

/// NAV-POSLLH (0x01 0x02): the position. NAV-STATUS reports whether there is a fix.
public struct NavPosLLH: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 28 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
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

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    position = fields.position(longitude: 4, latitude: 8)
    ellipsoidalAltitudeMetres = fields.i4(12, per: 1e3)
    altitudeMetres = fields.i4(16, per: 1e3)
    horizontalAccuracyMetres = fields.accuracy4(20, per: 1e3)
    verticalAccuracyMetres = fields.accuracy4(24, per: 1e3)
  }
}

/// NAV-HPPOSLLH (0x01 0x14): the position to 1e-9 degrees and tenths of millimetres.
public struct NavHPPosLLH: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 36 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// The position; nil where the receiver marks it as invalid.
  public var position: GeodeticPosition?
  /// Altitude above the WGS-84 ellipsoid; nil where the receiver marks it as invalid.
  public var ellipsoidalAltitudeMetres: Double?
  /// Altitude above mean sea level; nil where the receiver marks it as invalid.
  public var altitudeMetres: Double?
  /// One sigma of the horizontal position.
  public var horizontalAccuracyMetres: Double?
  /// One sigma of the altitude.
  public var verticalAccuracyMetres: Double?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(4)
    horizontalAccuracyMetres = fields.accuracy4(28, per: 1e4)
    verticalAccuracyMetres = fields.accuracy4(32, per: 1e4)
    guard !fields.u1(3).bit(0) else { return }
    func degrees(_ coarse: Int, _ fine: Int) -> Double {
      Double(Int64(fields.i4(coarse)) * 100 + Int64(fields.i1(fine))) / 1e9
    }
    func metres(_ coarse: Int, _ fine: Int) -> Double {
      Double(Int64(fields.i4(coarse)) * 10 + Int64(fields.i1(fine))) / 1e4
    }
    let (east, north) = (degrees(8, 24), degrees(12, 25))
    if abs(east) <= 180, abs(north) <= 90 {
      position = GeodeticPosition(latitudeDegrees: north, longitudeDegrees: east)
    }
    ellipsoidalAltitudeMetres = metres(16, 26)
    altitudeMetres = metres(20, 27)
  }
}

/// NAV-POSECEF (0x01 0x01): the position, earth-centred.
public struct NavPosECEF: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 20 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// The position; without a fix it is the last known one.
  public var position: EarthCentredPosition
  /// One sigma of the position in three dimensions.
  public var accuracyMetres: Double?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    position = EarthCentredPosition(fields, at: 4)
    accuracyMetres = fields.accuracy4(16, per: 1e2)
  }
}

/// NAV-HPPOSECEF (0x01 0x13): the position, earth-centred, to tenths of millimetres.
public struct NavHPPosECEF: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 28 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// The position; nil where the receiver marks it as invalid.
  public var position: EarthCentredPosition?
  /// One sigma of the position in three dimensions.
  public var accuracyMetres: Double?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(4)
    let isInvalid = fields.u1(23).bit(0)
    position = isInvalid ? nil : EarthCentredPosition(fields, at: 8, fineAt: 20)
    accuracyMetres = fields.accuracy4(24, per: 1e4)
  }
}

/// NAV-RELPOSNED (0x01 0x3C): vector from a reference station or another antenna to this one.
///
/// The reference may move (two antennas on one vessel): then `heading` is a satellite compass.
/// - Source: version 0, 40 bytes: UBX-13003221; version 1, 64 bytes: UBX-18010854.
public struct NavRelPosNED: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 40 }
  private static var lengthOfVersion1: Int { 64 }

  /// A vector along north, east and down.
  public struct Offset: Equatable, Sendable {
    /// North component.
    public var northMetres: Double
    /// East component.
    public var eastMetres: Double
    /// Down component.
    public var downMetres: Double

    /// Makes a vector from its components.
    public init(northMetres: Double, eastMetres: Double, downMetres: Double) {
      self.northMetres = northMetres
      self.eastMetres = eastMetres
      self.downMetres = downMetres
    }
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// The reference station's number.
  public var referenceStation: UInt16
  /// Vector from the reference to this antenna; nil where the receiver marks it as invalid.
  public var offset: Offset?
  /// One sigma of each component; nil where the offset is.
  public var offsetAccuracy: Offset?
  /// The offset's length; nil where the offset is, and in version 0.
  public var lengthMetres: Double?
  /// One sigma of the length.
  public var lengthAccuracyMetres: Double?
  /// The offset's direction clockwise from true north; nil where the receiver marks it as invalid,
  /// and in version 0, which has none.
  public var heading: Angle?
  /// One sigma of the heading.
  public var headingAccuracy: Angle?
  /// True where the solution is within the receiver's limits of dilution and accuracy.
  public var isFixOK: Bool
  /// True where differential corrections were applied.
  public var isDifferential: Bool
  /// State of the carrier phase solution.
  public var carrierSolution: UBXCarrierSolution?
  /// True where the reference moves.
  public var isMovingBaseline: Bool
  /// True where the reference's position was extrapolated.
  public var extrapolatesReferencePosition: Bool
  /// True where the reference's observations were extrapolated.
  public var extrapolatesReferenceObservations: Bool
  /// True where the offset has length one, so that only its direction is valid.
  public var isNormalised: Bool

  init(_ fields: UBXFields) throws(UBXRejection) {
    let version = fields.u1(0)
    guard version <= 1 else { throw .unregistered }
    let isVersion1 = version == 1
    guard !isVersion1 || fields.count >= Self.lengthOfVersion1 else { throw .malformed }
    let (fine, accuracy) = isVersion1 ? (32, 36) : (20, 24)
    let flags = fields.u4(isVersion1 ? 60 : 36)
    referenceStation = fields.u2(2)
    timeOfWeekMilliseconds = fields.u4(4)
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    carrierSolution = UBXCarrierSolution(rawValue: flags.bits(3, count: 2))
    isMovingBaseline = flags.bit(5)
    extrapolatesReferencePosition = flags.bit(6)
    extrapolatesReferenceObservations = flags.bit(7)
    isNormalised = isVersion1 && flags.bit(9)
    if flags.bit(2) {
      offset = Offset(
        northMetres: fields.metres(centimetres: 8, fine: fine),
        eastMetres: fields.metres(centimetres: 12, fine: fine + 1),
        downMetres: fields.metres(centimetres: 16, fine: fine + 2))
      offsetAccuracy = Offset(
        northMetres: Double(fields.u4(accuracy)) / 1e4,
        eastMetres: Double(fields.u4(accuracy + 4)) / 1e4,
        downMetres: Double(fields.u4(accuracy + 8)) / 1e4)
      if isVersion1 {
        lengthMetres = fields.metres(centimetres: 20, fine: 35)
        lengthAccuracyMetres = Double(fields.u4(48)) / 1e4
      }
    }
    if isVersion1, flags.bit(8) {
      heading = fields.angle4(24, per: 1e5)
      headingAccuracy = fields.angleAccuracy4(52, per: 1e5)
    }
  }
}
