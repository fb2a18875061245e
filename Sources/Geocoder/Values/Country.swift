import Quantities

/// A country or dependent territory with places in GeoNames.
public struct Country: Equatable, Sendable {
  /// ISO 3166-1 alpha-2; XK for Kosovo.
  public let isoCode: String
  /// ISO 3166-1 alpha-3.
  public let iso3Code: String
  /// In English.
  public let name: String
  /// People.
  public let population: Int
  /// The middle of its places.
  public let centre: GeodeticPosition
  /// Radius of a circle with the country's area, metres.
  public let radiusMetres: Double
  /// IANA's name of its time zone; nil where it has several.
  public let timeZone: String?
}

extension Country {
  /// Antarctica, which has no places in GeoNames.
  static let antarctica = Country(
    isoCode: "AQ", iso3Code: "ATA", name: "Antarctica", population: 0,
    centre: GeodeticPosition(latitudeDegrees: -90, longitudeDegrees: 0), radiusMetres: 2_100_000,
    timeZone: nil)
}

/// A country's first-order division: a state, province, region.
public struct AdministrativeArea: Equatable, Sendable {
  /// The country's ISO code.
  public let countryCode: String
  /// GeoNames' code: the postal one in the United States, mostly a number elsewhere.
  public let code: String
  /// In English.
  public let name: String
  /// What mail is addressed with, where it differs from the name and is known.
  public let short: String?
  /// People in its places, sections of cities twice.
  public let population: Int
  /// The middle of its places.
  public let centre: GeodeticPosition
  /// Metres from there to the farthest.
  public let radiusMetres: Double
  /// IANA's name of its time zone; nil where it has several.
  public let timeZone: String?
}
