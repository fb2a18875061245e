import Quantities

/// PASHR,POS: an Ashtech, Magellan, ProFlex or Spectra receiver's fix.
///
/// - Source: Spectra SP90M user's guide, POS; Ashtech GG Surveyor reference manual, table 6.75; DG14
///   manual, table 6.36. Two of the makers' manuals disagree on the vertical velocity: Z-Family and
///   ProFlex 800 say decimetres per second, these three metres, which is taken.
public struct PASHRPOS: Equatable, Sendable {
  /// 0 alone, 1 differential, 2 RTK float, 3 RTK fixed, 5 dead reckoning, 9 SBAS, 10 BeiDou
  /// differential, 12 and 22 RTK float, 13 and 23 RTK fixed.
  public var solution: Int?
  /// In the solution.
  public var satellitesUsed: Int?
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// The place.
  public var position: GeodeticPosition?
  /// Above the WGS-84 ellipsoid unless the receiver has been set otherwise, metres.
  public var ellipsoidalHeightMetres: Double?
  /// Over ground, clockwise from true north.
  public var course: Angle?
  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// As printed. No manual says which way is positive.
  public var verticalMetresPerSecond: Double?
  /// Position dilution of precision.
  public var positionDilution: Double?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// Time dilution of precision.
  public var timeDilution: Double?

  init(_ fields: inout SentenceFields) {
    solution = fields.integer(in: 0...99)
    satellitesUsed = fields.integer(in: 0...999)
    time = fields.time()
    position = fields.position()
    ellipsoidalHeightMetres = fields.number(in: -1e6...1e7)
    // The age of corrections, a site or nothing, by receiver.
    fields.skip()
    course = fields.direction()
    speedMetresPerSecond = fields.knots()
    verticalMetresPerSecond = fields.number(in: PrintedRange.speed)
    positionDilution = fields.number(in: PrintedRange.dilution)
    horizontalDilution = fields.number(in: PrintedRange.dilution)
    verticalDilution = fields.number(in: PrintedRange.dilution)
    timeDilution = fields.number(in: PrintedRange.dilution)
  }
}

/// PSRFEPE: a SiRF receiver's estimate of its errors. SiRF has never said how often they stay below.
/// - Source: gpsd's note on the sentence (driver_nmea0183.c, PSRFEPE, after Erinome-I's manual); GPS
///   Wizard, "PSRF".
public struct PSRFEPE: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Status letter: A is true, V false; then no error is known.
  public var isValid: Bool?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Metres.
  public var horizontalErrorMetres: Double?
  /// Metres.
  public var verticalErrorMetres: Double?
  /// Metres per second.
  public var speedErrorMetresPerSecond: Double?
  /// Of the course; nil where it is half a turn, which is to say that the course is not known.
  public var courseError: Angle?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    isValid = fields.status()
    horizontalDilution = fields.number(in: PrintedRange.dilution)
    guard isValid ?? true else { return }
    horizontalErrorMetres = fields.number(in: PrintedRange.metres)
    verticalErrorMetres = fields.number(in: PrintedRange.metres)
    speedErrorMetresPerSecond = fields.number(in: 0...100_000)
    let halfTurn = 180.0
    courseError = fields.number(in: 0...360).flatMap { $0 < halfTurn ? Angle(degrees: $0) : nil }
  }
}
