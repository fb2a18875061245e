import Quantities

/// PUBX,00: a u-blox receiver's position, motion and accuracy.
///
/// - Source: u-blox M8 receiver description UBX-13003221 and F9 interface description UBX-18010854,
///   PUBX,00, the latter as reprinted by ArduSimple; NMEA Revealed 2.24.
public struct PUBX00: Equatable, Sendable {
  /// The kind of the fix.
  public enum Status: Sendable {
    /// NF.
    case noFix
    /// DR: dead reckoning without satellites.
    case deadReckoning
    /// G2.
    case twoDimensional
    /// G3.
    case threeDimensional
    /// D2.
    case differentialTwoDimensional
    /// D3.
    case differentialThreeDimensional
    /// RK: satellites and dead reckoning combined.
    case satellitesAndDeadReckoning
    /// TT: time only.
    case timeOnly
  }

  /// UTC of the fix.
  public var time: TimeOfDay?
  /// The position in the configured datum, by default WGS-84.
  public var position: GeodeticPosition?
  /// Height above the datum's ellipsoid, not above mean sea level, metres.
  public var ellipsoidalHeightMetres: Double?
  /// The kind of the fix, from two letters.
  public var status: Status?
  /// The receiver's estimate of the horizontal error, metres.
  public var horizontalAccuracyMetres: Double?
  /// The receiver's estimate of the vertical error, metres.
  public var verticalAccuracyMetres: Double?
  /// Speed over ground, metres per second; printed in km/h.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Vertical velocity, downwards positive, metres per second, by u-blox' description. A Tri-M
  /// manual specifies upwards for the same sentence.
  public var downwardMetresPerSecond: Double?
  /// Age of the differential corrections.
  public var correctionAgeSeconds: Double?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// Time dilution of precision.
  public var timeDilution: Double?
  /// Satellites in the solution.
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
  /// UTC since the beginning of the week.
  public var secondsOfWeek: Double?
  /// Weeks since 6 January 1980, not modulo 1024.
  public var week: Int?
  /// GPS time minus UTC.
  public var leapSeconds: Int?
  /// True while `leapSeconds` is the firmware's default, because no satellite has sent the value
  /// yet. `time` may then be wrong by a second or two.
  public var leapSecondsAreDefault: Bool?
  /// Offset of the receiver's clock, nanoseconds.
  public var clockBiasNanoseconds: Double?
  /// Drift of the receiver's clock, nanoseconds per second.
  public var clockDriftNanosecondsPerSecond: Double?
  /// Granularity of the time pulse, nanoseconds.
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
  /// Digits, followed by D where they are the firmware's default.
  fileprivate mutating func leapSeconds() -> (Int?, isDefault: Bool?) {
    guard let field = text(), let last = field.last else { return (nil, nil) }
    let isDefault = last == UInt8(ascii: "D")
    let digits = UnsafeBufferPointer(rebasing: field.dropLast(isDefault ? 1 : 0))
    // Antaris has another value here, with decimals.
    guard let number = DecimalNumber(digits), number.decimals == 0, abs(number.digits) < 100 else {
      return (nil, nil)
    }
    return (Int(number.digits), isDefault)
  }
}
