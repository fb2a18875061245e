import Quantities

/// HDG: a compass's heading with its deviation and the place's variation.
public struct HDG: Equatable, Sendable {
  /// What the compass shows, uncorrected.
  public var sensorHeading: Angle?
  /// What the vessel's own field adds; east positive.
  public var deviation: Angle?
  /// Magnetic north clockwise from true north.
  public var variation: Angle?

  init(_ fields: inout SentenceFields) {
    sensorHeading = fields.direction()
    deviation = fields.signedAngle()
    variation = fields.signedAngle()
  }

  /// The heading with the deviation taken in; an absent deviation is none.
  public var magneticHeading: MagneticHeading? {
    sensorHeading.map { MagneticHeading($0 + (deviation ?? .zero)) }
  }

  /// The heading with deviation and variation taken in; nil without a variation.
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
