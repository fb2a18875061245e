import Quantities

/// Countries, administrative areas, counties and time zones in memory.
struct Divisions: Sendable {
  private var countries: [Int: Country] = [:]
  private var zones: [Int: String] = [:]
  private var counties: [Int: String] = [:]
  private var areas: [AreaKey: AdministrativeArea] = [:]
  private var countriesByName: [String: Country] = [:]
  private var areasByName: [String: [AdministrativeArea]] = [:]

  private struct AreaKey: Hashable {
    let country: String
    let code: String
  }

  init(_ database: GazetteerDatabase) throws(GazetteerError) {
    let zone = try database.prepare("SELECT id, name FROM zone")
    try zone.forEachRow { () throws(GazetteerError) in zones[zone.integer(0)] = zone.text(1) }
    let county = try database.prepare("SELECT id, name FROM county")
    try county.forEachRow { () throws(GazetteerError) in
      counties[county.integer(0)] = county.text(1)
    }
    try readCountries(database)
    try readAreas(database)
    guard !zones.isEmpty, !countries.isEmpty else { throw database.damage("it has no countries") }
  }

  func country(_ number: Int) -> Country? { countries[number] }
  func timeZone(_ number: Int) -> String? { zones[number] }
  func county(_ number: Int) -> String? { counties[number] }

  func area(_ code: String, of country: Country) -> AdministrativeArea? {
    areas[AreaKey(country: country.isoCode, code: code)]
  }

  /// The country of that folded name or code.
  func country(named name: String) -> Country? { countriesByName[name] }

  /// The areas of that folded name or short form.
  func areas(named name: String) -> [AdministrativeArea] { areasByName[name] ?? [] }

  /// Every country.
  var allCountries: [Country] { countries.keys.sorted().compactMap { countries[$0] } }

  private mutating func readCountries(_ database: GazetteerDatabase) throws(GazetteerError) {
    let row = try database.prepare(
      "SELECT id, iso, iso3, name, population, latitude, longitude, radius, zone FROM country")
    try row.forEachRow { () throws(GazetteerError) in
      countries[row.integer(0)] = Country(
        isoCode: row.text(1), iso3Code: row.text(2), name: row.text(3),
        population: row.integer(4),
        centre: GeodeticPosition(scaledLatitude: row.integer(5), longitude: row.integer(6)),
        radiusMetres: Double(row.integer(7)) * 1000,
        timeZone: row.optionalInteger(8).flatMap { zones[$0] })
    }
    let alias = try database.prepare("SELECT name, country FROM alias")
    try alias.forEachRow { () throws(GazetteerError) in
      countriesByName[alias.text(0)] = countries[alias.integer(1)]
    }
  }

  private mutating func readAreas(_ database: GazetteerDatabase) throws(GazetteerError) {
    let row = try database.prepare(
      "SELECT country, code, name, short, population, latitude, longitude, radius, zone FROM area")
    try row.forEachRow { () throws(GazetteerError) in
      guard let country = countries[row.integer(0)] else {
        throw database.damage("an area lies in no country")
      }
      let area = AdministrativeArea(
        countryCode: country.isoCode, code: row.text(1), name: row.text(2),
        short: row.optionalText(3), population: row.integer(4),
        centre: GeodeticPosition(scaledLatitude: row.integer(5), longitude: row.integer(6)),
        radiusMetres: Double(row.integer(7)) * 1000,
        timeZone: row.optionalInteger(8).flatMap { zones[$0] })
      areas[AreaKey(country: country.isoCode, code: area.code)] = area
      for name in Set([area.name, area.short ?? area.name].map(FoldedName.of)) {
        areasByName[name, default: []].append(area)
      }
    }
  }
}
