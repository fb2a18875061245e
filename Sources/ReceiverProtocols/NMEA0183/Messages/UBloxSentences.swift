import Quantities

/// PUBX,00: a u-blox receiver's place, motion and accuracy.
///
/// - Source: u-blox M8 receiver description UBX-13003221 and F9 interface description UBX-18010854,
///   PUBX,00, the latter as reprinted by ArduSimple; NMEA Revealed 2.24.
public struct PUBX00: Equatable, Sendable {
  /// How the place was found.
  public enum Status: Sendable {
    /// NF.
    case noFix
    /// DR: carried on without satellites.
    case deadReckoning
    /// G2.
    case twoDimensional
    /// G3.
    case threeDimensional
    /// D2.
    case differentialTwoDimensional
    /// D3.
    case differentialThreeDimensional
    /// RK: satellites and dead reckoning together.
    case satellitesAndDeadReckoning
    /// TT: the time alone.
    case timeOnly
  }

  /// UTC of the fix.
  public var time: TimeOfDay?
  /// The place, in the datum that the receiver is set to; WGS-84 unless told otherwise.
  public var position: GeodeticPosition?
  /// Above the datum's ellipsoid, not above the sea, metres.
  public var ellipsoidalHeightMetres: Double?
  /// Two letters.
  public var status: Status?
  /// The receiver's estimate, metres.
  public var horizontalAccuracyMetres: Double?
  /// The receiver's estimate, metres.
  public var verticalAccuracyMetres: Double?
  /// Over ground, metres per second; printed in km/h.
  public var speedMetresPerSecond: Double?
  /// Over ground, clockwise from true north.
  public var course: Angle?
  /// Downwards positive, metres per second. A Tri-M manual says upwards of the same sentence; u-blox,
  /// whose sentence it is, says downwards.
  public var downwardMetresPerSecond: Double?
  /// Of the differential corrections.
  public var correctionAgeSeconds: Double?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// Time dilution of precision.
  public var timeDilution: Double?
  /// In the solution.
  public var satellitesUsed: Int?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    position = fields.position()
    ellipsoidalHeightMetres = fields.number(in: -1e6...1e7)
    status = fields.text().flatMap { Status($0) }
    horizontalAccuracyMetres = fields.number(in: 0...1e9)
    verticalAccuracyMetres = fields.number(in: 0...1e9)
    speedMetresPerSecond = fields.number(in: 0...100_000).map {
      $0 * PrintedUnit.kilometrePerHourMetresPerSecond
    }
    course = fields.direction()
    downwardMetresPerSecond = fields.number(in: PrintedRange.speed)
    correctionAgeSeconds = fields.number(in: 0...1e6)
    horizontalDilution = fields.number(in: PrintedRange.dilution)
    verticalDilution = fields.number(in: PrintedRange.dilution)
    timeDilution = fields.number(in: PrintedRange.dilution)
    satellitesUsed = fields.integer(in: 0...999)
  }
}

extension PUBX00.Status {
  fileprivate init?(_ letters: UnsafeBufferPointer<UInt8>) {
    let text = ShortText(letters)
    if text.matches("NF") {
      self = .noFix
    } else if text.matches("DR") {
      self = .deadReckoning
    } else if text.matches("G2") {
      self = .twoDimensional
    } else if text.matches("G3") {
      self = .threeDimensional
    } else if text.matches("D2") {
      self = .differentialTwoDimensional
    } else if text.matches("D3") {
      self = .differentialThreeDimensional
    } else if text.matches("RK") {
      self = .satellitesAndDeadReckoning
    } else if text.matches("TT") {
      self = .timeOnly
    } else {
      return nil
    }
  }
}

/// PUBX,04: a u-blox receiver's time and clock.
///
/// - Source: u-blox M8 receiver description UBX-13003221 and F9 interface description UBX-18010854,
///   PUBX,04, the latter as reprinted by ArduSimple; NMEA Revealed 2.24 (Antaris: no leap seconds).
public struct PUBX04: Equatable, Sendable {
  /// UTC.
  public var time: TimeOfDay?
  /// The day of `time`.
  public var date: CivilDate?
  /// UTC since the week's beginning.
  public var secondsOfWeek: Double?
  /// Weeks since 6 January 1980; goes on beyond 1023.
  public var week: Int?
  /// GPS time ahead of UTC.
  public var leapSeconds: Int?
  /// True where no satellite has told `leapSeconds` yet: then `time` may be off by a second or two.
  public var leapSecondsAreDefault: Bool?
  /// Of the receiver's clock, nanoseconds.
  public var clockBiasNanoseconds: Double?
  /// Of the receiver's clock, nanoseconds per second.
  public var clockDriftNanosecondsPerSecond: Double?
  /// Of the time pulse, nanoseconds.
  public var pulseGranularityNanoseconds: Double?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    date = fields.shortDate()
    secondsOfWeek = fields.number(in: 0...604_800)
    week = fields.integer(in: 0...9999)
    (leapSeconds, leapSecondsAreDefault) = fields.leapSeconds()
    clockBiasNanoseconds = fields.number()
    clockDriftNanosecondsPerSecond = fields.number()
    pulseGranularityNanoseconds = fields.number()
  }
}

extension SentenceFields {
  /// Digits, and D after them where they are what the firmware was built with.
  fileprivate mutating func leapSeconds() -> (Int?, isDefault: Bool?) {
    guard let field = text(), let last = field.last else { return (nil, nil) }
    let isDefault = last == UInt8(ascii: "D")
    let digits = UnsafeBufferPointer(rebasing: field.dropLast(isDefault ? 1 : 0))
    // Antaris printed something else here, with decimals.
    guard let number = DecimalNumber(digits), number.decimals == 0, abs(number.digits) < 100 else {
      return (nil, nil)
    }
    return (Int(number.digits), isDefault)
  }
}
