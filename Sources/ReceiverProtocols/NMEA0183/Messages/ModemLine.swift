import Quantities

/// `+CGPSINFO:` a modem's position, as the SIM7600 sends it on request or at an interval. It has no
/// checksum. Without a fix all fields are empty.
/// - Source: SIM7500 and SIM7600 series GPS application note 1.01, AT+CGPSINFO.
public struct CGPSINFO: Equatable, Sendable {
  /// The position.
  public var position: GeodeticPosition?
  /// The day of `time`.
  public var date: CivilDate?
  /// UTC of the fix.
  public var time: TimeOfDay?
  /// Altitude above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Speed over ground, metres per second; printed in knots.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?

  init(_ fields: inout SentenceFields) {
    position = fields.position()
    date = fields.shortDate()
    time = fields.time()
    altitudeMetres = fields.number(in: -1e6...1e7)
    speedMetresPerSecond = fields.knots()
    course = fields.direction()
  }
}
