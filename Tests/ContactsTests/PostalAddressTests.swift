import Contacts
import Testing

@Suite("A postal address", .timeLimit(.minutes(30)))
struct PostalAddressTests {
  private func apple() -> CNMutablePostalAddress {
    let address = CNMutablePostalAddress()
    address.street = "1 Infinite Loop"
    address.city = "Cupertino"
    address.state = "CA"
    address.postalCode = "95014"
    address.country = "United States"
    address.isoCountryCode = "US"
    return address
  }

  @Test("a mutable address is changed and read by several threads at once")
  func threads() {
    let address = apple()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<2000 {
        if thread.isMultiple(of: 2) {
          address.street = "\(number) Street"
          address.city = "City \(number)"
        } else {
          _ = (address.copy(), address.street.count, address.hash)
        }
      }
    }
    #expect(address.street == "1999 Street" && address.city == "City 1999")
  }

  @Test("is written as on an envelope")
  func formatter() {
    #expect(
      CNPostalAddressFormatter.string(from: apple(), style: .mailingAddress)
        == "1 Infinite Loop\nCupertino, CA 95014\nUnited States")
    #expect(CNPostalAddressFormatter().string(from: CNPostalAddress()) == "")
    #expect(CNPostalAddressFormatter().string(for: 7) == nil)
  }

  @Test("that is copied does not change with the first, and equals it till then")
  func copies() throws {
    let address = apple()
    let copy = try #require(address.copy() as? CNPostalAddress)
    #expect(copy == address && copy.hash == address.hash && !(copy is CNMutablePostalAddress))
    address.city = "Sunnyvale"
    #expect(copy.city == "Cupertino" && copy != address)
    let other = try #require(copy.mutableCopy() as? CNMutablePostalAddress)
    other.subLocality = "Monta Vista"
    #expect(other.subLocality == "Monta Vista" && copy.subLocality == "")
  }

  @Test("survives an archive")
  func archive() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: apple(), requiringSecureCoding: true)
    let read = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: CNMutablePostalAddress.self, from: data)
    #expect(read == apple())
  }

  @Test("is found as the place that it belongs to")
  func geocoding() async throws {
    let found = try await CLGeocoder().geocodePostalAddress(apple())
    #expect(found.first?.locality == "Cupertino" && found.first?.isoCountryCode == "US")
    let localized = try await CLGeocoder().geocodePostalAddress(
      apple(), preferredLocale: Locale(identifier: "fr_FR"))
    #expect(localized.first?.postalAddress?.country == "États-Unis")
  }

  @Test("of a placemark contains the placemark's values")
  func placemark() async throws {
    let found = try await CLGeocoder().reverseGeocodeLocation(
      CLLocation(latitude: 37.3318, longitude: -122.0312),
      preferredLocale: Locale(identifier: "en_US"))
    let address = try #require(found.first?.postalAddress)
    #expect(address.city == "Cupertino" && address.state == "California")
    #expect(address.subAdministrativeArea == "Santa Clara County")
    #expect(address.country == "United States" && address.isoCountryCode == "US")
    #expect(address.street == "" && address.postalCode == "")
  }

  @Test("makes a placemark, which gives it back")
  func roundTrip() {
    let location = CLLocation(latitude: 37.33, longitude: -122.03)
    let placemark = CLPlacemark(location: location, name: "Apple", postalAddress: apple())
    #expect(placemark.name == "Apple" && placemark.thoroughfare == "1 Infinite Loop")
    #expect(placemark.locality == "Cupertino" && placemark.postalCode == "95014")
    #expect(placemark.location?.coordinate.latitude == 37.33)
    #expect(placemark.postalAddress == apple())
    let bare = CLPlacemark(location: location, name: nil, postalAddress: nil)
    #expect(bare.postalAddress == nil && bare.name == nil)
  }

  @Test("has Apple's keys")
  func keys() {
    #expect(CNPostalAddressStreetKey == "street" && CNPostalAddressCityKey == "city")
    #expect(CNPostalAddressISOCountryCodeKey == "ISOCountryCode")
    #expect(CNPostalAddress.localizedString(forKey: CNPostalAddressStateKey) == "state")
  }
}
