import Quantities

/// PASHR with a time: attitude of an inertial or two-antenna system.
///
/// - Source: Trimble receiver help, PASHR; NovAtel OEM7 manual, log PASHR (1177); NMEA Revealed
///   2.24, PASHR. The three agree except for the last two numbers, which are passed on as printed.
public struct PASHR: Equatable, Sendable {
  /// UTC of the attitude, which may differ from that of every fix.
  public var time: TimeOfDay?
  /// The bow's direction; nil without the letter T.
  public var heading: TrueHeading?
  /// Starboard down positive.
  public var roll: Angle?
  /// Bow up positive.
  public var pitch: Angle?
  /// Heave, metres; undefined in Trimble's sentence.
  public var heaveMetres: Double?
  /// One sigma of the roll.
  public var rollError: Angle?
  /// One sigma of the pitch.
  public var pitchError: Angle?
  /// One sigma of the heading.
  public var headingError: Angle?
  /// 0 no position. Trimble: as in GGA; NovAtel: 2 RTK fixed, 1 all others; Applanix: 2 with two
  /// antennas.
  public var gnssQuality: Int?
  /// Trimble: 0 GNSS alone to 4 full navigation; NovAtel and Applanix: 1 aligned.
  public var inertialStatus: Int?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    let direction = fields.direction()
    if fields.letter() == UInt8(ascii: "T") { heading = direction.map { TrueHeading($0) } }
    roll = fields.angle(within: 180)
    pitch = fields.angle(within: 90)
    heaveMetres = fields.number(in: -1000...1000)
    rollError = fields.number(in: 0...360).map { Angle(degrees: $0) }
    pitchError = fields.number(in: 0...360).map { Angle(degrees: $0) }
    headingError = fields.number(in: 0...360).map { Angle(degrees: $0) }
    gnssQuality = fields.integer(in: 0...99)
    inertialStatus = fields.integer(in: 0...99)
  }
}
