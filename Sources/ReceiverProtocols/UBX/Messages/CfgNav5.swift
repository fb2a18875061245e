/// CFG-NAV5 (0x06 0x24), the answer: settings of the navigation engine.
/// - Source: u-blox M8 receiver description UBX-13003221, as pyubx2 1.4.0 and the cc.ublox library
///   quote it; the models above 9 by pyubx2.
public struct CfgNav5: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 36 }

  /// The motion that the receiver assumes.
  public enum DynamicModel: UInt8, Sendable {
    /// Low acceleration.
    case portable = 0
    /// No motion.
    case stationary = 2
    /// Walking.
    case pedestrian
    /// Car.
    case automotive
    /// Ship, at sea level.
    case sea
    /// Aircraft, up to 1 g.
    case airborne1g
    /// Aircraft, up to 2 g.
    case airborne2g
    /// Aircraft, up to 4 g.
    case airborne4g
    /// Worn on a wrist.
    case wrist
    /// Motorcycle.
    case motorcycle
    /// Lawn mower.
    case lawnMower
    /// Kick scooter.
    case scooter
  }

  /// The dimensions of the solution.
  public enum Dimensions: UInt8, Sendable {
    /// Always two.
    case two = 1
    /// Always three.
    case three
    /// As the satellites allow.
    case automatic
  }

  /// The settings to apply; all of them in an answer.
  public var mask: UInt16
  /// The motion that the receiver assumes; nil for an unknown value.
  public var dynamicModel: DynamicModel?
  /// The dimensions of the solution; nil for an unknown value.
  public var dimensions: Dimensions?
  /// Altitude of a two-dimensional solution, above mean sea level.
  public var fixedAltitudeMetres: Double
  /// Variance of that altitude.
  public var fixedAltitudeVarianceSquareMetres: Double
  /// Satellites below this elevation are not used.
  public var leastElevationDegrees: Int
  /// Longest extrapolation of positions without satellites.
  public var deadReckoningLimitSeconds: Int
  /// Above this dilution the position is invalid.
  public var greatestPositionDilution: Double
  /// Above this dilution the time is invalid.
  public var greatestTimeDilution: Double
  /// Above this error the position is invalid.
  public var greatestPositionErrorMetres: Double
  /// Above this error the time is invalid; in metres at the speed of light.
  public var greatestTimeErrorMetres: Double
  /// Below this speed the position is held.
  public var staticHoldMetresPerSecond: Double
  /// Corrections older than this are not used.
  public var correctionTimeoutSeconds: Int
  /// Number of satellites with a strong signal that a fix requires.
  public var strongSatellitesNeeded: Int
  /// Lower limit of a strong signal, dB-Hz.
  public var strongSignalDecibelHertz: Int
  /// At this distance from the held position the hold ends.
  public var staticHoldDistanceMetres: Int
  /// Source of UTC: 0 automatic, 3 US Naval Observatory, 6 Russia, 7 China.
  public var utcStandard: UInt8

  init(_ fields: UBXFields) {
    mask = fields.u2(0)
    dynamicModel = DynamicModel(rawValue: fields.u1(2))
    dimensions = Dimensions(rawValue: fields.u1(3))
    fixedAltitudeMetres = fields.i4(4, per: 1e2)
    fixedAltitudeVarianceSquareMetres = Double(fields.u4(8)) / 1e4
    leastElevationDegrees = Int(fields.i1(12))
    deadReckoningLimitSeconds = Int(fields.u1(13))
    greatestPositionDilution = fields.u2(14, per: 1e1)
    greatestTimeDilution = fields.u2(16, per: 1e1)
    greatestPositionErrorMetres = Double(fields.u2(18))
    greatestTimeErrorMetres = Double(fields.u2(20))
    staticHoldMetresPerSecond = Double(fields.u1(22)) / 1e2
    correctionTimeoutSeconds = Int(fields.u1(23))
    strongSatellitesNeeded = Int(fields.u1(24))
    strongSignalDecibelHertz = Int(fields.u1(25))
    staticHoldDistanceMetres = Int(fields.u2(28))
    utcStandard = fields.u1(30)
  }
}
