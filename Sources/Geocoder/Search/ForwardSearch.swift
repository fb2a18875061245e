import Quantities

/// A circle in which results are preferred.
public struct SearchRegion: Equatable, Sendable {
  /// The centre.
  public var centre: GeodeticPosition
  /// The radius, metres.
  public var radiusMetres: Double

  var isCircle: Bool {
    centre.latitude.radians.isFinite && centre.longitude.radians.isFinite && radiusMetres >= 0
  }

  /// Makes a circle.
  public init(centre: GeodeticPosition, radiusMetres: Double) {
    (self.centre, self.radiusMetres) = (centre, radiusMetres)
  }
}

/// The result of a search for an address.
public enum ForwardAnswer: Equatable, Sendable {
  /// Places, most likely first.
  case found([GeocodedPlace])
  /// Only the state or country of the address; the place is unknown.
  case partial([GeocodedPlace])
  /// Nothing was found.
  case nothing
}

extension Geocoder {
  /// Maximum number of places for an ambiguous name.
  public static let resultLimit = 10

  /// Searches for an address.
  ///
  /// Parts are separated by commas, from the most exact to the least. The first part with the name
  /// of a place, a state or a country is searched for; each further part with the name or code of a
  /// state or country must contain it. Unknown parts (streets, postal codes, districts) are
  /// ignored.
  ///
  /// Results are ranked by the match of the name and by population: a place matched by another than
  /// its first name has a third of its population, a state a fifteenth.
  /// - Parameters:
  ///   - address: The text; also "latitude, longitude" in degrees.
  ///   - region: The preferred region: results within it come first, then near ones.
  ///   - countryNames: ISO codes by folded names, in other languages than English.
  /// - Returns: The result.
  /// - Throws: `GazetteerError` if the gazetteer is damaged.
  public func forward(
    _ address: String, in region: SearchRegion? = nil, countryNames: [String: String] = [:]
  ) throws(GazetteerError) -> ForwardAnswer {
    let text = AddressText(address)
    if let position = text.position {
      let name = "\(position.latitude.degrees), \(position.longitude.degrees)"
      let bare = GeocodedPlace(name: name, position: position, radiusMetres: 1)
      return .found([try reverse(position) ?? bare])
    }
    // A region without a centre or radius has no effect.
    let region = region.flatMap { $0.isCircle ? $0 : nil }
    let matcher = NameMatcher(gazetteer: gazetteer, countryNames: countryNames)
    for (skipped, part) in text.parts.enumerated() {
      let found = try matcher.matches(of: part, in: Array(text.parts[(skipped + 1)...]))
      guard !found.isEmpty else { continue }
      let results = ranked(found, in: region)
      // A street in a known place is as good as the place; a street in a country only is not.
      let isPartial = skipped > 0 && !found.contains(where: \.isPlace)
      return isPartial ? .partial(results) : .found(results)
    }
    return .nothing
  }

  private func ranked(_ matches: [NameMatch], in region: SearchRegion?) -> [GeocodedPlace] {
    let weighed = matches.map { match in
      (match: match, isInside: isInside(match, region), weight: weight(match, region))
    }
    let sorted = weighed.sorted { first, second in
      first.isInside != second.isInside ? first.isInside : first.weight > second.weight
    }
    return sorted.prefix(Self.resultLimit).map { result(of: $0.match) }
  }

  private func isInside(_ match: NameMatch, _ region: SearchRegion?) -> Bool {
    guard let region else { return false }
    return metres(region.centre, match.centre) <= region.radiusMetres
  }

  /// Population weighted by distance: a quarter at one radius of the region from its centre.
  private func weight(_ match: NameMatch, _ region: SearchRegion?) -> Double {
    guard let region else { return match.weight }
    let scale = max(region.radiusMetres, Self.areaReachMetres)
    let far = 1 + metres(region.centre, match.centre) / scale
    return match.weight / (far * far)
  }

  private func result(of match: NameMatch) -> GeocodedPlace {
    var found = GeocodedPlace(
      name: match.name, position: match.centre, radiusMetres: match.radiusMetres)
    switch match.subject {
    case .place(let place):
      found.locality = place.name
      found.county = place.county
      found.administrativeArea = areaName(of: place)
      found.country = place.country
      found.timeZone = place.timeZone
    case .area(let area, let country):
      found.administrativeArea = area.name
      found.country = country
      found.timeZone = area.timeZone ?? country.timeZone
    case .country(let country):
      found.country = country
      found.timeZone = country.timeZone
    }
    return found
  }
}
