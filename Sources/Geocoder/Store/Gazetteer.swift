import EarthModel
import Quantities
import Synchronization

/// The places of the world, by name and by position.
///
/// Threads may share a gazetteer: a request holds a lock while it reads.
public final class Gazetteer: Sendable {
  /// The supported format, `user_version` of the file.
  public static let format = 1
  /// Radius of the first search, metres; it doubles in each further one.
  private static let firstLook = 20_000.0
  /// Slightly more than half of the earth's circumference.
  private static let everywhere = 20_050_000.0
  /// Twice the maximum difference between distances on the ellipsoid and the sphere: the nearest
  /// place on the one is within this of the nearest on the other.
  private static let sphereMargin = 1.0125
  /// "LSGZ", `application_id` of the file.
  static let applicationID = 0x4C53_475A

  /// The source of the places.
  public let source: GazetteerSource
  /// Countries, states and counties, held in memory.
  let divisions: Divisions
  /// Every country with places.
  public var countries: [Country] { divisions.allCountries }
  /// Number of places.
  public let placeCount: Int
  /// Minimum population of the places in the file; smaller ones are included if they are seats of
  /// government.
  public let smallestPopulation: Int
  /// Radius of the largest place, metres: the built-up area of a place farther away cannot contain
  /// a position.
  let largestRadiusMetres: Double

  private let reader: Mutex<GazetteerReader>

  /// Opens a gazetteer.
  /// - Parameters:
  ///   - source: The source.
  ///   - library: The file name of SQLite's library.
  /// - Throws: `GazetteerError` with what is missing or wrong, and what to do.
  public init(
    _ source: GazetteerSource, library: String = "libsqlite3.so.0"
  ) throws(GazetteerError) {
    self.source = source
    let database = try GazetteerDatabase(source, library: library)
    try Self.checkFormat(database)
    // The file is then read from the page cache, as the program's own data.
    let mapping = try database.prepare("PRAGMA mmap_size = \(1 << 28)")
    try mapping.forEachRow { () throws(GazetteerError) in }
    let about = try Self.about(database)
    placeCount = about.places
    smallestPopulation = about.population
    largestRadiusMetres = BuiltUpArea.radiusMetres(population: about.largest)
    divisions = try Divisions(database)
    reader = Mutex(try GazetteerReader(database, divisions))
  }

  /// The places of that name.
  /// - Parameter name: The folded name; see `FoldedName`.
  /// - Returns: The places, unordered.
  /// - Throws: `GazetteerError` if the file is damaged.
  public func places(named name: String) throws(GazetteerError) -> [Place] {
    try reader.withLock { (reader) throws(GazetteerError) in try reader.places(named: name) }
  }

  /// The place of that number.
  func place(_ number: Int) throws(GazetteerError) -> Place {
    try reader.withLock { (reader) throws(GazetteerError) in try reader.place(number) }
  }

  /// Every place whose degree square a circle touches, unordered.
  package func sites(around centre: GeodeticPosition, within metres: Double) throws(GazetteerError)
    -> [Site]
  {
    try reader.withLock { (reader) throws(GazetteerError) in
      try reader.sites(around: centre, within: metres)
    }
  }

  /// Finds the nearest place on the ellipsoid.
  /// - Parameters:
  ///   - position: The start.
  ///   - limit: The maximum distance, metres.
  /// - Returns: The place and its distance in metres; nil if none is within the limit.
  /// - Throws: `GazetteerError` if the file is damaged.
  public func nearestPlace(
    to position: GeodeticPosition, within limit: Double = .infinity
  ) throws(GazetteerError) -> (place: Place, distanceMetres: Double)? {
    guard let found = try nearestSite(to: position, within: limit) else { return nil }
    return (try place(found.site.number), found.metres)
  }

  func nearestSite(
    to position: GeodeticPosition, within limit: Double
  ) throws(GazetteerError) -> (site: Site, metres: Double)? {
    let here = SphericalDirection(position)
    var look = Self.firstLook
    while true {
      let last = look >= min(limit * Self.sphereMargin, Self.everywhere)
      let sites = try sites(around: position, within: look).map { site in
        (site: site, metres: here.metres(to: SphericalDirection(site.position)))
      }
      let best = sites.map(\.metres).min()
      // A nearer place may be outside the searched circle.
      if let best, last || best * Self.sphereMargin <= look {
        let nearest =
          sites
          .filter { $0.metres <= best * Self.sphereMargin }
          .map { ($0.site, Geodesic.inverse(from: position, to: $0.site.position).distanceMetres) }
          // Of two at the same position the first, which has more people.
          .min { ($0.1, $0.0.number) < ($1.1, $1.0.number) }
        guard let (site, metres) = nearest, metres <= limit else { return nil }
        return (site, metres)
      }
      if last { return nil }
      look *= 2
    }
  }

