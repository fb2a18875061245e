import Quantities

/// PGRME: a Garmin receiver's estimate of its errors.
///
/// Garmin does not say how often the error stays below: users have counted two times in three
/// (gpsinformation.net, "What is EPE?"), gpsd takes one in two.
/// - Source: Garmin GPS 18 technical specifications 190-00307-00 rev. D and GPS 18x 190-00879-08 rev. B,
///   PGRME; NMEA Revealed 2.24.
public struct PGRME: Equatable, Sendable {
  /// Metres.
  public var horizontalErrorMetres: Double?
  /// Metres.
  public var verticalErrorMetres: Double?
  /// In space, metres.
  public var positionErrorMetres: Double?

  init(_ fields: inout SentenceFields) {
    horizontalErrorMetres = fields.number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
    verticalErrorMetres = fields.number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
    positionErrorMetres = fields.number(in: PrintedRange.metres, unit: UInt8(ascii: "M"))
  }
}

/// PGRMZ: a Garmin receiver's altitude; aircraft instruments send that of a barometer.
/// - Source: NMEA Revealed 2.24, PGRMZ; pynmeagps 1.1.
public struct PGRMZ: Equatable, Sendable {
  /// Printed in feet.
  public var altitudeMetres: Double?
  /// 1 no fix, 2 altitude typed in, 3 altitude of the satellites.
  public var dimension: Int?

  init(_ fields: inout SentenceFields) {
    altitudeMetres = fields.number(in: -1e6...1e7, unit: UInt8(ascii: "F")).map {
      $0 * PrintedUnit.footMetres
    }
    dimension = fields.integer(in: 1...3)
  }
}

/// PGRMF: a Garmin receiver's fix.
/// - Source: Garmin GPS 18x technical specifications 190-00879-08 rev. B and GPS 15 190-00266-01 rev. D,
///   section 4.2.11.
public struct PGRMF: Equatable, Sendable {
  /// Modulo 1024.
  public var week: Int?
  /// GPS time since the week's beginning.
  public var secondsOfWeek: Double?
  /// The day of `time`.
  public var date: CivilDate?
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// GPS time ahead of UTC.
  public var leapSeconds: Int?
  /// The place.
  public var position: GeodeticPosition?
  /// True for A: the receiver chooses between two and three dimensions; false for M.
  public var isAutomatic: Bool?
  /// 1 no fix, 2 place, 3 place and altitude, as GSA has it; Garmin prints one less.
  public var dimension: Int?
  /// Over ground, metres per second; printed in km/h.
  public var speedMetresPerSecond: Double?
  /// Over ground, clockwise from true north.
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

/// PGRMM: the datum that a Garmin receiver's places are in.
/// - Source: Garmin GPS 18x technical specifications 190-00879-08 rev. B, section 4.2.12.
public struct PGRMM: Equatable, Sendable {
  /// For instance "WGS 84".
  public var datum: ShortText?

  init(_ fields: inout SentenceFields) { datum = fields.text().map { ShortText($0) } }

  /// True for WGS 84; false for another; nil without a name.
  public var isWGS84: Bool? { datum.map { $0.matches("WGS 84") || $0.matches("WGS84") } }
}

/// PGRMV: a Garmin receiver's velocity.
/// - Source: Garmin GPS 35 technical specifications, section 4.2.14; TracPak 30, 4.2.14.
public struct PGRMV: Equatable, Sendable {
  /// Metres per second.
  public var eastMetresPerSecond: Double?
  /// Metres per second.
  public var northMetresPerSecond: Double?
  /// Metres per second.
  public var upMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    eastMetresPerSecond = fields.number(in: PrintedRange.speed)
    northMetresPerSecond = fields.number(in: PrintedRange.speed)
    upMetresPerSecond = fields.number(in: PrintedRange.speed)
  }
}
