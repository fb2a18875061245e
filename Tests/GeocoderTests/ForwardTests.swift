import Geocoder
import Quantities
import Testing

@Suite("An address", .timeLimit(.minutes(30)))
struct ForwardTests {
  private func first(_ address: String) throws -> GeocodedPlace? {
    try Gazetteers.geocoder().forward(address).places.first
  }

  @Test(
    "yields the place that is meant first",
    arguments: [
      ("Paris", "Paris", "FR"), ("Paris, Texas", "Paris", "US"), ("paris tx", "Paris", "US"),
      ("Springfield, IL", "Springfield", "US"), ("London", "London", "GB"),
      ("London, Ontario", "London", "CA"), ("London, ON, Canada", "London", "CA"),
      ("Cologne", "Köln", "DE"), ("köln", "Köln", "DE"), ("New York", "New York City", "US"),
      ("NYC", "New York City", "US"), ("Washington, D.C.", "Washington", "US"),
      ("Perth, WA", "Perth", "AU"), ("Berlin, DE", "Berlin", "DE"), ("Dover, DE", "Dover", "US"),
      ("10115 Berlin, Germany", "Berlin", "DE"), ("Zürich, Switzerland", "Zürich", "CH"),
      ("1 Infinite Loop, Cupertino, CA 95014, USA", "Cupertino", "US"),
      ("Москва", "Moscow", "RU"), ("東京", "Tokyo", "JP"), ("서울", "Seoul", "KR"),
      ("القاهرة", "Cairo", "EG"), ("Αθήνα", "Athens", "GR"), ("תל אביב", "Tel Aviv", "IL"),
      ("दिल्ली", "Delhi", "IN"),
    ])
  func likeliest(address: String, locality: String, country: String) throws {
    let found = try #require(try first(address))
    #expect(found.locality == locality)
    #expect(found.country?.isoCode == country)
  }

  @Test("that is ambiguous yields several places, the largest first")
  func several() throws {
    let found = try Gazetteers.geocoder().forward("Springfield").places
    #expect(found.count >= 5 && found.count <= Geocoder.resultLimit)
    #expect(
      found.prefix(3).map(\.administrativeArea) == ["Missouri", "Massachusetts", "Illinois"])
  }

  @Test("that names a state holds the place to it")
  func state() throws {
    let found = try Gazetteers.geocoder().forward("Springfield, Illinois, USA").places
    #expect(found.map(\.administrativeArea) == ["Illinois"])
    #expect(found.first?.county == "Sangamon County")
    #expect(found.first?.timeZone == "America/Chicago")
  }

  @Test("may be a country or a state alone")
  func divisions() throws {
    let germany = try #require(try first("Germany"))
    #expect(germany.name == "Germany" && germany.locality == nil)
    #expect(germany.radiusMetres > 300_000 && germany.radiusMetres < 400_000)
    #expect(try first("USA")?.country?.isoCode == "US")
    #expect(try first("Wyoming")?.administrativeArea == "Wyoming")
    #expect(try first("Wyoming")?.locality == nil)
    #expect(try first("Georgia")?.country?.isoCode == "GE")
    #expect(try first("Georgia, USA")?.administrativeArea == "Georgia")
  }

  @Test("may be a position in degrees")
  func positions() throws {
    for text in [
      "48.8584, 2.2945", "48.8584 2.2945", "48.8584°N, 2.2945°E", "2.2945 E 48.8584 N",
      "48.8584N 2.2945E",
    ] {
      let found = try #require(try first(text), "\(text)")
      #expect(abs(found.position.latitude.degrees - 48.8584) < 1e-9, "\(text)")
      #expect(abs(found.position.longitude.degrees - 2.2945) < 1e-9, "\(text)")
      #expect(found.locality == "Paris")
    }
    let south = try #require(try first("33.8568 S, 151.2153 E"))
    #expect(south.locality == "Sydney")
    #expect(try first("91, 0") == nil)
  }

  @Test("of which only the country is known is found in part")
  func partial() throws {
    let answer = try Gazetteers.geocoder().forward("Xyzzyville, France")
    guard case .partial(let places) = answer else {
      Issue.record("found \(answer)")
      return
    }
    #expect(places.first?.country?.isoCode == "FR")
  }

  @Test("that nothing is known of yields nothing")
  func nothing() throws {
    for address in ["Xyzzyville", "", " , ,", "Springfield, France", "🦊"] {
      let answer = try Gazetteers.geocoder().forward(address)
      #expect(answer.places.isEmpty, "\(address)")
    }
  }

  @Test("prefers places in the region, then places near it")
  func region() throws {
    let geocoder = try Gazetteers.geocoder()
    let texas = SearchRegion(
      centre: GeodeticPosition(33.6, -95.5), radiusMetres: 50_000)
    #expect(
      try geocoder.forward("Paris", in: texas).places.first?.administrativeArea == "Texas")
    let ohio = SearchRegion(centre: GeodeticPosition(40, -84.5), radiusMetres: 20_000)
    #expect(
      try geocoder.forward("Springfield", in: ohio).places.first?.administrativeArea == "Ohio")
    let nowhere = SearchRegion(
      centre: GeodeticPosition(.nan, 0), radiusMetres: 1)
    #expect(try geocoder.forward("Paris", in: nowhere).places.first?.country?.isoCode == "FR")
  }

  @Test("names countries in other languages where they are given")
  func languages() throws {
    let geocoder = try Gazetteers.geocoder()
    let names = ["deutschland": "DE"]
    #expect(
      try geocoder.forward("Frankfurt, Deutschland", countryNames: names).places.first?.country?
        .isoCode == "DE")
    #expect(
      try geocoder.forward("Deutschland", countryNames: names).places.first?.country?.isoCode
        == "DE")
  }
}
