import Quantities

/// The direction from one antenna of a receiver to the other. No sentence says how the pair is
/// mounted.
///
/// A float solution of so short a vector has no usable direction, so only fixed ones are given. Two
/// antennas show no turn about the line through them: a roll of zero is not a measurement.
public struct AntennaDirection: Equatable, Sendable {
  /// UTC of the direction; nil where the sentence has another time, or none.
  public var time: TimeOfDay?
  /// The direction, from true north; nil without fixed ambiguities.
  public var heading: TrueHeading?
  /// Second antenna up positive; nil without fixed ambiguities.
  public var pitch: Angle?
  /// As printed; nil where it is zero, and without fixed ambiguities.
  public var roll: Angle?
  /// Distance of the antennas, metres; nil where it is not sent, and without fixed ambiguities.
  public var lengthMetres: Double?
  /// One sigma of the heading.
  public var headingError: Angle?
  /// One sigma of the pitch.
  public var pitchError: Angle?

  private init(time: TimeOfDay?) { self.time = time }

  private mutating func set(
    _ heading: Angle?, _ pitch: Angle?, _ roll: Angle?, length: Double? = nil, isFixed: Bool
  ) {
    guard isFixed else { return }
    self.heading = heading.map { TrueHeading($0) }
    lengthMetres = length
    self.pitch = pitch
    self.roll = roll.flatMap { $0.radians == 0 ? nil : $0 }
  }

  /// HPR and TRA of Unicore's and ComNav's receivers: time, heading, pitch, roll, quality as in GGA.
  /// - Source: pynmeagps 1.1.8, HPR and TRA (fields).
  init(headingPitchRoll fields: inout SentenceFields) {
    self.init(time: fields.time())
    let (heading, pitch, roll) = Self.angles(&fields)
    set(heading, pitch, roll, isFixed: fields.integer(in: 0...9) == 4)
  }

  /// PSTI,036 of SkyTraq's receivers: time, date, heading, pitch, roll, mode; R is RTK fixed.
  /// - Source: SkyTraq application note AN0039 (PSTI 036).
  init(skyTraq fields: inout SentenceFields) {
    self.init(time: fields.time())
    _ = fields.shortDate()
    let (heading, pitch, roll) = Self.angles(&fields)
    set(heading, pitch, roll, isFixed: fields.letter() == UInt8(ascii: "R"))
  }

  /// PQTMTAR of Quectel's receivers: version, time, quality as in GGA, a reserved field, length,
  /// pitch, roll, heading, the accuracies of the three, satellites.
  /// - Source: pynmeagps 1.1.8, QTMTAR (fields); SensESP's NMEA 0183 parser (qualities 4 and 6).
  init(quectel fields: inout SentenceFields) {
    fields.skip()
    self.init(time: fields.time())
    let quality = fields.integer(in: 0...9)
    fields.skip()
    let length = AntennaVector.length(fields.number())
    let (pitch, roll) = (fields.angle(within: 90), fields.angle(within: 180))
    set(fields.direction(), pitch, roll, length: length, isFixed: quality == 4)
    pitchError = Self.error(&fields)
    fields.skip()
    headingError = Self.error(&fields)
  }

  /// PTNL,AVR of Trimble's receivers: time, then angles each with its name, the distance, quality 3
  /// for fixed.
  /// - Source: Trimble OEM receiver help, PTNL,AVR.
  init(trimble fields: inout SentenceFields) {
    self.init(time: fields.time())
    let heading = fields.direction()
    fields.skip()
    let pitch = fields.angle(within: 90)
    fields.skip()
    let roll = fields.angle(within: 180)
    fields.skip()
    let length = AntennaVector.length(fields.number())
    set(heading, pitch, roll, length: length, isFixed: fields.integer(in: 0...15) == 3)
  }

  /// PSSN,HRP of Septentrio's receivers: time, date, heading, roll, pitch, their deviations,
  /// satellites, mode; 2 and 4 have fixed ambiguities.
  /// - Source: pynmeagps 1.1.8, SSNHRP (fields); Septentrio's SBF reference, AttEuler (modes).
  init(septentrio fields: inout SentenceFields) {
    self.init(time: fields.time())
    _ = fields.shortDate()
    let (heading, roll) = (fields.direction(), fields.angle(within: 180))
    let pitch = fields.angle(within: 90)
    headingError = Self.error(&fields)
    fields.skip()
    pitchError = Self.error(&fields)
    fields.skip()
    let mode = fields.integer(in: 0...9)
    set(heading, pitch, mode == 4 ? roll : nil, isFixed: mode == 2 || mode == 4)
  }

  /// KSXT of Unicore's receivers: date and time, place, heading, pitch, course, speed, roll, quality
  /// of the position and of the heading; 3 is fixed.
  /// - Source: Unicore's N4 command reference, KSXT.
  init(unicore fields: inout SentenceFields) {
    fields.skip(4)
    self.init(time: nil)
    let (heading, pitch) = (fields.direction(), fields.angle(within: 90))
    fields.skip(2)
    let roll = fields.angle(within: 180)
    fields.skip()
    set(heading, pitch, roll, isFixed: fields.integer(in: 0...9) == 3)
  }

  /// PASHR,HPR of Ashtech's receivers: time, heading, pitch, roll, two errors, ambiguities (0:
  /// fixed), status (0: good).
  /// - Source: pynmeagps 1.1.8, ASHRHPR (fields); Trimble BD982 help, PASHR,HPR.
  init(ashtech fields: inout SentenceFields) {
    self.init(time: fields.time())
    let (heading, pitch, roll) = Self.angles(&fields)
    fields.skip(2)
    let (ambiguities, status) = (fields.integer(in: 0...99), fields.integer(in: 0...99))
    set(heading, pitch, roll, isFixed: ambiguities == 0 && status == 0)
  }

  /// Heading, pitch and roll, in the order of most makers.
  private static func angles(
    _ fields: inout SentenceFields
  ) -> (heading: Angle?, pitch: Angle?, roll: Angle?) {
    (fields.direction(), fields.angle(within: 90), fields.angle(within: 180))
  }

  /// A sigma in degrees; zero is unknown.
  private static func error(_ fields: inout SentenceFields) -> Angle? {
    fields.number(in: 0...360).flatMap { $0 == 0 ? nil : Angle(degrees: $0) }
  }
}
