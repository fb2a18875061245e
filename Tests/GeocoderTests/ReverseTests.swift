import Foundation
import Geocoder
import Quantities
import TestSupport
import Testing

@Suite("A position", .timeLimit(.minutes(30)))
struct ReverseTests {
  /// A place whose coordinates UNESCO publishes.
  struct Landmark: Sendable, CustomStringConvertible {
    let description: String
    let latitude, longitude: Double
    let locality, area, country, timeZone: String
  }

  private static func degrees(_ whole: Double, _ minutes: Double, _ seconds: Double) -> Double {
    whole + minutes / 60 + seconds / 3600
  }

  /// - Source: UNESCO, World Heritage List (whc.unesco.org/en/list/ and the number), coordinates of
  ///   the property: 292, 166, 252, 404, 488, 545, 786, 307.
  private static let landmarks: [Landmark] = [
    Landmark(
      description: "Cologne Cathedral", latitude: Self.degrees(50, 56, 28),
      longitude: Self.degrees(6, 57, 26), locality: "Köln", area: "North Rhine-Westphalia",
      country: "DE", timeZone: "Europe/Berlin"),
    Landmark(
      description: "Sydney Opera House", latitude: -33.856_666_7, longitude: 151.215_277_8,
      locality: "Sydney", area: "New South Wales", country: "AU", timeZone: "Australia/Sydney"),
    Landmark(
      description: "Taj Mahal", latitude: Self.degrees(27, 10, 27),
      longitude: Self.degrees(78, 2, 32), locality: "Agra", area: "Uttar Pradesh",
      country: "IN", timeZone: "Asia/Kolkata"),
    Landmark(
      description: "Acropolis", latitude: Self.degrees(37, 58, 15.2),
      longitude: Self.degrees(23, 43, 34), locality: "Athens", area: "Attica", country: "GR",
      timeZone: "Europe/Athens"),
    Landmark(
      description: "Tower of London", latitude: Self.degrees(51, 30, 29),
      longitude: -Self.degrees(0, 4, 34), locality: "London", area: "England", country: "GB",
      timeZone: "Europe/London"),
    Landmark(
      description: "Schönbrunn", latitude: Self.degrees(48, 11, 11.9),
      longitude: Self.degrees(16, 18, 47.9), locality: "Vienna", area: "Vienna", country: "AT",
      timeZone: "Europe/Vienna"),
    Landmark(
      description: "Statue of Liberty", latitude: Self.degrees(40, 41, 22),
      longitude: -Self.degrees(74, 2, 41), locality: "New York City", area: "New York",
      country: "US", timeZone: "America/New_York"),
  ]

