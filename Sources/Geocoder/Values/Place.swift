import Quantities

/// A city, town, village, or a section of one.
public struct Place: Equatable, Sendable {
  /// The number in the gazetteer.
  public let id: Int
  /// GeoNames' name, mostly the local one in Latin letters.
  public let name: String
  /// The centre; five decimals of a degree.
  public let position: GeodeticPosition
  /// The country.
  public let country: Country
  /// GeoNames' code of its first-order division.
  public let areaCode: String?
  /// The county, in the United States, if known.
  public let county: String?
  /// IANA's name of its time zone.
  public let timeZone: String
  /// The population; 0 if GeoNames has none.
  public let population: Int

  /// Radius of its built-up area; see `BuiltUpArea`.
  public var builtUpRadiusMetres: Double { BuiltUpArea.radiusMetres(population: population) }
}

/// The size of a built-up area by its population.
///
/// The data has no outlines. A circle of this radius is used instead: its density is that of inner
/// cities, so that the circle of a big city excludes suburbs rather than including neighbours.
public enum BuiltUpArea {
  /// People on a square kilometre. Large: the neighbourhoods at a city's edge are not counted as
  /// its. Small: neighbouring towns are. Paris has 20 000, New York City 11 000, London 5 700.
  public static let density = 15_000.0
  /// Of the smallest place, metres.
  public static let smallestRadiusMetres = 300.0

  /// The radius of the circle, metres.
  public static func radiusMetres(population: Int) -> Double {
    let squareKilometres = Double(max(0, population)) / density
    return max(smallestRadiusMetres, (squareKilometres / .pi).squareRoot() * 1000)
  }
}
