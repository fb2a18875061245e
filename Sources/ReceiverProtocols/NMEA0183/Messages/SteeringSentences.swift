import Quantities

/// THS: true heading with a mode; since NMEA 4.0 in place of HDT.
/// - Source: IEC 61162-1 as quoted by Navis NavDP 4000 manual 000.JDP-10000-OME 3.3.13 and JRC JLN-720
///   manual, section 9.
public struct THS: Equatable, Sendable {
  /// The bow's direction; nil where the mode voids it.
  public var heading: TrueHeading?
  /// A, E, M, S, and V as `notValid`.
  public var mode: PositionMode?

  init(_ fields: inout SentenceFields) {
    let direction = fields.direction()
    let letter = fields.letter()
    // V stands here for what other sentences call N.
    mode =
      letter == UInt8(ascii: "V") ? .notValid : letter.flatMap { PositionMode(letter: $0) }
    heading = mode == .notValid ? nil : direction.map { TrueHeading($0) }
  }
}

/// HTC: what a heading or track controller is told to do.
/// - Source: IEC 61162-1 as quoted by Radio Holland RHRS-2014 manual, appendix 2 (HTD); the first 13
///   fields are HTC's, as in pynmeagps 1.1.
public struct HTC: Equatable, Sendable {
  /// True where the override is in use.
  public var isOverridden: Bool?
  /// Starboard positive.
  public var commandedRudder: Angle?
  /// M manual, S stand-alone heading control, H heading control, T track control, R rudder control.
  public var steeringMode: UInt8?
  /// R by radius, T by rate, N not controlled.
  public var turnMode: UInt8?
  /// Unsigned.
  public var rudderLimit: Angle?
  /// Unsigned.
  public var offHeadingLimit: Angle?
  /// Of turns, metres.
  public var turnRadiusMetres: Double?
  /// Of turns; starboard positive.
  public var turnRate: AngularSpeed?
  /// To be steered; see `headingsAreTrue`.
  public var commandedHeading: Angle?
  /// Unsigned, metres.
  public var offTrackLimitMetres: Double?
  /// To be followed; see `headingsAreTrue`.
  public var commandedTrack: Angle?
  /// True for true north, false for magnetic north.
  public var headingsAreTrue: Bool?

  init(_ fields: inout SentenceFields) {
    isOverridden = fields.status()
    commandedRudder = fields.sidedAngle(within: 180)
    steeringMode = fields.letter()
    turnMode = fields.letter()
    rudderLimit = fields.number(in: 0...180).map { Angle(degrees: $0) }
    offHeadingLimit = fields.number(in: 0...180).map { Angle(degrees: $0) }
    turnRadiusMetres = fields.nauticalMiles()
    turnRate = fields.number(in: -100_000...100_000).map {
      AngularSpeed(radiansPerSecond: Angle(degrees: $0 / 60).radians)
    }
    commandedHeading = fields.direction()
    offTrackLimitMetres = fields.nauticalMiles()
    commandedTrack = fields.direction()
    switch fields.letter() {
    case UInt8(ascii: "T"): headingsAreTrue = true
    case UInt8(ascii: "M"): headingsAreTrue = false
    default: headingsAreTrue = nil
    }
  }
}

/// HTD: what a heading or track controller does, and the vessel's heading.
/// - Source: Radio Holland RHRS-2014 manual, appendix 2; pynmeagps 1.1.
public struct HTD: Equatable, Sendable {
  /// What it was told.
  public var command: HTC
  /// False where the rudder's limit is reached.
  public var rudderIsWithinLimit: Bool?
  /// False where the heading's limit is reached.
  public var headingIsWithinLimit: Bool?
  /// False where the track's limit is reached.
  public var trackIsWithinLimit: Bool?
  /// The bow's direction; see `command.headingsAreTrue`.
  public var vesselHeading: Angle?

  init(_ fields: inout SentenceFields) {
    command = HTC(&fields)
    rudderIsWithinLimit = fields.status()
    headingIsWithinLimit = fields.status()
    trackIsWithinLimit = fields.status()
    vesselHeading = fields.direction()
  }

  /// The bow's direction where it is told from true north.
  public var trueHeading: TrueHeading? {
    command.headingsAreTrue == true ? vesselHeading.map { TrueHeading($0) } : nil
  }

  /// The bow's direction where it is told from magnetic north.
  public var magneticHeading: MagneticHeading? {
    command.headingsAreTrue == false ? vesselHeading.map { MagneticHeading($0) } : nil
  }
}

extension SentenceFields {
  fileprivate mutating func nauticalMiles() -> Double? {
    number(in: 0...100_000).map { $0 * PrintedUnit.nauticalMileMetres }
  }
}
