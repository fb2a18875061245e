/// Finds places, states and countries by name within those that the rest of an address names.
struct NameMatcher {
  let gazetteer: Gazetteer
  /// ISO codes by folded names, in other languages than English.
  let countryNames: [String: String]

  /// Weight of a place that is matched by another than its first name.
  private static let otherName = 1.0 / 3
  /// Weight and minimum of a state's population: comparable to a large town. The weight ranks New
  /// York City before its state, the minimum Wyoming before the town in Michigan.
  private static let stateShare = 1.0 / 15
  private static let stateLeast = 200_000.0
  /// Population of a place for which GeoNames has none.
  private static let unknownPeople = 100.0

  /// All matches of a name that all of `holders` can contain.
  /// - Parameters:
  ///   - part: The folded name.
  ///   - holders: The folded names of the areas that contain it, nearest first.
  /// - Returns: The matches, unordered.
  /// - Throws: `GazetteerError` if the gazetteer is damaged.
  func matches(of part: String, in holders: [String]) throws(GazetteerError) -> [NameMatch] {
    var readings = [(part, holders)]
    // "springfield il", "10115 berlin", "paris texas": the longest name first.
    let bare = AddressText.withoutNumbers(part)
    if bare != part, !bare.isEmpty { readings.append((bare, holders)) }
    for reading in AddressText.split(bare) where isDivision(reading[1]) {
      readings.append((reading[0], [reading[1]] + holders))
    }
    for (name, holders) in readings {
      let found = try named(name).filter { match in
        holders.allSatisfy { holds($0, match) }
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  private func named(_ name: String) throws(GazetteerError) -> [NameMatch] {
    var found: [NameMatch] = []
    for place in try gazetteer.places(named: name) {
      let share = FoldedName.of(place.name) == name ? 1 : Self.otherName
      let people = place.population > 0 ? Double(place.population) : Self.unknownPeople
      found.append(NameMatch(subject: .place(place), weight: people * share))
    }
    for area in gazetteer.divisions.areas(named: name) {
      guard let country = country(named: FoldedName.of(area.countryCode)) else { continue }
      var people = max(Self.stateLeast, Double(area.population) * Self.stateShare)
      // A city precedes the state named after it.
      if let namesake = found.first(where: { $0.isNamesake(of: area) }) {
        people = min(people, namesake.weight * 0.99)
      }
      found.append(NameMatch(subject: .area(area, country), weight: people))
    }
    if let country = country(named: name) {
      found.append(NameMatch(subject: .country(country), weight: Double(country.population)))
    }
    return found
  }

  private func country(named name: String) -> Country? {
    if let country = gazetteer.divisions.country(named: name) { return country }
    return countryNames[name].flatMap { gazetteer.divisions.country(named: FoldedName.of($0)) }
  }

  private func isDivision(_ name: String) -> Bool {
    country(named: name) != nil || !gazetteer.divisions.areas(named: name).isEmpty
  }

  /// Whether a part of the address can contain the match; an unknown part contains everything.
  private func holds(_ holder: String, _ match: NameMatch) -> Bool {
    let bare = AddressText.withoutNumbers(holder)
    let known = [holder, bare].filter(isDivision)
    if known.isEmpty {
      // A code that only some countries use: "zurich, zh".
      return true
    }
    return known.contains { name in
      if country(named: name)?.isoCode == match.country.isoCode { return true }
      guard let code = match.areaCode else { return false }
      if FoldedName.of(code) == name { return true }
      return gazetteer.divisions.areas(named: name).contains {
        $0.countryCode == match.country.isoCode && $0.code == code
      }
    }
  }
}
