public import Quantities

/// A stay at one place.
public struct Visit: Codable, Equatable, Sendable {
  /// The middle of the stay.
  public var position: GeodeticPosition
  /// The radius that holds the place with 68 % probability, metres.
  public var horizontalAccuracyMetres: Double
  /// When it began; nil where that was before anybody watched.
  public var arrival: UTCTime?
  /// When it ended; nil while it goes on.
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
