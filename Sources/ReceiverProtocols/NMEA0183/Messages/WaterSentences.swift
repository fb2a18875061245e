import Quantities

/// VHW: heading and speed through the water.
/// - Source: NMEA Revealed 2.24, VHW; pynmeagps 1.1.
public struct VHW: Equatable, Sendable {
  /// The bow's true direction.
  public var trueHeading: TrueHeading?
  /// The bow's magnetic direction.
  public var magneticHeading: MagneticHeading?
  /// Speed through the water, metres per second; astern negative.
  public var speedMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    trueHeading = fields.direction(unit: UInt8(ascii: "T")).map { TrueHeading($0) }
    magneticHeading = fields.direction(unit: UInt8(ascii: "M")).map { MagneticHeading($0) }
    let knots = fields.number(in: PrintedRange.speed, unit: UInt8(ascii: "N"))
    let perHour = fields.number(in: PrintedRange.speed, unit: UInt8(ascii: "K"))
    speedMetresPerSecond =
      knots.map { $0 * PrintedUnit.knotMetresPerSecond }
      ?? perHour.map { $0 * PrintedUnit.kilometrePerHourMetresPerSecond }
  }
}

/// VLW: distance travelled.
/// - Source: NMEA Revealed 2.24, VLW; pynmeagps 1.1. Ground distances since NMEA 4.0 (3.0 in the
///   former).
public struct VLW: Equatable, Sendable {
  /// Total distance through the water, metres.
  public var totalWaterMetres: Double?
  /// Distance through the water since the reset, metres.
  public var waterMetres: Double?
  /// Total distance over ground, metres.
  public var totalGroundMetres: Double?
  /// Distance over ground since the reset, metres.
  public var groundMetres: Double?

  init(_ fields: inout SentenceFields) {
    totalWaterMetres = fields.nauticalMiles()
    waterMetres = fields.nauticalMiles()
    totalGroundMetres = fields.nauticalMiles()
    groundMetres = fields.nauticalMiles()
  }
}

/// VBW: longitudinal and transverse speeds of the vessel, through the water and over ground.
/// - Source: NMEA Revealed 2.24, VBW; pynmeagps 1.1.
public struct VBW: Equatable, Sendable {
  /// Speeds in metres per second; nil where their status is V.
  public struct Speeds: Equatable, Sendable {
    /// Ahead positive.
    public var ahead: Double?
    /// Transverse speed amidships or at the bow; starboard positive.
    public var starboard: Double?
    /// Transverse speed at the stern, since NMEA 3.0; starboard positive.
    public var sternStarboard: Double?
  }

  /// Speeds through the water.
  public var throughWater: Speeds
  /// Speeds over ground.
  public var overGround: Speeds

  init(_ fields: inout SentenceFields) {
    throughWater = fields.speeds()
    overGround = fields.speeds()
    throughWater.sternStarboard = fields.sternSpeed()
    overGround.sternStarboard = fields.sternSpeed()
  }
}

/// VDR: the current.
/// - Source: NMEA Revealed 2.24, VDR; pynmeagps 1.1.
public struct VDR: Equatable, Sendable {
  /// Direction to which the water flows, clockwise from true north.
  public var trueSet: Angle?
  /// Direction to which the water flows, clockwise from magnetic north.
  public var magneticSet: Angle?
  /// Speed of the current, metres per second.
  public var driftMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    trueSet = fields.direction(unit: UInt8(ascii: "T"))
    magneticSet = fields.direction(unit: UInt8(ascii: "M"))
    driftMetresPerSecond = fields.number(in: PrintedRange.speed, unit: UInt8(ascii: "N")).map {
      $0 * PrintedUnit.knotMetresPerSecond
    }
  }
}

extension SentenceFields {
  fileprivate mutating func nauticalMiles() -> Double? {
    number(in: PrintedRange.metres, unit: UInt8(ascii: "N")).map {
      $0 * PrintedUnit.nauticalMileMetres
    }
  }

  fileprivate mutating func speeds() -> VBW.Speeds {
    let ahead = signedKnots()
    let starboard = signedKnots()
    guard status() ?? true else { return VBW.Speeds() }
    return VBW.Speeds(ahead: ahead, starboard: starboard)
  }

  fileprivate mutating func sternSpeed() -> Double? {
    let speed = signedKnots()
    return status() ?? true ? speed : nil
  }

  private mutating func signedKnots() -> Double? {
    number(in: PrintedRange.speed).map { $0 * PrintedUnit.knotMetresPerSecond }
  }
}
