import Quantities

/// PSXN,20: quality of a Kongsberg Seapath's values.
/// - Source: Kongsberg Seapath 320 installation manual M300-62/2, page 95; UHDAS, "Seapath
///   diagnostics".
public struct PSXN20: Equatable, Sendable {
  /// From the best to the worst.
  public enum Quality: Int, Sendable {
    /// 0.
    case normal
    /// 1.
    case reduced
    /// 2.
    case invalid
  }

  /// Quality of position and horizontal velocity.
  public var horizontal: Quality?
  /// Quality of height and vertical velocity.
  public var height: Quality?
  /// Quality of the heading.
  public var heading: Quality?
  /// Quality of roll and pitch.
  public var rollAndPitch: Quality?

  init(_ fields: inout SentenceFields) {
    horizontal = fields.integer(in: 0...2).flatMap { Quality(rawValue: $0) }
    height = fields.integer(in: 0...2).flatMap { Quality(rawValue: $0) }
    heading = fields.integer(in: 0...2).flatMap { Quality(rawValue: $0) }
    rollAndPitch = fields.integer(in: 0...2).flatMap { Quality(rawValue: $0) }
  }
}

/// PSXN,23: attitude of a Kongsberg Seapath.
/// - Source: Kongsberg Seapath 320 installation manual M300-62/2, page 95; pynmea2 1.19, sxn.
public struct PSXN23: Equatable, Sendable {
  /// Starboard down positive.
  public var roll: Angle?
  /// Bow up positive.
  public var pitch: Angle?
  /// The bow's direction.
  public var heading: TrueHeading?
  /// Heave, downwards positive, metres.
  public var heaveMetres: Double?

  init(_ fields: inout SentenceFields) {
    roll = fields.angle(within: 180)
    pitch = fields.angle(within: 90)
    heading = fields.direction().map { TrueHeading($0) }
    heaveMetres = fields.number(in: -1000...1000)
  }
}

/// PHTRO: tilt of an iXblue (iXSea) Octans and related systems; the heading comes in HEHDT.
/// - Source: Reson SeaBat 8101 and 8160 operator's manuals, "Octans Std 1"; Innomar SES user's
///   manual.
public struct PHTRO: Equatable, Sendable {
  /// Bow up (M) positive.
  public var pitch: Angle?
  /// Port up (T), which is starboard down, positive.
  public var roll: Angle?

  init(_ fields: inout SentenceFields) {
    pitch = fields.tilt(within: 90, up: UInt8(ascii: "M"), down: UInt8(ascii: "P"))
    roll = fields.tilt(within: 180, up: UInt8(ascii: "T"), down: UInt8(ascii: "B"))
  }
}

/// PHINF: status of an iXblue (iXSea) Octans.
/// - Source: Reson SeaBat 8101 operator's manual, "Octans Std 1"; 8160 manual, page 80.
public struct PHINF: Equatable, Sendable {
  /// Bits 0 heading, 1 roll, 2 pitch and 3 position not valid; higher bits are causes.
  public var status: UInt32?

  init(_ fields: inout SentenceFields) { status = fields.hexadecimalWord() }

  /// False while the heading is not valid.
  public var headingIsValid: Bool? { isClear(bit: 0) }
  /// False while the roll is not valid.
  public var rollIsValid: Bool? { isClear(bit: 1) }
  /// False while the pitch is not valid.
  public var pitchIsValid: Bool? { isClear(bit: 2) }

  private func isClear(bit: UInt32) -> Bool? { status.map { $0 & 1 << bit == 0 } }
}

/// PFEC,GPatt: attitude of a Furuno satellite compass.
/// - Source: Furuno SC-120 operator's manual, page A-6; Simrad SY50 reference, "Furuno GPatt".
public struct PFECGPATT: Equatable, Sendable {
  /// The bow's direction.
  public var heading: TrueHeading?
  /// As printed; neither source specifies the sign.
  public var pitch: Angle?
  /// As printed; neither source specifies the sign.
  public var roll: Angle?

  init(_ fields: inout SentenceFields) {
    heading = fields.direction().map { TrueHeading($0) }
    pitch = fields.angle(within: 90)
    roll = fields.angle(within: 180)
  }
}

/// PFEC,GPhve: heave of a Furuno satellite compass.
/// - Source: Simrad ES80 reference manual, "Furuno GPhve"; pynmeagps 1.1.
public struct PFECGPHVE: Equatable, Sendable {
  /// Heave as printed, metres; nil where the status is V.
  public var heaveMetres: Double?

  init(_ fields: inout SentenceFields) {
    let heave = fields.number(in: -1000...1000)
    heaveMetres = fields.status() ?? true ? heave : nil
  }
}

/// PRDID: attitude for an acoustic profiler.
/// - Source: Applanix POS MV V5 guide, table 21; Norwegian Subsea, "RDI ADCP".
public struct PRDID: Equatable, Sendable {
  /// Bow up positive.
  public var pitch: Angle?
  /// As printed; inertial systems have starboard down positive.
  public var roll: Angle?
  /// As printed: from true north for inertial systems, from magnetic north for compasses.
  public var heading: Angle?

  init(_ fields: inout SentenceFields) {
    pitch = fields.angle(within: 90)
    roll = fields.angle(within: 180)
    heading = fields.direction()
  }
}

/// PSAT,HPR: attitude of a Hemisphere or CSI satellite compass, which measures either pitch or
/// roll, depending on its mounting.
/// - Source: CSI DGPS MAX programming manual, table 2-13; NOAA's note on its recordings of 2010.
public struct PSATHPR: Equatable, Sendable {
  /// Time of the attitude: GPS time by the manufacturer's manual, UTC by NOAA's note.
  public var time: TimeOfDay?
  /// The bow's direction.
  public var heading: TrueHeading?
  /// As printed; neither source specifies the sign.
  public var pitch: Angle?
  /// As printed; neither source specifies the sign.
  public var roll: Angle?
  /// True for G: the heading comes from the gyro, without satellites; false for N.
  public var isFromGyro: Bool?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    heading = fields.direction().map { TrueHeading($0) }
    pitch = fields.angle(within: 90)
    roll = fields.angle(within: 180)
    switch fields.letter() {
    case UInt8(ascii: "G"): isFromGyro = true
    case UInt8(ascii: "N"): isFromGyro = false
    default: isFromGyro = nil
    }
  }
}

extension SentenceFields {
  /// An unsigned angle in degrees, and a letter for its sign.
  fileprivate mutating func tilt(within limit: Double, up: UInt8, down: UInt8) -> Angle? {
    let angle = number(in: 0...limit).map { Angle(degrees: $0) }
    switch letter() {
    case up: return angle
    case down: return angle.map { -$0 }
    default: return nil
    }
  }

  /// One to eight hexadecimal digits.
  fileprivate mutating func hexadecimalWord() -> UInt32? {
    let mostDigits = 8
    guard let field = text(), field.count <= mostDigits else { return nil }
    var value: UInt32 = 0
    for byte in field {
      guard let digit = byte.hexadecimalDigit else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
