import Quantities

/// PQTMEPE: a Quectel receiver's error estimate. Quectel has not published its confidence level.
/// - Source: Quectel LG290P GNSS protocol specification, PQTMEPE; pynmeagps 1.1.8.
public struct PQTMEPE: Equatable, Sendable {
  /// Estimated error to the north, metres.
  public var northErrorMetres: Double?
  /// Estimated error to the east, metres.
  public var eastErrorMetres: Double?
  /// Estimated vertical error, metres.
  public var downErrorMetres: Double?
  /// Estimated horizontal error, metres.
  public var horizontalErrorMetres: Double?
  /// Estimated error in three dimensions, metres.
  public var positionErrorMetres: Double?

  init(_ fields: inout SentenceFields) {
    fields.skip()
    northErrorMetres = fields.number(in: PrintedRange.metres)
    eastErrorMetres = fields.number(in: PrintedRange.metres)
    downErrorMetres = fields.number(in: PrintedRange.metres)
    horizontalErrorMetres = fields.number(in: PrintedRange.metres)
    positionErrorMetres = fields.number(in: PrintedRange.metres)
  }
}

/// PQTMVEL: a Quectel receiver's velocity.
/// - Source: Quectel LC29H GNSS protocol specification, PQTMVEL; pynmeagps 1.1.8.
public struct PQTMVEL: Equatable, Sendable {
  /// UTC of the velocity.
  public var time: TimeOfDay?
  /// Velocity along north, east and down.
  public var velocity: Velocity<EarthFrame>?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Estimated error of the speed over ground, metres per second.
  public var speedErrorMetresPerSecond: Double?
  /// Estimated error of the course; nil for half a turn or more, which means that the course is not
  /// known.
  public var courseError: Angle?

  init(_ fields: inout SentenceFields) {
    fields.skip()
    time = fields.time()
    velocity = fields.northEastDown()
    speedMetresPerSecond = fields.number(in: 0...100_000)
    // The speed in three dimensions.
    fields.skip()
    course = fields.direction()
    speedErrorMetresPerSecond = fields.number(in: 0...100_000)
    fields.skip()
    let halfTurn = 180.0
    courseError = fields.number(in: 0...360).flatMap { $0 < halfTurn ? Angle(degrees: $0) : nil }
  }
}

/// PQTMPVT: a Quectel receiver's fix by satellites alone.
/// - Source: Quectel LC86G GNSS protocol specification, section 2.3.8; pynmeagps 1.1.8.
public struct PQTMPVT: Equatable, Sendable {
  /// The day of `time`.
  public var date: CivilDate?
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// 0 no fix, 2 position, 3 position and altitude.
  public var dimension: UInt8?
  /// Satellites in the solution.
  public var satellitesUsed: UInt16?
  /// GPS time minus UTC.
  public var leapSeconds: UInt8?
  /// The position.
  public var position: GeodeticPosition?
  /// Altitude above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Mean sea level above the ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// Velocity along north, east and down.
  public var velocity: Velocity<EarthFrame>?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Position dilution of precision.
  public var positionDilution: Double?

  init(_ fields: inout SentenceFields) {
    // The version and the GPS time of week.
    fields.skip(2)
    date = fields.digitDate()
    time = fields.time()
    fields.skip()
    dimension = fields.integer(in: 0...3).map { UInt8($0) }
    satellitesUsed = fields.integer(in: 0...999).map { UInt16($0) }
    leapSeconds = fields.integer(in: 0...99).map { UInt8($0) }
    position = fields.positionInDegrees()
    altitudeMetres = fields.number(in: -1e6...1e7)
    geoidSeparationMetres = fields.number(in: -1e6...1e7)
    velocity = fields.northEastDown()
    speedMetresPerSecond = fields.number(in: 0...100_000)
    course = fields.direction()
    horizontalDilution = fields.number(in: PrintedRange.dilution)
    positionDilution = fields.number(in: PrintedRange.dilution)
  }
}

/// PQTMJAMMINGSTATUS: whether a Quectel receiver is jammed.
/// - Source: Quectel LC29H GNSS protocol specification, PQTMJAMMINGSTATUS; pynmeagps 1.1.8.
public struct PQTMJAMMINGSTATUS: Equatable, Sendable {
  /// What the receiver detects.
  public var status: QuectelJamming?

  init(_ fields: inout SentenceFields) {
    fields.skip()
    status = fields.jamming()
  }
}

/// PAIRSPF and PAIRSPF5: whether L1 or L5 of a Quectel receiver is jammed, after PAIR391.
/// - Source: Quectel LC29H GNSS protocol specification, PAIR391; PX4's driver (gps_ql.cpp) and
///   pynmeagps 1.1.8 have the field, published notes on the LC86G and LC76G its values.
public struct PAIRSPF: Equatable, Sendable {
  /// What the receiver detects.
  public var status: QuectelJamming?

  init(_ fields: inout SentenceFields) { status = fields.jamming() }
}

/// What a Quectel receiver detects of jamming.
public enum QuectelJamming: Int, Sendable {
  /// Not known, or detection is off.
  case unknown = 0
  /// No jamming.
  case none
  /// Jamming, with fixes.
  case warning
  /// Jamming that prevents fixes.
  case critical
}

