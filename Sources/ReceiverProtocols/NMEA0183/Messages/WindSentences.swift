import Quantities

/// MWV: wind angle and speed at the vessel.
/// - Source: NMEA Revealed 2.24, MWV; Radio Holland RHRS-2014 manual, appendix 2; S (statute miles
///   an hour) from Airmar's PB100 manual.
public struct MWV: Equatable, Sendable {
  /// The reference of the wind.
  public enum Reference: Sendable {
    /// R: relative to the moving vessel.
    case apparent
    /// T: as on a vessel at rest.
    case theoretical
  }

  /// Angle from which it blows, clockwise from the bow.
  public var angle: Angle?
  /// The reference; nil without R or T: the meaning of angle and speed is then unknown.
  public var reference: Reference?
  /// Wind speed, metres per second.
  public var speedMetresPerSecond: Double?
  /// Status letter: A is true; V is false, with angle and speed nil.
  public var isValid: Bool?

  init(_ fields: inout SentenceFields) {
    let angle = fields.direction()
    switch fields.letter() {
    case UInt8(ascii: "R"): reference = .apparent
    case UInt8(ascii: "T"): reference = .theoretical
    default: reference = nil
    }
    let printed = fields.number(in: 0...100_000)
    let unit: Double? =
      switch fields.letter() {
      case UInt8(ascii: "K"): PrintedUnit.kilometrePerHourMetresPerSecond
      case UInt8(ascii: "M"): 1
      case UInt8(ascii: "N"): PrintedUnit.knotMetresPerSecond
      case UInt8(ascii: "S"): PrintedUnit.statuteMilePerHourMetresPerSecond
      default: nil
      }
    isValid = fields.status()
    guard isValid ?? true else { return }
    self.angle = angle
    if let printed, let unit { speedMetresPerSecond = printed * unit }
  }
}

/// MWD: wind direction and speed over ground.
/// - Source: pynmea2 1.19 and pynmeagps 1.1, MWD.
public struct MWD: Equatable, Sendable {
  /// Direction from which it blows, clockwise from true north.
  public var trueDirection: Angle?
  /// Direction from which it blows, clockwise from magnetic north.
  public var magneticDirection: Angle?
  /// Wind speed, metres per second.
  public var speedMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    trueDirection = fields.direction(unit: UInt8(ascii: "T"))
    magneticDirection = fields.direction(unit: UInt8(ascii: "M"))
    speedMetresPerSecond = fields.knotsAndMetresPerSecond()
  }
}

/// VWR: apparent wind; predecessor of MWV.
/// - Source: NMEA Revealed 2.24, VWR; pynmea2 1.19.
public struct VWR: Equatable, Sendable {
  /// Angle from which it blows, clockwise from the bow.
  public var angle: Angle?
  /// Wind speed, metres per second.
  public var speedMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    (angle, speedMetresPerSecond) = fields.sidedWind()
  }
}

/// VWT: theoretical wind, as on a vessel at rest; predecessor of MWV.
/// - Source: pynmea2 1.19, VWT; Airmar PB100 manual, VWT.
public struct VWT: Equatable, Sendable {
  /// Angle from which it blows, clockwise from the bow.
  public var angle: Angle?
  /// Wind speed, metres per second.
  public var speedMetresPerSecond: Double?

  init(_ fields: inout SentenceFields) {
    (angle, speedMetresPerSecond) = fields.sidedWind()
  }
}

extension SentenceFields {
  /// An angle to one side of the bow, and the speed in knots, metres per second and km/h.
  fileprivate mutating func sidedWind() -> (angle: Angle?, metresPerSecond: Double?) {
    let angle = sidedAngle(within: 180)?.wrappedToTurn
    let speed = knotsAndMetresPerSecond()
    let perHour = number(in: 0...100_000, unit: UInt8(ascii: "K"))
    return (angle, speed ?? perHour.map { $0 * PrintedUnit.kilometrePerHourMetresPerSecond })
  }
}
