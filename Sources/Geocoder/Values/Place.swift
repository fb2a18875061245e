import Quantities

/// A city, town, village, or a section of one.
public struct Place: Equatable, Sendable {
  /// Its number in the gazetteer.
  public let id: Int
  /// GeoNames' name, mostly the local one in Latin letters.
  public let name: String
  /// Its middle; five decimals of a degree.
  public let position: GeodeticPosition
  /// Where it lies.
  public let country: Country
  /// GeoNames' code of the first-order division that it lies in.
  public let areaCode: String?
  /// The county, in the United States, where it is known.
  public let county: String?
  /// IANA's name of its time zone.
  public let timeZone: String
  /// People; 0 where GeoNames does not say.
  public let population: Int

  /// Of the circle that its people fill; see `BuiltUpArea`.
  public var builtUpRadiusMetres: Double { BuiltUpArea.radiusMetres(population: population) }
}

/// How much room people take in a city.
///
/// The data have no outlines. A circle of this radius stands for one: the density is that of inner
/// cities, so that the circle of a big city rather misses its suburbs than covers its neighbours.
public enum BuiltUpArea {
  /// People on a square kilometre. Large: the neighbourhoods at a city's edge are not counted as its.
  /// Small: neighbouring towns are. Paris has 20 000, New York City 11 000, London 5 700.
  public static let density = 15_000.0
  /// Of the smallest place, metres.
  public static let smallestRadiusMetres = 300.0

  /// The radius of the circle, metres.
  public static func radiusMetres(population: Int) -> Double {
    let squareKilometres = Double(max(0, population)) / density
    return max(smallestRadiusMetres, (squareKilometres / .pi).squareRoot() * 1000)
  }
}
