import Foundation
import Quantities

/// Finds the name of a position and the position of an address in a gazetteer, without a network.
///
/// The data has places, not streets: an address is found as its place.
public struct Geocoder: Sendable {
  /// The source of the places.
  public let gazetteer: Gazetteer

  /// Makes a geocoder for a gazetteer.
  public init(_ gazetteer: Gazetteer) { self.gazetteer = gazetteer }

  /// Maximum distance of a position from a place's built-up area for the place's name, metres.
  /// Large: open country gets the name of a town. Small: the houses around it have no name.
  public static let localityReachMetres = 10_000.0
  /// Maximum distance of the nearest place for its administrative area, metres. Measured over the
  /// 200 902 places that are too small for the built-in gazetteer: correct for 94 % of them within
  /// 10 km, for 90 % from 10 to 20 km and 83 % from 20 to 30 km; 79 % from 30 to 50 km.
  public static let areaReachMetres = 30_000.0
  /// The same for the time zone, where the country has several: 94 % from 30 to 75 km, 90 % up to
  /// 100 km, 83 % beyond.
  public static let timeZoneReachMetres = 100_000.0
  /// The same for the country: 98 % within 20 km, 96 % up to 75 km, 92 % up to 200 km, 85 % up to
  /// 300 km.
  public static let countryReachMetres = 300_000.0
  /// Maximum distance of the nearest place from a position at sea for its country and time zone,
  /// metres: twelve nautical miles, the width of territorial waters.
  public static let territorialWatersMetres = 22_224.0

  /// Finds the name of a position.
  ///
  /// The locality is the most populous place whose built-up area contains the position, else the
  /// one whose built-up area is nearest, within `localityReachMetres`; both in the nearest place's
  /// administrative area. If the position is in a city and another place is nearer than the city's
  /// centre, that place is the section. Farther from any place the administrative area, the time
  /// zone and the country remain, each up to its maximum distance. The country is that of the
  /// land's outline; within `Outlines.errorMetres` of a place's built-up area it is the place's. A
  /// position on water has the name of the lake, sea or ocean.
  /// - Parameter position: The position.
  /// - Returns: nil if nothing is known, or for an invalid position.
  /// - Throws: `GazetteerError` if the gazetteer is damaged.
  public func reverse(_ position: GeodeticPosition) throws(GazetteerError) -> GeocodedPlace? {
    // This form also rejects NaN.
    guard abs(position.latitude.degrees) <= 90, abs(position.longitude.degrees) <= 180 else {
      return nil
    }
    let nearest = try gazetteer.nearestPlace(to: position, within: Self.countryReachMetres)
    // A harbour, or an island that the outlines do not have.
    if let (place, distance) = nearest,
      distance <= place.builtUpRadiusMetres + Outlines.errorMetres
    {
      return try onLand(position, place, distance, place.country)
    }
    let isNearPlace = nearest.map { $0.distanceMetres <= Self.timeZoneReachMetres } ?? false
    switch ground(at: position, withCoast: isNearPlace) {
    case .sea(let name):
      var found = onWater(position, name, nearest, within: Self.territorialWatersMetres)
      found.ocean = name
      return found
    case .lake(let name):
      var found = onWater(position, name, nearest, within: Self.countryReachMetres)
      found.inlandWater = name
      return found
    case .land(let code):
      let country = code.flatMap(country(ofCode:)) ?? nearest?.place.country
      if let (place, distance) = nearest {
        return try onLand(position, place, distance, country ?? place.country)
      }
      // Disputed land far from any place is of the nearest one's country.
      let fallback = try gazetteer.nearestPlace(to: position)?.place.country
      guard let known = country ?? fallback else { return nil }
      var found = GeocodedPlace(
        name: known.name, position: position, radiusMetres: Self.countryReachMetres)
      (found.country, found.timeZone) = (known, known.timeZone)
      return found
    case nil:
      guard let (place, distance) = nearest else { return nil }
      return try onLand(position, place, distance, place.country)
    }
  }

