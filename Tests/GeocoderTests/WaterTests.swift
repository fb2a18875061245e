import Geocoder
import Quantities
import Testing

/// Positions on water and in cities with their names.
///
/// - Source: seas by the limits of IHO S-23, Limits of Oceans and Seas, 3rd edition (1953): a
///   position well within each; lakes and cities as on any map.
@Suite("A position on water", .timeLimit(.minutes(30)))
struct WaterTests {
  struct Case: Sendable, CustomStringConvertible {
    let latitude, longitude: Double
    let description: String
    init(_ latitude: Double, _ longitude: Double, _ name: String) {
      (self.latitude, self.longitude, description) = (latitude, longitude, name)
    }
  }

  private static let seas = [
    Case(35, 18, "Mediterranean Sea"), Case(39, 12, "Tyrrhenian Sea"), Case(43, 15, "Adriatic Sea"),
    Case(38, 25, "Aegean Sea"), Case(38, 19, "Ionian Sea"), Case(43, 34, "Black Sea"),
    Case(46, 37, "Sea of Azov"), Case(40.7, 28.2, "Sea of Marmara"), Case(36, -3, "Alboran Sea"),
    Case(56, 18.5, "Baltic Sea"), Case(63, 20, "Gulf of Bothnia"),
    Case(59.8, 26, "Gulf of Finland"),
    Case(57.8, 23.4, "Gulf of Riga"), Case(57, 11.5, "Kattegat"), Case(58, 9.5, "Skagerrak"),
    Case(55.5, 3, "North Sea"), Case(50, -2, "English Channel"), Case(53.7, -5, "Irish Sea"),
    Case(45, -5, "Bay of Biscay"), Case(67, 5, "Norwegian Sea"), Case(75, -5, "Greenland Sea"),
    Case(74, 40, "Barents Sea"), Case(66, 38, "White Sea"), Case(75, 75, "Kara Sea"),
    Case(75, 125, "Laptev Sea"), Case(72, -140, "Beaufort Sea"), Case(60, -85, "Hudson Bay"),
    Case(73, -66, "Baffin Bay"), Case(25, -90, "Gulf of Mexico"), Case(15, -75, "Caribbean Sea"),
    Case(27.3, -111.3, "Gulf of California"), Case(57, -145, "Gulf of Alaska"),
    Case(58, -175, "Bering Sea"), Case(55, 150, "Sea of Okhotsk"), Case(40, 135, "Sea of Japan"),
    Case(36, 123, "Yellow Sea"), Case(29, 125, "East China Sea"), Case(13, 114, "South China Sea"),
    Case(18, 130, "Philippine Sea"), Case(-5, 112, "Java Sea"), Case(-6, 127, "Banda Sea"),
    Case(-10, 136, "Arafura Sea"), Case(-18, 155, "Coral Sea"), Case(-38, 160, "Tasman Sea"),
    Case(20, 38.5, "Red Sea"), Case(27, 51, "Persian Gulf"), Case(15, 65, "Arabian Sea"),
    Case(15, 88, "Bay of Bengal"), Case(10, 96, "Andaman Sea"), Case(-72, -40, "Weddell Sea"),
    Case(-75, 175, "Ross Sea"), Case(0.5, -30, "North Atlantic Ocean"),
  ]

  private static let lakes = [
    Case(47.7, -87.5, "Lake Superior"), Case(43.8, -87, "Lake Michigan"),
    Case(44.8, -82.2, "Lake Huron"), Case(42.2, -81.2, "Lake Erie"),
    Case(43.7, -77.9, "Lake Ontario"),
    Case(-1, 33, "Lake Victoria"), Case(-6, 29.5, "Lake Tanganyika"),
    Case(53.5, 108, "Lake Baikal"),
    Case(42, 51, "Caspian Sea"), Case(60.8, 31.5, "Lake Ladoga"), Case(58.9, 13.3, "Vänern"),
    Case(-15.8, -69.4, "Lake Titicaca"), Case(46.43, 6.5, "Lake Geneva"),
    Case(9.8, -71.5, "Lake Maracaibo"),
  ]

  private static let cities = [
    Case(41.88, -87.63, "Chicago"), Case(45.44, 12.33, "Venice"), Case(46.2, 6.15, "Geneva"),
    Case(1.29, 103.85, "Singapore"), Case(35.68, 139.77, "Tokyo"), Case(4.175, 73.509, "Male"),
    Case(36.14, -5.35, "Gibraltar"), Case(40.38, 49.87, "Baku"), Case(78.22, 15.64, "Longyearbyen"),
  ]

  @Test("of a sea has its name", arguments: seas)
  func sea(_ expected: Case) throws {
    let found = try #require(
      try Gazetteers.geocoder().reverse(GeodeticPosition(expected.latitude, expected.longitude)))
    #expect(found.ocean == expected.description && found.name == expected.description)
    #expect(found.locality == nil && found.inlandWater == nil)
  }

  @Test("of a lake has its name as inland water", arguments: lakes)
  func lake(_ expected: Case) throws {
    let found = try #require(
      try Gazetteers.geocoder().reverse(GeodeticPosition(expected.latitude, expected.longitude)))
    #expect(found.inlandWater == expected.description && found.name == expected.description)
    #expect(found.ocean == nil && found.country != nil)
  }

  @Test("beside water is its city", arguments: cities)
  func city(_ expected: Case) throws {
    let found = try #require(
      try Gazetteers.geocoder().reverse(GeodeticPosition(expected.latitude, expected.longitude)))
    #expect(found.locality == expected.description, "\(found.name)")
    #expect(found.ocean == nil && found.inlandWater == nil)
  }

  @Test("near a coast has the country of its territorial waters")
  func territorialWaters() throws {
    let geocoder = try Gazetteers.geocoder()
    // 12 km off Brighton; 60 km off the next place.
    let near = try #require(try geocoder.reverse(GeodeticPosition(50.7, -0.14)))
    #expect(near.ocean == "English Channel" && near.country?.isoCode == "GB")
    #expect(near.timeZone == "Europe/London" && near.locality == nil)
    let far = try #require(try geocoder.reverse(GeodeticPosition(50.2, -0.6)))
    #expect(far.ocean == "English Channel" && far.country == nil)
  }

  @Test("far from any place of its own country is in that country, not in the nearest place's")
  func border() throws {
    let geocoder = try Gazetteers.geocoder()
    // The Mexican bank of the Rio Grande opposite of Big Bend, and the Congo's opposite of Bangui's
    // river.
    #expect(try geocoder.reverse(GeodeticPosition(28.9, -103.3))?.country?.isoCode == "MX")
    #expect(try geocoder.reverse(GeodeticPosition(4.2, 18.8))?.country?.isoCode == "CD")
  }
}
