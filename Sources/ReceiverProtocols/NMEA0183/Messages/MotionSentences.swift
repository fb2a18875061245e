import Quantities
import RealModule

/// VTG: course and speed over ground.
public struct VTG: Equatable, Sendable {
  /// Over ground, clockwise from true north.
  public var course: Angle?
  /// Over ground, clockwise from magnetic north.
  public var magneticCourse: Angle?
  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Mode letter, from NMEA 2.3 on.
  public var mode: PositionMode?

  init(_ fields: inout SentenceFields) {
    // Before NMEA 2.0 the four values stood without a unit letter after each.
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

/// GST: the receiver's own estimate of its errors, one sigma.
public struct GST: Equatable, Sendable {
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Of the ranges that the solution rests on, root mean square, metres.
  public var rangeErrorMetres: Double?
  /// Of the error ellipse, metres.
  public var semiMajorMetres: Double?
  /// Of the error ellipse, metres.
  public var semiMinorMetres: Double?
  /// Of the error ellipse, clockwise from true north.
  public var semiMajorDirection: Angle?
  /// Of the latitude, metres.
  public var latitudeErrorMetres: Double?
  /// Of the longitude, metres.
  public var longitudeErrorMetres: Double?
  /// Of the altitude, metres.
  public var altitudeErrorMetres: Double?

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

  /// Between the errors to the north and to the east, by the ellipse, -1 to 1; nil where the receiver prints
  /// no ellipse, or a line.
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
  /// Speed in knots, as metres per second.
  mutating func knots() -> Double? {
    number(in: 0...100_000).map { $0 * (1852.0 / 3600.0) }
  }

  /// Status letter: A, or D where it is differential, is true, V false.
  mutating func status() -> Bool? {
    switch letter() {
    case UInt8(ascii: "A"), UInt8(ascii: "D"): true
    case UInt8(ascii: "V"): false
    default: nil
    }
  }
}
