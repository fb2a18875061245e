import Quantities

/// PASHR,POS: an Ashtech, Magellan, ProFlex or Spectra receiver's fix.
///
/// - Source: Spectra SP90M user's guide, POS; Ashtech GG Surveyor reference manual, table 6.75;
///   DG14 manual, table 6.36. These specify the vertical velocity in metres per second, which is
///   used here; the Z-Family and ProFlex 800 manuals specify decimetres per second.
public struct PASHRPOS: Equatable, Sendable {
  /// 0 autonomous, 1 differential, 2 RTK float, 3 RTK fixed, 5 dead reckoning, 9 SBAS, 10 BeiDou
  /// differential, 12 and 22 RTK float, 13 and 23 RTK fixed.
  public var solution: Int?
  /// Satellites in the solution.
  public var satellitesUsed: Int?
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// The position.
  public var position: GeodeticPosition?
  /// Height above the WGS-84 ellipsoid, metres, unless the receiver is configured for another
  /// datum.
  public var ellipsoidalHeightMetres: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Vertical velocity as printed. No manual specifies its sign.
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
    // Depending on the receiver: age of corrections, site or nothing.
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

/// PSRFEPE: a SiRF receiver's error estimate. SiRF has not published its confidence level.
/// - Source: gpsd's note on the sentence (driver_nmea0183.c, PSRFEPE, after Erinome-I's manual);
///   GPS Wizard, "PSRF".
public struct PSRFEPE: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Status letter: A is true; V is false, with all errors nil.
  public var isValid: Bool?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Estimated horizontal error, metres.
  public var horizontalErrorMetres: Double?
  /// Estimated vertical error, metres.
  public var verticalErrorMetres: Double?
  /// Estimated error of the speed, metres per second.
  public var speedErrorMetresPerSecond: Double?
  /// Estimated error of the course; nil for half a turn or more, which means that the course is not
  /// known.
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
