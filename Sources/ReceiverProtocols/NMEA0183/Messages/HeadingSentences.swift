import Quantities

/// HDG: a compass's heading with deviation and variation.
public struct HDG: Equatable, Sendable {
  /// The uncorrected heading of the compass.
  public var sensorHeading: Angle?
  /// Deviation by the vessel's own field; east positive.
  public var deviation: Angle?
  /// Variation: magnetic north clockwise from true north.
  public var variation: Angle?

  init(_ fields: inout SentenceFields) {
    sensorHeading = fields.direction()
    deviation = fields.signedAngle()
    variation = fields.signedAngle()
  }

  /// The heading with the deviation; a missing deviation counts as zero.
  public var magneticHeading: MagneticHeading? {
    sensorHeading.map { MagneticHeading($0 + (deviation ?? .zero)) }
  }

  /// The heading with deviation and variation; nil without a variation.
  public var trueHeading: TrueHeading? {
    guard let magneticHeading, let variation else { return nil }
    return TrueHeading(magneticHeading.angle + variation)
  }
}

/// HDT: true heading.
public struct HDT: Equatable, Sendable {
  /// The bow's direction.
  public var heading: TrueHeading?

  init(_ fields: inout SentenceFields) { heading = fields.direction().map { TrueHeading($0) } }
}

/// HDM: magnetic heading.
public struct HDM: Equatable, Sendable {
  /// The bow's direction.
  public var heading: MagneticHeading?

  init(_ fields: inout SentenceFields) { heading = fields.direction().map { MagneticHeading($0) } }
}

/// ROT: rate of turn.
public struct ROT: Equatable, Sendable {
  /// Clockwise seen from above: bow to starboard positive.
  public var rateOfTurn: AngularSpeed?

  init(_ fields: inout SentenceFields) {
    // Printed in degrees per minute; invalid with status V.
    let rate = fields.number(in: -100_000...100_000)
    let isValid = fields.status()
    guard let rate, isValid ?? true else { return }
    rateOfTurn = AngularSpeed(radiansPerSecond: Angle(degrees: rate / 60).radians)
  }
}
