import Quantities

/// Status of one measurement of a True North or Honeywell compass.
/// - Source: Honeywell HMR3000 user's guide 900240 rev. B, HPR; gpsd's extract of the True North
///   technical manual (driver_nmea0183.c, HTM) adds V and another meaning of C.
public enum CompassStatus: Equatable, Sendable {
  /// N.
  case normal
  /// M.
  case lowWarning
  /// O.
  case highWarning
  /// L: the measurement is invalid.
  case lowAlarm
  /// P: the measurement is invalid.
  case highAlarm
  /// C: the HMR3000 adjusts its circuit; a True North magnetometer is not calibrated.
  case calibration
  /// V: the magnetometer's voltage is wrong.
  case voltageAlarm

  /// True where the measurement is invalid.
  public var isAlarm: Bool { self == .lowAlarm || self == .highAlarm || self == .voltageAlarm }

  fileprivate init?(letter: UInt8) {
    switch letter {
    case UInt8(ascii: "N"): self = .normal
    case UInt8(ascii: "M"): self = .lowWarning
    case UInt8(ascii: "O"): self = .highWarning
    case UInt8(ascii: "L"): self = .lowAlarm
    case UInt8(ascii: "P"): self = .highAlarm
    case UInt8(ascii: "C"): self = .calibration
    case UInt8(ascii: "V"): self = .voltageAlarm
    default: return nil
    }
  }
}

/// PTNTHPR: heading, pitch and roll of a Honeywell HMR3000 or True North compass.
///
/// Degrees have a decimal. Integers are mils, 6400 per turn, if the compass is configured for them.
/// - Source: Honeywell HMR3000 user's guide 900240 rev. B, section 3.10: degrees by default; 3200
///   mils are 180 degrees.
public struct PTNTHPR: Equatable, Sendable {
  /// The heading: magnetic, or true where the compass is configured with the variation. The
  /// sentence does not specify which.
  public var heading: Angle?
  /// Status of the magnetic field.
  public var headingStatus: CompassStatus?
  /// Bow up positive.
  public var pitch: Angle?
  /// Status of `pitch`.
  public var pitchStatus: CompassStatus?
  /// Starboard down positive.
  public var roll: Angle?
  /// Status of `roll`.
  public var rollStatus: CompassStatus?

  private static let milsInTurn = 6400.0

  init(_ fields: inout SentenceFields) {
    let heading = fields.compassReading()
    let pitch = fields.compassReading()
    let roll = fields.compassReading()
    (headingStatus, pitchStatus, rollStatus) = (heading.status, pitch.status, roll.status)
    let isWhole = heading.isWhole && pitch.isWhole && roll.isWhole
    let degreesInUnit = isWhole ? 360 / Self.milsInTurn : 1
    // Any alarm makes the heading invalid.
    if !pitch.isAlarm, !roll.isAlarm { self.heading = heading.direction(degreesInUnit) }
    self.pitch = pitch.angle(degreesInUnit, within: 90)
    self.roll = roll.angle(degreesInUnit, within: 180)
  }
}

/// PTNTHTM: heading, tilt and magnetic field of a True North compass.
///
/// Degrees have a decimal. Integers, the default, are counts of 1/65536 turn.
/// - Source: gpsd's extract of the True North technical manual: integers of 16 bits, 0 to 65535 or
///   -32768 to 32767. gpsd's log tnt-revolution shows that the range is one turn: dip and heading
///   computed from the raw field and tilt of its XDR (74.79 and 77.84 degrees) agree with its HTM
///   at 65536 counts per turn (74.78 and 78.00), and not in tenths of mils (76.58 and 79.87).
///   Sentences with decimals: recordings in public code.
public struct PTNTHTM: Equatable, Sendable {
  /// Measured heading plus deviation plus variation, as far as the compass is configured with them.
  public var heading: TrueHeading?
  /// Status of the magnetometer.
  public var headingStatus: CompassStatus?
  /// Bow up positive.
  public var pitch: Angle?
  /// Status of `pitch`.
  public var pitchStatus: CompassStatus?
  /// Starboard down positive.
  public var roll: Angle?
  /// Status of `roll`.
  public var rollStatus: CompassStatus?
  /// Inclination of the magnetic field below the horizontal.
  public var dip: Angle?
  /// Horizontal magnetic field, in the compass's own unit.
  public var horizontalField: Double?

  private static let countsInTurn = 65_536.0

  init(_ fields: inout SentenceFields) {
    let heading = fields.compassReading()
    let pitch = fields.compassReading()
    let roll = fields.compassReading()
    let dip = CompassReading(number: fields.decimal(), status: nil)
    (headingStatus, pitchStatus, rollStatus) = (heading.status, pitch.status, roll.status)
    let isWhole = heading.isWhole && pitch.isWhole && roll.isWhole && dip.isWhole
    let degreesInUnit = isWhole ? 360 / Self.countsInTurn : 1
    if !pitch.isAlarm, !roll.isAlarm {
      self.heading = heading.direction(degreesInUnit).map { TrueHeading($0) }
    }
    self.pitch = pitch.angle(degreesInUnit, within: 90)
    self.roll = roll.angle(degreesInUnit, within: 180)
    self.dip = dip.angle(degreesInUnit, within: 90)
    horizontalField = fields.number(in: 0...1e9)
  }
}

/// A number, whose unit depends on the whole sentence, and its status letter.
private struct CompassReading {
  var number: DecimalNumber?
  var status: CompassStatus?

  var isWhole: Bool { (number?.decimals ?? 0) == 0 }
  var isAlarm: Bool { status?.isAlarm ?? false }

  func direction(_ degreesInUnit: Double) -> Angle? {
    guard let number, !isAlarm else { return nil }
    let degrees = number.value * degreesInUnit
    return abs(degrees) <= 360 ? Angle(degrees: degrees).wrappedToTurn : nil
  }

  /// An angle around zero, signed or unsigned: 65535 counts are -1.
  func angle(_ degreesInUnit: Double, within limit: Double) -> Angle? {
    guard let number, !isAlarm else { return nil }
    let degrees = number.value * degreesInUnit
    guard abs(degrees) <= 360 else { return nil }
    let signed = degrees > 180 ? degrees - 360 : degrees
    return abs(signed) <= limit ? Angle(degrees: signed) : nil
  }
}

extension SentenceFields {
  fileprivate mutating func compassReading() -> CompassReading {
    let number = decimal()
    return CompassReading(
      number: number, status: letter().flatMap { CompassStatus(letter: $0) })
  }
}
