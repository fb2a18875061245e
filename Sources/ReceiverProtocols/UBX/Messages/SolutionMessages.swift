import Quantities

// - Source of the layouts in this file: u-blox M8 receiver description UBX-13003221, as pyubx2
//   1.4.0, SparkFun's u-blox GNSS library 3 and (NAV-SOL) the cc.ublox library quote it.

/// NAV-SOL (0x01 0x06): the solution of receivers before u-blox 7, earth-centred.
public struct NavSol: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 52 }

  /// GPS time of week of the navigation epoch, rounded; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// Remainder of the rounding to milliseconds; nil where the time of week is not known.
  public var timeOfWeekFractionNanoseconds: Int32?
  /// Weeks since 1980-01-06, not modulo 1024; nil where it is not known.
  public var week: Int?
  /// Type of the solution; nil for a value that u-blox has not defined.
  public var fixType: UBXFixType?
  /// True where the solution is within the receiver's limits of dilution and accuracy.
  public var isFixOK: Bool
  /// True where differential corrections were applied.
  public var isDifferential: Bool
  /// The position; without a fix it is the last known one.
  public var position: EarthCentredPosition
  /// One sigma of the position in three dimensions.
  public var positionAccuracyMetres: Double?
  /// The velocity.
  public var velocity: EarthCentredVelocity
  /// One sigma of the speed in three dimensions.
  public var speedAccuracyMetresPerSecond: Double?
  /// Position dilution of precision; 99.99 where there is no solution.
  public var positionDilution: Double
  /// Satellites in the solution.
  public var satellitesUsed: Int

  init(_ fields: UBXFields) {
    let flags = fields.u1(11)
    timeOfWeekMilliseconds = fields.u4(0)
    timeOfWeekFractionNanoseconds = flags.bit(3) ? fields.i4(4) : nil
    week = flags.bit(2) ? Int(fields.i2(8)) : nil
    fixType = UBXFixType(rawValue: fields.u1(10))
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    position = EarthCentredPosition(fields, at: 12)
    positionAccuracyMetres = fields.accuracy4(24, per: 1e2)
    velocity = EarthCentredVelocity(fields, at: 28)
    speedAccuracyMetresPerSecond = fields.accuracy4(40, per: 1e2)
    positionDilution = fields.u2(44, per: 1e2)
    satellitesUsed = Int(fields.u1(47))
  }
}

/// NAV-STATUS (0x01 0x03): status of the solution.
public struct NavStatus: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 16 }

  /// Result of the spoofing detection.
  public enum Spoofing: UInt8, Sendable {
    /// Not known, or the detection is off.
    case unknown = 0
    /// No indication.
    case none
    /// One indication.
    case indicated
    /// Several indications.
    case indicatedManifold
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
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
  /// True where differential corrections are available.
  public var hasCorrections: Bool
  /// State of the carrier phase solution; nil from receivers that do not report it.
  public var carrierSolution: UBXCarrierSolution?
  /// 0 searching or not saving power, 1 tracking, 2 tracking at reduced power, 3 asleep.
  public var powerSavingState: UInt8
  /// Result of the spoofing detection.
  public var spoofing: Spoofing?
  /// Time from start to the first fix.
  public var timeToFirstFixSeconds: Double
  /// Time since start or reset.
  public var uptimeSeconds: Double

  init(_ fields: UBXFields) {
    let (flags, correction, more) = (fields.u1(5), fields.u1(6), fields.u1(7))
    timeOfWeekMilliseconds = fields.u4(0)
    fixType = UBXFixType(rawValue: fields.u1(4))
    isFixOK = flags.bit(0)
    isDifferential = flags.bit(1)
    isWeekKnown = flags.bit(2)
    isTimeOfWeekKnown = flags.bit(3)
    hasCorrections = correction.bit(0)
    // `carrSolnValid` is set by receivers that support the field.
    carrierSolution =
      correction.bit(1) ? UBXCarrierSolution(rawValue: more.bits(6, count: 2)) : nil
    powerSavingState = more.bits(0, count: 2)
    spoofing = Spoofing(rawValue: more.bits(3, count: 2))
    timeToFirstFixSeconds = Double(fields.u4(8)) / 1e3
    uptimeSeconds = Double(fields.u4(12)) / 1e3
  }
}

/// NAV-DOP (0x01 0x04): dilution of precision; 99.99 where there is no solution.
public struct NavDOP: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 18 }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// Dilution of position and time.
  public var geometricDilution: Double
  /// Dilution of the position in three dimensions.
  public var positionDilution: Double
  /// Dilution of the time.
  public var timeDilution: Double
  /// Dilution of the altitude.
  public var verticalDilution: Double
  /// Dilution of the position in two dimensions.
  public var horizontalDilution: Double
  /// Dilution to the north.
  public var northingDilution: Double
  /// Dilution to the east.
  public var eastingDilution: Double

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    geometricDilution = fields.u2(4, per: 1e2)
    positionDilution = fields.u2(6, per: 1e2)
    timeDilution = fields.u2(8, per: 1e2)
    verticalDilution = fields.u2(10, per: 1e2)
    horizontalDilution = fields.u2(12, per: 1e2)
    northingDilution = fields.u2(14, per: 1e2)
    eastingDilution = fields.u2(16, per: 1e2)
  }
}

/// NAV-COV (0x01 0x36): covariances of position and velocity.
/// - Source: UBX-18010854, version 0; pyubx2 1.4.0 and ubloxcfg.
public struct NavCov: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 64 }

  /// The six different elements of a symmetric matrix over north, east and down.
  public struct Covariance: Equatable, Sendable {
    /// North with north.
    public var northNorth: Double
    /// North with east.
    public var northEast: Double
    /// North with down.
    public var northDown: Double
    /// East with east.
    public var eastEast: Double
    /// East with down.
    public var eastDown: Double
    /// Down with down.
    public var downDown: Double

    init(_ fields: UBXFields, at offset: Int) {
      func element(_ n: Int) -> Double { Double(fields.r4(offset + 4 * n)) }
      (northNorth, northEast, northDown) = (element(0), element(1), element(2))
      (eastEast, eastDown, downDown) = (element(3), element(4), element(5))
    }
  }

  /// GPS time of week of the navigation epoch; the same in all messages of one epoch.
  public var timeOfWeekMilliseconds: UInt32
  /// Covariance of the position, square metres; nil where the receiver marks it as invalid.
  public var positionSquareMetres: Covariance?
  /// Covariance of the velocity, (m/s)²; nil where the receiver marks it as invalid.
  public var velocitySquareMetresPerSecondSquared: Covariance?

  init(_ fields: UBXFields) {
    timeOfWeekMilliseconds = fields.u4(0)
    positionSquareMetres = fields.u1(5) != 0 ? Covariance(fields, at: 16) : nil
    velocitySquareMetresPerSecondSquared = fields.u1(6) != 0 ? Covariance(fields, at: 40) : nil
  }
}

/// NAV-EOE (0x01 0x61): end of the navigation epoch.
public struct NavEOE: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 4 }

  /// GPS time of week of the navigation epoch that has ended.
  public var timeOfWeekMilliseconds: UInt32

  init(_ fields: UBXFields) { timeOfWeekMilliseconds = fields.u4(0) }
}
