public import Quantities

/// A stay at one place.
public struct Visit: Codable, Equatable, Sendable {
  /// The middle of the stay.
  public var position: GeodeticPosition
  /// The radius that holds the place with 68 % probability, metres.
  public var horizontalAccuracyMetres: Double
  /// The start; nil where it was before monitoring.
  public var arrival: UTCTime?
  /// The end; nil while the stay continues.
  public var departure: UTCTime?

  /// Makes a visit.
  public init(
    position: GeodeticPosition, horizontalAccuracyMetres: Double, arrival: UTCTime?,
    departure: UTCTime?
  ) {
    self.position = position
    self.horizontalAccuracyMetres = horizontalAccuracyMetres
    self.arrival = arrival
    self.departure = departure
  }
}
