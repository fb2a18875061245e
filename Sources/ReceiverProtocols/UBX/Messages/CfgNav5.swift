/// CFG-NAV5 (0x06 0x24), the answer: how the navigation engine is set.
/// - Source: u-blox M8 receiver description UBX-13003221, as pyubx2 1.4.0 and the cc.ublox library quote
///   it; the models above 9 by pyubx2.
public struct CfgNav5: Equatable, Sendable, UBXPayload {
  static var shortestPayload: Int { 36 }

  /// What motion the receiver reckons with.
  public enum DynamicModel: UInt8, Sendable {
    /// Anything of little acceleration.
    case portable = 0
    /// None.
    case stationary = 2
    /// A walker's.
    case pedestrian
    /// A car's.
    case automotive
    /// A boat's: at sea level.
    case sea
    /// An aircraft's up to 1 g.
    case airborne1g
    /// An aircraft's up to 2 g.
    case airborne2g
    /// An aircraft's up to 4 g.
    case airborne4g
    /// A wrist's.
    case wrist
    /// A motorcycle's.
    case motorcycle
    /// A lawn mower's.
    case lawnMower
    /// A kick scooter's.
    case scooter
  }

  /// Which dimensions are solved for.
  public enum Dimensions: UInt8, Sendable {
    /// Always two.
    case two = 1
    /// Always three.
    case three
    /// As the satellites allow.
    case automatic
  }

  /// Which of the settings were to be applied; all of them in an answer.
  public var mask: UInt16
  /// What motion the receiver reckons with; nil for a value that is not known here.
  public var dynamicModel: DynamicModel?
  /// Which dimensions are solved for; nil for a value that is not known here.
  public var dimensions: Dimensions?
  /// The altitude of a solution in two dimensions, above mean sea level.
  public var fixedAltitudeMetres: Double
  /// That altitude's variance.
  public var fixedAltitudeVarianceSquareMetres: Double
  /// Satellites below are not used.
  public var leastElevationDegrees: Int
  /// How long positions are carried on without satellites.
  public var deadReckoningLimitSeconds: Int
  /// Above, the place is not called valid.
  public var greatestPositionDilution: Double
  /// Above, the time is not called valid.
  public var greatestTimeDilution: Double
  /// Above, the place is not called valid.
  public var greatestPositionErrorMetres: Double
  /// Above, the time is not called valid; counted in metres that light travels.
  public var greatestTimeErrorMetres: Double
  /// Below this speed the place is held.
  public var staticHoldMetresPerSecond: Double
  /// Corrections older than this are not used.
  public var correctionTimeoutSeconds: Int
  /// So many satellites must be heard well before there is a fix.
  public var strongSatellitesNeeded: Int
  /// From here on a satellite is heard well, dB-Hz.
  public var strongSignalDecibelHertz: Int
  /// So far from the held place it is given up.
  public var staticHoldDistanceMetres: Int
  /// Whose UTC is told: 0 automatic, 3 the US Naval Observatory's, 6 Russia's, 7 China's.
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