  /// What is at a position. With its coast, water within the outlines' error of land counts as
  /// land: a beach must have its town.
  private func ground(at position: GeodeticPosition, withCoast: Bool) -> Ground? {
    let ground = Outlines.builtIn.ground(at: position)
    guard withCoast, case .sea = ground else { return ground }
    let north = Self.coastMetres / Self.metresInDegree
    let east = north / max(0.02, cos(position.latitude.radians))
    for (up, right) in [(north, 0.0), (-north, 0), (0, east), (0, -east)] {
      let beside = GeodeticPosition(
        latitudeDegrees: min(max(position.latitude.degrees + up, -90), 90),
        longitudeDegrees: position.longitude.degrees + right)
      if let land = Outlines.builtIn.land(at: beside) { return land }
    }
    return ground
  }

  /// A position on water, with the country and time zone of a place within a distance.
  private func onWater(
    _ position: GeodeticPosition, _ name: String,
    _ nearest: (place: Place, distanceMetres: Double)?, within reach: Double
  ) -> GeocodedPlace {
    var found = GeocodedPlace(
      name: name, position: position,
      radiusMetres: nearest?.distanceMetres ?? Self.countryReachMetres)
    if let (place, distance) = nearest, distance <= reach {
      found.country = place.country
      found.timeZone = place.country.timeZone
      if distance <= Self.timeZoneReachMetres { found.timeZone = place.timeZone }
    }
    return found
  }

  /// A position on land with its nearest place; a place of another country gives no area.
  private func onLand(
    _ position: GeodeticPosition, _ place: Place, _ distance: Double, _ country: Country
  ) throws(GazetteerError) -> GeocodedPlace {
    var found = GeocodedPlace(name: country.name, position: position, radiusMetres: distance)
    found.country = country
    found.timeZone = country.timeZone
    guard country.isoCode == place.country.isoCode else { return found }
    if distance <= Self.timeZoneReachMetres { found.timeZone = place.timeZone }
    if distance <= Self.areaReachMetres {
      found.administrativeArea = areaName(of: place)
      found.name = found.administrativeArea ?? found.name
    }
    if let locality = try locality(at: position, nearest: place) {
      name(&found, after: locality, nearest: place)
    }
    return found
  }

  private func country(ofCode code: String) -> Country? {
    code == Country.antarctica.isoCode
      ? .antarctica : gazetteer.divisions.country(named: FoldedName.of(code))
  }

  /// The width of water beside land that counts as land, metres.
  private static let coastMetres = 2_000.0
  private static let metresInDegree = 111_195.0

  /// The area's name; nil where it is not known.
  func areaName(of place: Place) -> String? {
    place.areaCode.flatMap { gazetteer.divisions.area($0, of: place.country)?.name }
  }

  private func name(_ found: inout GeocodedPlace, after locality: Place, nearest: Place) {
    found.locality = locality.name
    found.name = locality.name
    found.county = locality.county
    found.administrativeArea = areaName(of: locality)
    found.timeZone = locality.timeZone
    found.centre = locality.position
    let distance = metres(found.position, locality.position)
    found.radiusMetres = max(locality.builtUpRadiusMetres, distance)
    if nearest.id != locality.id, distance <= locality.builtUpRadiusMetres {
      found.subLocality = nearest.name
      found.name = nearest.name
      found.county = nearest.county ?? found.county
    }
  }

  private func locality(
    at position: GeodeticPosition, nearest: Place
  ) throws(GazetteerError) -> Place? {
    let here = SphericalDirection(position)
    let reach = Self.localityReachMetres
    let candidates = try gazetteer.sites(
      around: position, within: reach + gazetteer.largestRadiusMetres
    ).map { site in
      let radius = BuiltUpArea.radiusMetres(population: site.population)
      let edge = here.metres(to: SphericalDirection(site.position)) - radius
      return (site: site, edge: edge)
    }.filter { $0.edge <= reach }
    // The largest place that contains the position comes first, then the others by distance.
    let ordered = candidates.sorted { first, second in
      switch (first.edge <= 0, second.edge <= 0) {
      case (true, false): true
      case (false, true): false
      case (true, true):
        (-first.site.population, first.site.number) < (-second.site.population, second.site.number)
      case (false, false): (first.edge, first.site.number) < (second.edge, second.site.number)
      }
    }
    for candidate in ordered {
      let place = try gazetteer.place(candidate.site.number)
      if place.country.isoCode == nearest.country.isoCode, place.areaCode == nearest.areaCode {
        return place
      }
    }
    return nil
  }

  func metres(_ first: GeodeticPosition, _ second: GeodeticPosition) -> Double {
    SphericalDirection(first).metres(to: SphericalDirection(second))
  }
}
