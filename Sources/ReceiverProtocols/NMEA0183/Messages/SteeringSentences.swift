import Quantities

/// THS: true heading with a mode; replaces HDT since NMEA 4.0.
/// - Source: IEC 61162-1 as quoted by Navis NavDP 4000 manual 000.JDP-10000-OME 3.3.13 and JRC
///   JLN-720 manual, section 9.
public struct THS: Equatable, Sendable {
  /// The bow's direction; nil where the mode is V.
  public var heading: TrueHeading?
  /// A, E, M, S, and V as `notValid`.
  public var mode: PositionMode?

  init(_ fields: inout SentenceFields) {
    let direction = fields.direction()
    let letter = fields.letter()
    // V means here what N means in other sentences.
    mode =
      letter == UInt8(ascii: "V") ? .notValid : letter.flatMap { PositionMode(letter: $0) }
    heading = mode == .notValid ? nil : direction.map { TrueHeading($0) }
  }
}

/// HTC: commands to a heading or track controller.
/// - Source: IEC 61162-1 as quoted by Radio Holland RHRS-2014 manual, appendix 2 (HTD); the first
///   13 fields are HTC's, as in pynmeagps 1.1.
public struct HTC: Equatable, Sendable {
  /// True where the override is in use.
  public var isOverridden: Bool?
  /// Commanded rudder angle, starboard positive.
  public var commandedRudder: Angle?
  /// M manual, S stand-alone heading control, H heading control, T track control, R rudder control.
  public var steeringMode: UInt8?
  /// R by radius, T by rate, N not controlled.
  public var turnMode: UInt8?
  /// Largest rudder angle, unsigned.
  public var rudderLimit: Angle?
  /// Largest heading error, unsigned.
  public var offHeadingLimit: Angle?
  /// Radius of turns, metres.
  public var turnRadiusMetres: Double?
  /// Rate of turns; starboard positive.
  public var turnRate: AngularSpeed?
  /// Heading to steer; see `headingsAreTrue`.
  public var commandedHeading: Angle?
  /// Largest distance from the track, unsigned, metres.
  public var offTrackLimitMetres: Double?
  /// Track to follow; see `headingsAreTrue`.
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

/// HTD: state of a heading or track controller, and the vessel's heading.
/// - Source: Radio Holland RHRS-2014 manual, appendix 2; pynmeagps 1.1.
public struct HTD: Equatable, Sendable {
  /// The commands in effect.
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

  /// The bow's direction where its reference is true north.
  public var trueHeading: TrueHeading? {
    command.headingsAreTrue == true ? vesselHeading.map { TrueHeading($0) } : nil
  }

  /// The bow's direction where its reference is magnetic north.
  public var magneticHeading: MagneticHeading? {
    command.headingsAreTrue == false ? vesselHeading.map { MagneticHeading($0) } : nil
  }
}

extension SentenceFields {
  fileprivate mutating func nauticalMiles() -> Double? {
    number(in: 0...100_000).map { $0 * PrintedUnit.nauticalMileMetres }
  }
}
