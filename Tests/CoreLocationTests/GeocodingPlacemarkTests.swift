import CoreLocation
import Geocoder
import Testing

// The declaration with which programs replace a geocoder in their tests.
private protocol PlaceNaming {
  func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark]
  func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark]
}
extension CLGeocoder: PlaceNaming {}

/// A geocoder that replaces a real one.
private final class SilentGeocoder: CLGeocoder {
  override var isGeocoding: Bool { false }
  override func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    completionHandler([], nil)
  }
  override func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] { [] }
}

@Suite("A placemark", .timeLimit(.minutes(30)))
struct GeocodingPlacemarkTests {
  private static let english = Locale(identifier: "en_US")

  private func reverse(
    _ latitude: Double, _ longitude: Double, _ locale: Locale = english
  ) async throws -> CLPlacemark {
    let found = try await CLGeocoder().reverseGeocodeLocation(
      CLLocation(latitude: latitude, longitude: longitude), preferredLocale: locale)
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test("has the known names of the place and nil for the others")
  func members() async throws {
    let cupertino = try await reverse(37.3318, -122.0312)
    #expect(cupertino.name == "Cupertino" && cupertino.locality == "Cupertino")
    #expect(cupertino.administrativeArea == "California")
    #expect(cupertino.subAdministrativeArea == "Santa Clara County")
    #expect(cupertino.country == "United States" && cupertino.isoCountryCode == "US")
    #expect(cupertino.timeZone?.identifier == "America/Los_Angeles")
    #expect(cupertino.thoroughfare == nil && cupertino.subThoroughfare == nil)
    #expect(cupertino.postalCode == nil && cupertino.subLocality == nil)
    #expect(cupertino.inlandWater == nil && cupertino.ocean == nil)
    #expect(cupertino.areasOfInterest == nil)
    #expect(cupertino.description.contains("Cupertino, California"))
  }

  @Test("of a location lies where the location does, in a region about the town")
  func place() async throws {
    let found = try await reverse(37.3318, -122.0312)
    let location = try #require(found.location)
    #expect(location.coordinate.latitude == 37.3318)
    #expect(abs(location.coordinate.longitude + 122.0312) < 1e-9)
    let region = try #require(found.region as? CLCircularRegion)
    let centre = CLLocation(
      latitude: region.center.latitude, longitude: region.center.longitude)
    #expect(centre.distance(from: location) <= region.radius * 1.01)
    #expect(region.radius < 3000)
  }

  @Test("of a location is no more exact than the place, nor than the location")
  func radius() async throws {
    let found = try await reverse(37.3318, -122.0312)
    let region = try #require(found.region as? CLCircularRegion)
    #expect(found.location?.horizontalAccuracy == region.radius && region.radius > 100)
    let coarse = CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: 37.3318, longitude: -122.0312), altitude: 0,
      horizontalAccuracy: 50_000, verticalAccuracy: -1, timestamp: Date())
    let placemark = try #require(try await CLGeocoder().reverseGeocodeLocation(coarse).first)
    #expect(placemark.location?.horizontalAccuracy == 50_000)
  }

  @Test("of a lake has its name as inland water, of a sea as ocean")
  func water() async throws {
    let lake = try await reverse(-1, 33)
    #expect(
      lake.inlandWater == "Lake Victoria" && lake.name == "Lake Victoria" && lake.ocean == nil)
    let sea = try await reverse(35, 18)
    #expect(sea.ocean == "Mediterranean Sea" && sea.inlandWater == nil)
    #expect(try await reverse(-80, 0).isoCountryCode == "AQ")
  }

  @Test("of an address lies in the middle of the place, as exactly as the place is small")
  func addressPlace() async throws {
    let found = try await CLGeocoder().geocodeAddressString("Paris")
    let paris = try #require(found.first?.location)
    #expect(abs(paris.coordinate.latitude - 48.853) < 0.01)
    #expect(paris.horizontalAccuracy > 1000 && paris.horizontalAccuracy < 20_000)
    #expect(paris.verticalAccuracy < 0)
    #expect(found.first?.timeZone?.identifier == "Europe/Paris")
  }

  @Test("names the country in the preferred language, and finds it by that name")
  func languages() async throws {
    let german = Locale(identifier: "de_DE")
    let vienna = try await reverse(48.2082, 16.3738, german)
    #expect(vienna.country == "Österreich" && vienna.isoCountryCode == "AT")
    let found = try await CLGeocoder().geocodeAddressString(
      "Wien, Österreich", in: nil, preferredLocale: german)
    #expect(found.first?.locality == "Vienna")
    let country = try await CLGeocoder().geocodeAddressString(
      "Österreich", in: nil, preferredLocale: german)
    #expect(country.first?.name == "Österreich" && country.first?.isoCountryCode == "AT")
  }

  @Test("of an address is preferred in the search region")
  func region() async throws {
    let texas = CLCircularRegion(
      center: CLLocationCoordinate2D(latitude: 33.6, longitude: -95.5), radius: 50_000,
      identifier: "Texas")
    let found = try await CLGeocoder().geocodeAddressString("Paris", in: texas)
    #expect(found.first?.administrativeArea == "Texas")
    let centred = try await CLGeocoder().geocodeAddressString(
      "Paris", inRegionCenteredAt: texas.center, inRegionRadius: texas.radius,
      preferredLocale: nil)
    #expect(centred.first?.administrativeArea == "Texas")
    let plain = try await CLGeocoder().geocodeAddressString("Paris", in: nil)
    #expect(plain.first?.isoCountryCode == "FR")
    #expect(plain.count > 1)
  }

  @Test("far out at sea names the ocean")
  func ocean() async throws {
    let found = try await reverse(40, -40)
    #expect(found.ocean == "North Atlantic Ocean" && found.name == found.ocean)
    #expect(found.country == nil && found.isoCountryCode == nil && found.timeZone == nil)
  }

  @Test("survives an archive, and is its own copy")
  func archive() async throws {
    let found = try await reverse(37.3318, -122.0312)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: found, requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: CLPlacemark.self, from: data))
    #expect(read.locality == "Cupertino" && read.subAdministrativeArea == "Santa Clara County")
    #expect(read.timeZone == found.timeZone && read.thoroughfare == nil)
    #expect(read.location?.coordinate.latitude == 37.3318)
    let (region, known) = (read.region as? CLCircularRegion, found.region as? CLCircularRegion)
    #expect(region?.radius == known?.radius && region?.identifier == known?.identifier)
    #expect(found.copy() as? CLPlacemark === found)
    #expect(CLPlacemark(placemark: found).locality == "Cupertino")
  }

  @Test("is what a program's own geocoder gives in place of this one")
  func replaced() async throws {
    let naming: any PlaceNaming = SilentGeocoder()
    #expect(try await naming.reverseGeocodeLocation(CLLocation()).isEmpty)
    #expect(try await naming.geocodeAddressString("Paris").isEmpty)
  }
}