/// PQTMANTENNASTATUS: the antenna of a Quectel receiver; of two antennas the first one.
/// - Source: Quectel LC86G and LG290P GNSS protocol specifications, PQTMANTENNASTATUS; versions 1 to
///   3 have the status in the same field.
public struct PQTMANTENNASTATUS: Equatable, Sendable {
  /// The state of the antenna's feed.
  public enum Status: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// Connected.
    case normal
    /// Not connected.
    case open
    /// Short circuit.
    case shorted
  }

  /// The state of the antenna's feed.
  public var status: Status?

  init(_ fields: inout SentenceFields) {
    fields.skip()
    status = fields.integer(in: 0...3).flatMap { Status(rawValue: $0) }
  }
}

/// PQTMDOP: a Quectel receiver's dilutions of precision.
/// - Source: Quectel LG290P GNSS protocol specification, PQTMDOP; pynmeagps 1.1.8.
public struct PQTMDOP: Equatable, Sendable {
  /// Geometric.
  public var geometric: Double?
  /// Position.
  public var position: Double?
  /// Time.
  public var time: Double?
  /// Vertical.
  public var vertical: Double?
  /// Horizontal.
  public var horizontal: Double?

  init(_ fields: inout SentenceFields) {
    // The version and the GPS time of week.
    fields.skip(2)
    geometric = fields.dilution()
    position = fields.dilution()
    time = fields.dilution()
    vertical = fields.dilution()
    horizontal = fields.dilution()
  }
}

/// PQTMDRPVA: a Quectel receiver's fix by satellites and motion sensors.
///
/// Its tilts are as printed: no source states their signs. They and the heading are nil unless the
/// sensors are calibrated.
/// - Source: Quectel LG69T (AM, AP) and LC29H (BA, CA) protocol specification, PQTMDRPVA; pynmeagps
///   1.1.8.
public struct PQTMDRPVA: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Without satellites dead reckoning; nil for an unknown type.
  public var kind: FixKind?
  /// The position.
  public var position: GeodeticPosition?
  /// Altitude above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Mean sea level above the ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// Velocity along north, east and down.
  public var velocity: Velocity<EarthFrame>?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Roll of the vehicle.
  public var roll: Angle?
  /// Pitch of the vehicle.
  public var pitch: Angle?
  /// The vehicle's direction.
  public var heading: TrueHeading?

  init(_ fields: inout SentenceFields) {
    // The version and the time since the start.
    fields.skip(2)
    time = fields.time()
    let type = fields.integer(in: 0...3)
    switch type {
    case 0: kind = FixKind.none
    // Satellites, without and with the sensors.
    case 1, 2: kind = .threeDimensional
    case 3: kind = .deadReckoning
    default: kind = nil
    }
    position = fields.positionInDegrees()
    altitudeMetres = fields.number(in: -1e6...1e7)
    geoidSeparationMetres = fields.number(in: -1e6...1e7)
    velocity = fields.northEastDown()
    speedMetresPerSecond = fields.number(in: 0...100_000)
    guard let type, type >= 2 else { return }
    (roll, pitch) = (fields.tilt(), fields.tilt())
    heading = fields.direction().map { TrueHeading($0) }
  }
}

/// PQTMVEHATT: a Quectel receiver's attitude by its motion sensors; the signs of the tilts are as
/// printed.
/// - Source: Quectel LG69T protocol specification, PQTMVEHATT; pynmeagps 1.1.8.
public struct PQTMVEHATT: Equatable, Sendable {
  /// Roll of the vehicle.
  public var roll: Angle?
  /// Pitch of the vehicle.
  public var pitch: Angle?
  /// The vehicle's direction.
  public var heading: TrueHeading?
  /// Estimated error of the roll.
  public var rollError: Angle?
  /// Estimated error of the pitch.
  public var pitchError: Angle?
  /// Estimated error of the heading.
  public var headingError: Angle?

  init(_ fields: inout SentenceFields) {
    fields.skip(2)
    (roll, pitch) = (fields.tilt(), fields.tilt())
    heading = fields.direction().map { TrueHeading($0) }
    func error() -> Angle? { fields.number(in: 0...360).map { Angle(degrees: $0) } }
    (rollError, pitchError, headingError) = (error(), error(), error())
  }
}

extension SentenceFields {
  /// The state of jamming.
  fileprivate mutating func jamming() -> QuectelJamming? {
    integer(in: 0...3).flatMap { QuectelJamming(rawValue: $0) }
  }

  /// Degrees.
  fileprivate mutating func tilt() -> Angle? {
    number(in: -180...180).map { Angle(degrees: $0) }
  }

  /// A dilution; 99.99 is unknown.
  fileprivate mutating func dilution() -> Double? {
    number(in: PrintedRange.dilution).flatMap { Possible.dilution($0) }
  }

  /// Three fields: velocities to the north, to the east and downwards, metres per second.
  fileprivate mutating func northEastDown() -> Velocity<EarthFrame>? {
    let (north, east) = (number(in: PrintedRange.speed), number(in: PrintedRange.speed))
    let down = number(in: PrintedRange.speed)
    guard let north, let east, let down else { return nil }
    return Velocity(metresPerSecond: SIMD3(north, east, down))
  }

  /// `yyyymmdd`; nil where the calendar has no such day.
  fileprivate mutating func digitDate() -> CivilDate? {
    guard let all = integer(in: 0...99_999_999) else { return nil }
    let date = CivilDate(year: all / 10_000, month: all / 100 % 100, day: all % 100)
    guard date.year >= 1980, (1...12).contains(date.month), date.day >= 1,
      date.day <= CivilDate.days(inMonth: date.month, of: date.year)
    else { return nil }
    return date
  }
}
