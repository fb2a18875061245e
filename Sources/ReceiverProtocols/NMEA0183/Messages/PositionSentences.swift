import Quantities

/// GGA: time, position and quality of the fix.
public struct GGA: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// The position.
  public var position: GeodeticPosition?
  /// Quality digit: 0 none, 1 GNSS, 2 differential, 3 PPS, 4 RTK fixed, 5 RTK float, 6 dead
  /// reckoning, 7 manual, 8 simulated.
  public var quality: Int?
  /// Satellites in the solution.
  public var satellitesUsed: Int?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Altitude above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Mean sea level above the WGS-84 ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// Age of the differential corrections, seconds.
  public var correctionAgeSeconds: Double?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    position = fields.position()
    quality = fields.integer(in: 0...9)
    satellitesUsed = fields.integer(in: 0...999)
    horizontalDilution = fields.number(in: 0...10_000)
    altitudeMetres = fields.number()
    fields.skip()
    geoidSeparationMetres = fields.number()
    fields.skip()
    correctionAgeSeconds = fields.number(in: 0...1e6)
  }
}

/// GNS: as GGA, for several systems, each with its own mode letter.
public struct GNS: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// The position.
  public var position: GeodeticPosition?
  /// The best of the systems' mode letters.
  public var mode: PositionMode?
  /// Satellites in the solution.
  public var satellitesUsed: Int?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Altitude above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Mean sea level above the WGS-84 ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// Age of the differential corrections, seconds.
  public var correctionAgeSeconds: Double?
  /// Navigational status, since NMEA 4.1: false for "unsafe" and "not valid". Receivers without
  /// such a status (u-blox) send the latter.
  public var isSafe = true

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    position = fields.position()
    mode = fields.bestMode()
    satellitesUsed = fields.integer(in: 0...999)
    horizontalDilution = fields.number(in: 0...10_000)
    altitudeMetres = fields.number()
    geoidSeparationMetres = fields.number()
    correctionAgeSeconds = fields.number(in: 0...1e6)
    fields.skip()
    let status = fields.letter()
    isSafe = status != UInt8(ascii: "V") && status != UInt8(ascii: "U")
  }
}

/// GLL: position and time.
public struct GLL: Equatable, Sendable {
  /// The position.
  public var position: GeodeticPosition?
  /// UTC of the fix; missing before NMEA 2.0.
  public var time: TimeOfDay?
  /// Status letter: A is true, V is false.
  public var isValid: Bool?
  /// Mode letter, since NMEA 2.3.
  public var mode: PositionMode?

  init(_ fields: inout SentenceFields) {
    position = fields.position()
    time = fields.time()
    isValid = fields.status()
    mode = fields.bestMode()
  }
}

/// RMC: the recommended minimum: position, motion and date.
public struct RMC: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Status letter: A is true, V is false.
  public var isValid: Bool?
  /// The position.
  public var position: GeodeticPosition?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// The day of `time`.
  public var date: CivilDate?
  /// Variation: magnetic north clockwise from true north.
  public var magneticVariation: Angle?
  /// Mode letter, since NMEA 2.3.
  public var mode: PositionMode?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    isValid = fields.status()
    position = fields.position()
    speedMetresPerSecond = fields.knots()
    course = fields.direction()
    date = fields.shortDate()
    magneticVariation = fields.signedAngle()
    mode = fields.bestMode()
  }
}

/// The mode letter of GLL, GNS, RMC and VTG, from the worst to the best.
public enum PositionMode: Int, Comparable, Sendable {
  /// N: no fix.
  case notValid
  /// S: simulated.
  case simulated
  /// M: entered by the user.
  case manual
  /// E: dead reckoning.
  case estimated
  /// A: satellites without corrections.
  case autonomous
  /// P: precise, without selective availability.
  case precise
  /// D: differential.
  case differential
  /// F: carrier phase, float.
  case rtkFloat
  /// R: carrier phase, fixed.
  case rtkFixed

  /// - Source: NMEA 0183 4.11, positioning system mode indicator.
  init?(letter: UInt8) {
    switch letter {
    case UInt8(ascii: "N"): self = .notValid
    case UInt8(ascii: "S"): self = .simulated
    case UInt8(ascii: "M"): self = .manual
    case UInt8(ascii: "E"): self = .estimated
    case UInt8(ascii: "A"): self = .autonomous
    case UInt8(ascii: "P"): self = .precise
    case UInt8(ascii: "D"): self = .differential
    case UInt8(ascii: "F"): self = .rtkFloat
    case UInt8(ascii: "R"): self = .rtkFixed
    default: return nil
    }
  }

  /// Orders from the worst to the best.
  public static func < (a: PositionMode, b: PositionMode) -> Bool { a.rawValue < b.rawValue }
}

extension SentenceFields {
  /// The best mode of a field's letters; nil without a known letter.
  mutating func bestMode() -> PositionMode? {
    guard let letters = text() else { return nil }
    var best: PositionMode?
    for letter in letters {
      guard let mode = PositionMode(letter: letter) else { continue }
      if best.map({ $0 < mode }) ?? true { best = mode }
    }
    return best
  }
}
