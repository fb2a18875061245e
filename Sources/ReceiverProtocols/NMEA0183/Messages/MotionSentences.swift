import Quantities
import RealModule

/// VTG: course and speed over ground.
public struct VTG: Equatable, Sendable {
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Course over ground, clockwise from magnetic north.
  public var magneticCourse: Angle?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Mode letter, since NMEA 2.3.
  public var mode: PositionMode?

  init(_ fields: inout SentenceFields) {
    // Before NMEA 2.0 the four values had no unit letters.
    let hasUnits = fields.remaining > 4
    course = fields.direction()
    if hasUnits { fields.skip() }
    magneticCourse = fields.direction()
    if hasUnits { fields.skip() }
    let knots = fields.knots()
    if hasUnits { fields.skip() }
    let perHour = fields.number(in: 0...100_000).map { $0 / 3.6 }
    if hasUnits { fields.skip() }
    speedMetresPerSecond = knots ?? perHour
    mode = hasUnits ? fields.bestMode() : nil
  }
}

/// ZDA: date and time.
public struct ZDA: Equatable, Sendable {
  /// UTC.
  public var time: TimeOfDay?
  /// The day of `time`.
  public var date: CivilDate?

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    date = fields.longDate()
  }
}

/// GST: the receiver's error estimate, one sigma.
public struct GST: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Root mean square error of the ranges in the solution, metres.
  public var rangeErrorMetres: Double?
  /// Semi-major axis of the error ellipse, metres.
  public var semiMajorMetres: Double?
  /// Semi-minor axis of the error ellipse, metres.
  public var semiMinorMetres: Double?
  /// Direction of the semi-major axis, clockwise from true north.
  public var semiMajorDirection: Angle?
  /// Error of the latitude, metres.
  public var latitudeErrorMetres: Double?
  /// Error of the longitude, metres.
  public var longitudeErrorMetres: Double?
  /// Error of the altitude, metres.
  public var altitudeErrorMetres: Double?

  /// Makes a report without values.
  public init() {}

  init(_ fields: inout SentenceFields) {
    time = fields.time()
    rangeErrorMetres = fields.number(in: 0...1e7)
    semiMajorMetres = fields.number(in: 0...1e7)
    semiMinorMetres = fields.number(in: 0...1e7)
    semiMajorDirection = fields.direction()
    latitudeErrorMetres = fields.number(in: 0...1e7)
    longitudeErrorMetres = fields.number(in: 0...1e7)
    altitudeErrorMetres = fields.number(in: 0...1e7)
  }

  /// Correlation of the errors to the north and to the east by the ellipse, -1 to 1; nil without an
  /// ellipse and where one of its axes is zero.
  public var correlation: Double? {
    guard let a = semiMajorMetres, let b = semiMinorMetres, let direction = semiMajorDirection,
      a > 0, b > 0
    else { return nil }
    let (sine, cosine) = (Double.sin(direction.radians), Double.cos(direction.radians))
    let north = a * a * cosine * cosine + b * b * sine * sine
    let east = a * a * sine * sine + b * b * cosine * cosine
    return (a * a - b * b) * sine * cosine / (north * east).squareRoot()
  }
}

extension SentenceFields {
  /// A speed in knots, converted to metres per second.
  mutating func knots() -> Double? {
    number(in: 0...100_000).map { $0 * (1852.0 / 3600.0) }
  }

  /// Status letter: A and D (differential) are true, V is false.
  mutating func status() -> Bool? {
    switch letter() {
    case UInt8(ascii: "A"), UInt8(ascii: "D"): true
    case UInt8(ascii: "V"): false
    default: nil
    }
  }
}
