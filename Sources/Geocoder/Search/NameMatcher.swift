/// Finds what bears a name and lies in what the rest of an address names.
struct NameMatcher {
  let gazetteer: Gazetteer
  /// ISO codes by folded names, in other languages than English.
  let countryNames: [String: String]

  /// What a place counts that is called by another name than its first: it is as likely meant as one of
  /// that name with a third of its people.
  private static let otherName = 1.0 / 3
  /// What a state counts of its people, and at the least: as a large town does. The share puts New York
  /// City before its state, the least Wyoming before the town in Michigan.
  private static let stateShare = 1.0 / 15
  private static let stateLeast = 200_000.0
  /// Where GeoNames gives no people.
  private static let unknownPeople = 100.0

  /// Everything of that name that all of `holders` can hold.
  /// - Parameters:
  ///   - part: Folded.
  ///   - holders: What it lies in, folded, from the nearest out.
  /// - Returns: They, in no order.
  /// - Throws: That the gazetteer is damaged.
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
      // A city comes before the state that is named after it.
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

  /// Whether something of the address can hold the match; what is not known holds everything.
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