  private static func checkFormat(_ database: GazetteerDatabase) throws(GazetteerError) {
    var (application, version) = (0, 0)
    let first = try database.prepare("PRAGMA application_id")
    try first.forEachRow { () throws(GazetteerError) in application = first.integer(0) }
    guard application == applicationID else { throw database.damage("its application_id is wrong") }
    let second = try database.prepare("PRAGMA user_version")
    try second.forEachRow { () throws(GazetteerError) in version = second.integer(0) }
    guard version == format else {
      throw .otherFormat(source: database.source, found: version, expected: format)
    }
  }

  private static func about(
    _ database: GazetteerDatabase
  ) throws(GazetteerError) -> (places: Int, population: Int, largest: Int) {
    var values: [String: Int] = [:]
    let rows = try database.prepare("SELECT key, value FROM about")
    try rows.forEachRow { () throws(GazetteerError) in values[rows.text(0)] = Int(rows.text(1)) }
    guard let places = values["places"], let population = values["population"],
      let largest = values["largest"]
    else { throw database.damage("the number of places is missing") }
    var last: Int?
    let end = try database.prepare("SELECT max(id) FROM place")
    try end.forEachRow { () throws(GazetteerError) in last = end.optionalInteger(0) }
    guard let last, last == places - 1 else { throw database.damage("places are missing") }
    return (places, population, largest)
  }
}

/// The statements of a gazetteer; one thread at a time uses them.
private struct GazetteerReader {
  private let database: GazetteerDatabase
  private let divisions: Divisions
  private let cellRange: GazetteerStatement
  private let sites: GazetteerStatement
  private let placeByNumber: GazetteerStatement
  private let blockOfName: GazetteerStatement

  init(_ database: GazetteerDatabase, _ divisions: Divisions) throws(GazetteerError) {
    (self.database, self.divisions) = (database, divisions)
    cellRange = try database.prepare(
      "SELECT min(first), max(last) FROM cell WHERE id BETWEEN ?1 AND ?2")
    sites = try database.prepare(
      "SELECT id, latitude, longitude, population FROM place WHERE id BETWEEN ?1 AND ?2")
    placeByNumber = try database.prepare(
      "SELECT name, latitude, longitude, country, area, county, zone, population FROM place "
        + "WHERE id = ?1")
    blockOfName = try database.prepare(
      "SELECT block FROM names WHERE first <= ?1 ORDER BY first DESC LIMIT 1")
  }

  func places(named name: String) throws(GazetteerError) -> [Place] {
    var numbers: [Int]? = []
    try blockOfName.forEachRow([.text(name)]) { () throws(GazetteerError) in
      numbers = NameBlock(bytes: blockOfName.bytes(0)).places(named: name)
    }
    guard let numbers else { throw database.damage("a block of names cannot be read") }
    var places: [Place] = []
    for number in numbers { places.append(try place(number)) }
    return places
  }

  func sites(around centre: GeodeticPosition, within metres: Double) throws(GazetteerError)
    -> [Site]
  {
    var found: [Site] = []
    for range in DegreeSquares.ranges(around: centre, within: metres) {
      var numbers: (first: Int, last: Int)?
      try cellRange.forEachRow([.integer(range.lowerBound), .integer(range.upperBound)]) {
        () throws(GazetteerError) in
        guard let first = cellRange.optionalInteger(0), let last = cellRange.optionalInteger(1)
        else { return }
        numbers = (first, last)
      }
      guard let numbers else { continue }
      try sites.forEachRow([.integer(numbers.first), .integer(numbers.last)]) {
        () throws(GazetteerError) in
        found.append(
          Site(
            number: sites.integer(0), latitude: sites.integer(1), longitude: sites.integer(2),
            population: sites.integer(3)))
      }
    }
    return found
  }

  func place(_ number: Int) throws(GazetteerError) -> Place {
    var place: Place?
    let row = placeByNumber
    try row.forEachRow([.integer(number)]) { () throws(GazetteerError) in
      guard let country = divisions.country(row.integer(3)),
        let zone = divisions.timeZone(row.integer(6))
      else { throw database.damage("place \(number) lies in no country or time zone") }
      place = Place(
        id: number, name: row.text(0),
        position: GeodeticPosition(scaledLatitude: row.integer(1), longitude: row.integer(2)),
        country: country, areaCode: row.optionalText(4),
        county: row.optionalInteger(5).flatMap(divisions.county), timeZone: zone,
        population: row.integer(7))
    }
    guard let place else { throw database.damage("there is no place \(number)") }
    return place
  }
}
