import Quantities

/// The result for a position or an address.
public struct GeocodedPlace: Equatable, Sendable {
  /// The name: the most exact of the parts below.
  public var name: String
  /// The requested position; for an address the centre of the result.
  public var position: GeodeticPosition
  /// The centre of the named place or area.
  public var centre: GeodeticPosition
  /// Its radius or uncertainty, metres.
  public var radiusMetres: Double
  /// The city or town.
  public var locality: String?
  /// A named section of the city.
  public var subLocality: String?
  /// The county, in the United States.
  public var county: String?
  /// The name of the state, province or region.
  public var administrativeArea: String?
  /// The country.
  public var country: Country?
  /// IANA's name of the time zone.
  public var timeZone: String?
  /// The sea or ocean at the position.
  public var ocean: String?
  /// The lake at the position.
  public var inlandWater: String?

  /// Makes a result with a position only.
  public init(name: String, position: GeodeticPosition, radiusMetres: Double) {
    self.name = name
    self.position = position
    centre = position
    self.radiusMetres = radiusMetres
  }
}
