import Quantities

/// What is known of a position, or found for an address.
public struct GeocodedPlace: Equatable, Sendable {
  /// What it is called: the most exact of what follows.
  public var name: String
  /// The position that was asked about; of an address the middle of what was found.
  public var position: GeodeticPosition
  /// The middle of what is named.
  public var centre: GeodeticPosition
  /// How far that reaches, or how uncertain it is, metres.
  public var radiusMetres: Double
  /// The city or town.
  public var locality: String?
  /// A named section of it.
  public var subLocality: String?
  /// The county, in the United States.
  public var county: String?
  /// The state, province or region: its name, else GeoNames' code.
  public var administrativeArea: String?
  /// The country.
  public var country: Country?
  /// IANA's name of the time zone.
  public var timeZone: String?
  /// The ocean, where there is no land near.
  public var ocean: String?

  /// Names a position of which nothing else is known.
  public init(name: String, position: GeodeticPosition, radiusMetres: Double) {
    self.name = name
    self.position = position
    centre = position
    self.radiusMetres = radiusMetres
  }
}