  @Test("of a landmark is named after its city", arguments: landmarks)
  func landmark(_ landmark: Landmark) throws {
    let found = try #require(
      try Gazetteers.geocoder().reverse(
        GeodeticPosition(landmark.latitude, landmark.longitude)))
    #expect(found.locality == landmark.locality)
    #expect(found.administrativeArea == landmark.area)
    #expect(found.country?.isoCode == landmark.country)
    #expect(found.timeZone == landmark.timeZone)
  }

  @Test("in a section of a city is named after both")
  func section() throws {
    // The Eiffel Tower; sete.paris gives 48°51'29.6"N 2°17'40.2"E.
    let found = try #require(try Gazetteers.geocoder().reverse(GeodeticPosition(48.8582, 2.2945)))
    #expect(found.locality == "Paris")
    #expect(found.subLocality?.hasPrefix("Paris ") == true)
    #expect(found.name == found.subLocality)
  }

  @Test("in the United States has its county")
  func county() throws {
    let found = try #require(
      try Gazetteers.geocoder().reverse(GeodeticPosition(37.3318, -122.0312)))
    #expect(found.locality == "Cupertino" && found.county == "Santa Clara County")
  }

  @Test("far from any town has a country and no town")
  func emptyLand() throws {
    let geocoder = try Gazetteers.geocoder()
    let sahara = try #require(try geocoder.reverse(GeodeticPosition(23, 5)))
    #expect(sahara.country?.isoCode == "DZ" && sahara.locality == nil)
    #expect(sahara.administrativeArea == nil && sahara.timeZone == "Africa/Algiers")
    #expect(sahara.name == "Algeria")
  }

  @Test("far out at sea has only an ocean")
  func oceans() throws {
    let geocoder = try Gazetteers.geocoder()
    for (latitude, longitude, name) in [
      (40.0, -40.0, "North Atlantic Ocean"), (-20.0, -15.0, "South Atlantic Ocean"),
      (35.0, -150.0, "North Pacific Ocean"), (-45.0, -120.0, "South Pacific Ocean"),
      (-30.0, 80.0, "Indian Ocean"), (-62.0, 100.0, "Southern Ocean"), (88.0, 0.0, "Arctic Ocean"),
    ] {
      let found = try #require(try geocoder.reverse(GeodeticPosition(latitude, longitude)))
      #expect(found.ocean == name && found.name == name)
      #expect(found.country == nil && found.locality == nil && found.timeZone == nil)
    }
  }

  @Test("of a ten-degree grid has a name everywhere, and so has each of 10,000 random ones")
  func everywhere() throws {
    let geocoder = try Gazetteers.geocoder()
    var unnamed: [GeodeticPosition] = []
    for latitude in stride(from: -85.0, through: 85, by: 10) {
      for longitude in stride(from: -175.0, through: 175, by: 10) {
        let position = GeodeticPosition(latitude, longitude)
        if try geocoder.reverse(position)?.name.isEmpty ?? true { unnamed.append(position) }
      }
    }
    var random = SeededGenerator(seed: 23)
    for _ in 0..<10_000 {
      // Equal areas are equally likely.
      let latitude = asin(2 * Double.random(in: 0..<1, using: &random) - 1) * 180 / .pi
      let position = GeodeticPosition(
        latitude, 360 * Double.random(in: 0..<1, using: &random) - 180)
      guard let found = try geocoder.reverse(position), !found.name.isEmpty else {
        unnamed.append(position)
        continue
      }
      #expect(found.country != nil || found.ocean != nil || found.inlandWater != nil)
      #expect(found.radiusMetres > 0)
    }
    #expect(unnamed.isEmpty)
  }

  @Test("in an emirate has the area's name, and one whose area has no name has no number for it")
  func areasByName() throws {
    let geocoder = try Gazetteers.geocoder()
    for (latitude, longitude, area) in [
      (25.2, 55.27, "Dubai"), (55.75, 37.62, "Moscow"), (10.78, 106.7, "Ho Chi Minh City"),
      (36.75, 3.06, "Algiers"), (45.76, 4.84, "Auvergne-Rhône-Alpes"),
      (14.6, 120.98, "Metro Manila"),
    ] {
      let found = try geocoder.reverse(GeodeticPosition(latitude, longitude))
      #expect(found?.administrativeArea == area)
    }
    let gazetteer = try Gazetteers.builtIn()
    for site in try gazetteer.sites(around: GeodeticPosition(0, 0), within: .infinity)
    where site.number.isMultiple(of: 20) {
      let area = try geocoder.reverse(site.position)?.administrativeArea
      #expect(area?.contains { $0.isLetter } ?? true, "\(area ?? "")")
    }
  }

  @Test("on an island in an ocean is named after the island's town")
  func islands() throws {
    let geocoder = try Gazetteers.geocoder()
    // Ponta Delgada in the Azores and Hamilton on Bermuda lie in the boxes that are called ocean.
    #expect(try geocoder.reverse(GeodeticPosition(37.74, -25.67))?.country?.isoCode == "PT")
    #expect(try geocoder.reverse(GeodeticPosition(32.3, -64.78))?.country?.isoCode == "BM")
  }

  @Test("no place of the gazetteer is called ocean")
  func placesAreNoOcean() throws {
    let gazetteer = try Gazetteers.builtIn()
    let geocoder = Geocoder(gazetteer)
    let all = try gazetteer.sites(around: GeodeticPosition(0, 0), within: .infinity)
    for site in all where site.number.isMultiple(of: 50) {
      #expect(try geocoder.reverse(site.position)?.locality != nil)
    }
  }

  @Test("at the south pole is in Antarctica, at the north pole on the Arctic Ocean")
  func poles() throws {
    let geocoder = try Gazetteers.geocoder()
    for longitude in [-180.0, -77, 0, 180] {
      let south = try #require(try geocoder.reverse(GeodeticPosition(-90, longitude)))
      #expect(south.country?.isoCode == "AQ" && south.name == "Antarctica" && south.ocean == nil)
      #expect(try geocoder.reverse(GeodeticPosition(90, longitude))?.ocean == "Arctic Ocean")
    }
  }

  @Test("that is none has no name")
  func nowhere() throws {
    let geocoder = try Gazetteers.geocoder()
    for (latitude, longitude) in [(Double.nan, 0.0), (0, .infinity), (91, 0), (0, 181)] {
      #expect(try geocoder.reverse(GeodeticPosition(latitude, longitude)) == nil)
    }
  }

  @Test("on either side of the antimeridian has the same town near it")
  func antimeridian() throws {
    let geocoder = try Gazetteers.geocoder()
    // Suva and Labasa lie at 178 and 179 degrees east; Taveuni on the line itself.
    let west = try #require(try geocoder.reverse(GeodeticPosition(-16.8, 179.99)))
    let east = try #require(try geocoder.reverse(GeodeticPosition(-16.8, -179.99)))
    #expect(west.country?.isoCode == "FJ" && east.country?.isoCode == "FJ")
    #expect(try geocoder.reverse(GeodeticPosition(-16.8, 180))?.country?.isoCode == "FJ")
    #expect(try geocoder.reverse(GeodeticPosition(-16.8, -180))?.country?.isoCode == "FJ")
  }
}
