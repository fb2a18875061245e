import Quantities

/// A circle in which results are preferred.
public struct SearchRegion: Equatable, Sendable {
  /// Its middle.
  public var centre: GeodeticPosition
  /// Metres.
  public var radiusMetres: Double

  var isCircle: Bool {
    centre.latitude.radians.isFinite && centre.longitude.radians.isFinite && radiusMetres >= 0
  }

  /// Makes a circle.
  public init(centre: GeodeticPosition, radiusMetres: Double) {
    (self.centre, self.radiusMetres) = (centre, radiusMetres)
  }
}

/// What came of a search for an address.
public enum ForwardAnswer: Equatable, Sendable {
  /// Places, the likeliest first.
  case found([GeocodedPlace])
  /// Nothing but the state or country that the address names; the place in it is not known.
  case partial([GeocodedPlace])
  /// Nothing.
  case nothing
}

extension Geocoder {
  /// How many places an ambiguous name may yield.
  public static let resultLimit = 10

  /// Where an address lies.
  ///
  /// Parts are separated by commas, from the most exact to the least. The first part that names a place,
  /// a state or a country is looked for; each further one that names a state or country, by name or code,
  /// must hold it. What is not known (streets, postal codes, districts) is passed over.
  ///
  /// Results are ranked by how well the name matches and by how many people live there: a place called by
  /// another name than its first counts a third of its people, a state a fifteenth.
  /// - Parameters:
  ///   - address: The text; also "latitude, longitude" in degrees.
  ///   - region: Where results are preferred: those within it come first, then the near ones.
  ///   - countryNames: ISO codes by folded names, in other languages than English.
  /// - Returns: What was found.
  /// - Throws: That the gazetteer is damaged.
  public func forward(
    _ address: String, in region: SearchRegion? = nil, countryNames: [String: String] = [:]
  ) throws(GazetteerError) -> ForwardAnswer {
    let text = AddressText(address)
    if let position = text.position {
      let name = "\(position.latitude.degrees), \(position.longitude.degrees)"
      let bare = GeocodedPlace(name: name, position: position, radiusMetres: 1)
      return .found([try reverse(position) ?? bare])
    }
    // One without a middle or radius prefers nothing.
    let region = region.flatMap { $0.isCircle ? $0 : nil }
    let matcher = NameMatcher(gazetteer: gazetteer, countryNames: countryNames)
    for (skipped, part) in text.parts.enumerated() {
      let found = try matcher.matches(of: part, in: Array(text.parts[(skipped + 1)...]))
      guard !found.isEmpty else { continue }
      let results = ranked(found, in: region)
      // A street in a known place is as good as the place; one in no more than a country is not.
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

  /// People, the fewer the farther away: a quarter at as far as the region is wide from its middle.
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
