import Quantities

/// PGRME: a Garmin receiver's error estimate.
///
/// Garmin has not published its confidence level: users have counted two thirds
/// (gpsinformation.net, "What is EPE?"), gpsd assumes one half.
/// - Source: Garmin GPS 18 technical specifications 190-00307-00 rev. D and GPS 18x 190-00879-08
///   rev. B, PGRME; NMEA Revealed 2.24.
public struct PGRME: Equatable, Sendable {
  /// Estimated horizontal error, metres.
  public var horizontalErrorMetres: Double?
  /// Estimated vertical error, metres.
  public var verticalErrorMetres: Double?
  /// Estimated error in three dimensions, metres.
  public var positionErrorMetres: Double?

  init(_ fields: inout SentenceFields) {
    horizontalErrorMetres = fields.number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
    verticalErrorMetres = fields.number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
    positionErrorMetres = fields.number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
  }
}

/// PGRMZ: a Garmin receiver's altitude; aircraft instruments send a barometric altitude.
/// - Source: NMEA Revealed 2.24, PGRMZ; pynmeagps 1.1.
public struct PGRMZ: Equatable, Sendable {
  /// Altitude, metres; printed in feet.
  public var altitudeMetres: Double?
  /// 1 no fix, 2 altitude entered by the user, 3 altitude from satellites.
  public var dimension: Int?

  init(_ fields: inout SentenceFields) {
    altitudeMetres = fields.number(in: -1e6...1e7, unit: UInt8(ascii: "F")).map {
      $0 * PrintedUnit.footMetres
    }
    dimension = fields.integer(in: 1...3)
  }
}

/// PGRMF: a Garmin receiver's fix.
/// - Source: Garmin GPS 18x technical specifications 190-00879-08 rev. B and GPS 15 190-00266-01
///   rev. D, section 4.2.11.
public struct PGRMF: Equatable, Sendable {
  /// GPS week modulo 1024.
  public var week: Int?
  /// GPS time since the beginning of the week.
  public var secondsOfWeek: Double?
  /// The day of `time`.
  public var date: CivilDate?
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// GPS time minus UTC.
  public var leapSeconds: Int?
  /// The position.
  public var position: GeodeticPosition?
  /// True for A: the receiver chooses between two and three dimensions; false for M.
  public var isAutomatic: Bool?
  /// 1 no fix, 2 position, 3 position and altitude, as in GSA; Garmin prints one less.
  public var dimension: Int?
  /// Speed over ground, metres per second; printed in km/h.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Position dilution of precision, rounded, 9 at most.
  public var positionDilution: Double?
  /// Time dilution of precision, rounded, 9 at most.
  public var timeDilution: Double?

  init(_ fields: inout SentenceFields) {
    week = fields.integer(in: 0...9999)
    secondsOfWeek = fields.number(in: 0...604_800)
    date = fields.shortDate()
    time = fields.time()
    leapSeconds = fields.integer(in: -99...99)
    position = fields.position()
    switch fields.letter() {
    case UInt8(ascii: "A"): isAutomatic = true
    case UInt8(ascii: "M"): isAutomatic = false
    default: isAutomatic = nil
    }
    dimension = fields.integer(in: 0...2).map { $0 + 1 }
    speedMetresPerSecond = fields.number(in: 0...100_000).map {
      $0 * PrintedUnit.kilometrePerHourMetresPerSecond
    }
    course = fields.direction()
    positionDilution = fields.number(in: PrintedRange.dilution)
    timeDilution = fields.number(in: PrintedRange.dilution)
  }
}

/// PGRMM: the datum of a Garmin receiver's positions.
/// - Source: Garmin GPS 18x technical specifications 190-00879-08 rev. B, section 4.2.12.
public struct PGRMM: Equatable, Sendable {
  /// Name of the datum, for instance "WGS 84".
  public var datum: ShortText?

  init(_ fields: inout SentenceFields) { datum = fields.text().map { ShortText($0) } }

  /// True for WGS 84; false for another; nil without a name.
  public var isWGS84: Bool? { datum.map { $0.matches("WGS 84") || $0.matches("WGS84") } }
}

/// PGRMV: a Garmin receiver's velocity.
/// - Source: Garmin GPS 35 technical specifications, section 4.2.14; TracPak 30, 4.2.14.
public struct PGRMV: Equatable, Sendable {
  /// Velocity to the east, metres per second.
  public var eastMetresPerSecond: Double?
  /// Velocity to the north, metres per second.
  public var northMetresPerSecond: Double?
  /// Upward velocity, metres per second.
  public var upMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    eastMetresPerSecond = fields.number(in: PrintedRange.speed)
    northMetresPerSecond = fields.number(in: PrintedRange.speed)
    upMetresPerSecond = fields.number(in: PrintedRange.speed)
  }
}
