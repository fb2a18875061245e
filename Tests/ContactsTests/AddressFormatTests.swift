import Contacts
import Testing

/// Addresses in the form of their country.
@Suite("A postal address of a country", .timeLimit(.minutes(30)))
struct AddressFormatTests {
  /// - Source: the test cases of OpenCage's address-formatting (`testcases/countries`), without
  ///   names of buildings; United States and Canada with the codes of their states, as there.
  static let examples:
    [(
      country: String, number: String?, street: String?, section: String?, city: String,
      state: String?, code: String?, expected: String
    )] = [
      (
        "DE", "1", "Rosenthaler Straße", "Mitte", "Berlin", "Berlin", "10119",
        "Rosenthaler Straße 1|10119 Berlin"
      ),
      (
        "FR", "17", "Rue du Médecin-Colonel Calbairac", "Toulouse Ouest", "Toulouse",
        "Midi-Pyrénées", "31000", "17 Rue du Médecin-Colonel Calbairac|31000 Toulouse"
      ),
      (
        "GB", "82", "Clerkenwell Road", "Clerkenwell", "London", "England", "EC1M 5RF",
        "82 Clerkenwell Road|London|EC1M 5RF"
      ),
      (
        "US", "301", "Hamilton Avenue", "Crescent Park", "Palo Alto", "CA", "94303",
        "301 Hamilton Avenue|Palo Alto, CA 94303"
      ),
      ("US", nil, nil, nil, "Palo Alto", "CA", nil, "Palo Alto, CA"),
      (
        "IT", "13", "Via Pisacane", "Montaltino", "Barletta", "BT", "76121",
        "Via Pisacane, 13|76121 Barletta BT"
      ),
      (
        "ES", "17", "Avinguda del Bogatell", nil, "Barcelona", nil, "08005",
        "Avinguda del Bogatell, 17|08005 Barcelona"
      ),
      (
        "AU", "223", "William Street", "Melbourne", "Melbourne", "VIC", "3000",
        "223 William Street|Melbourne VIC 3000"
      ),
      (
        "CA", "251", "McMurchy Avenue South", "Ridgehill", "Brampton", "ON", "L6Y 1Z4",
        "251 McMurchy Avenue South|Brampton ON L6Y 1Z4"
      ),
      (
        "BR", nil, "Rua Rio de Janiero", nil, "Belo Horizonte", "MG", "30170-011",
        "Rua Rio de Janiero|Belo Horizonte - MG|30170-011"
      ),
      (
        "NL", "573", "Herengracht", "Amsterdam", "Amsterdam", "North Holland", "1017 CD",
        "Herengracht 573|1017 CD Amsterdam"
      ),
      (
        "HU", "11", "Dezső utca", "Krisztinaváros", "Budapest", "Közép-Magyarország", "1111",
        "Budapest|Dezső utca 11|1111"
      ),
      (
        "LV", "81", "Ģertrūdes iela", "Avoti", "Riga", "Vidzeme", "LV-1009",
        "Ģertrūdes iela 81|Riga, LV-1009"
      ),
      (
        "MX", "45", "Avenida Tamaulipas", "Cuauhtémoc", "Mexico City", "Federal District", "06100",
        "Avenida Tamaulipas 45|Cuauhtémoc|06100 Mexico City, Federal District"
      ),
      (
        "UA", "2д", "Protasiv Yar Street", nil, "Kyiv", nil, "03038",
        "Protasiv Yar Street, 2д|Kyiv|03038"
      ),
      (
        "IN", nil, "uppuguda", "Charminar", "Hyderabad", "Telangana", "500064",
        "uppuguda|Charminar|Hyderabad - 500064|Telangana"
      ),
      (
        "NZ", "53", "Pirie Street", "Mount Victoria", "Wellington", "Wellington", "6011",
        "53 Pirie Street|Mount Victoria|Wellington 6011"
      ),
    ]

  @Test("has the order of its country", arguments: examples.indices)
  func order(index: Int) {
    let example = Self.examples[index]
    var values = PlacemarkValues()
    values.words[.isoCountryCode] = example.country
    values.words[.subThoroughfare] = example.number
    values.words[.thoroughfare] = example.street
    values.words[.subLocality] = example.section
    values.words[.locality] = example.city
    values.words[.administrativeArea] = example.state
    values.words[.postalCode] = example.code
    values.words[.country] = "Country"
    let expected = example.expected.split(separator: "|").map(String.init) + ["Country"]
    #expect(values.addressLines == expected)
    // The formatter writes the same lines.
    let placemark = CLPlacemark(values)
    let text = placemark.postalAddress.map {
      CNPostalAddressFormatter.string(from: $0, style: .mailingAddress)
    }
    #expect(text == expected.joined(separator: "\n"))
  }

  /// - Source: Japan Post, an address in Japanese: from the postal code to the building.
  @Test("is written from the largest part in Japanese and Chinese")
  func native() {
    let address = CNMutablePostalAddress()
    (address.isoCountryCode, address.country) = ("JP", "日本")
    (address.postalCode, address.state, address.city) = ("100-8994", "東京都", "中央区")
    address.street = "八重洲一丁目5番3号"
    let text = CNPostalAddressFormatter.string(from: address, style: .mailingAddress)
    #expect(text == "〒100-8994\n東京都中央区\n八重洲一丁目5番3号\n日本")
    (address.state, address.city, address.street) = ("Tokyo", "Chuo-ku", "5-3, Yaesu 1-Chome")
    let latin = CNPostalAddressFormatter.string(from: address, style: .mailingAddress)
    #expect(latin == "5-3, Yaesu 1-Chome\nChuo-ku, Tokyo\n100-8994\n日本")
  }

  @Test("without some of its parts has no separators of them")
  func parts() {
    let address = CNMutablePostalAddress()
    address.isoCountryCode = "us"
    (address.city, address.state, address.postalCode) = ("", "CA", "95014")
    #expect(CNPostalAddressFormatter().string(from: address) == "CA 95014")
    (address.city, address.state) = ("Cupertino", "")
    #expect(CNPostalAddressFormatter().string(from: address) == "Cupertino 95014")
    address.isoCountryCode = "JP"
    (address.city, address.postalCode) = ("東京", "")
    #expect(CNPostalAddressFormatter().string(from: address) == "東京")
  }

  @Test("of an unknown country has the form of most countries")
  func standard() {
    let address = CNMutablePostalAddress()
    (address.isoCountryCode, address.street) = ("XX", "Main Road 1")
    (address.city, address.state, address.postalCode) = ("Town", "Province", "123")
    address.country = "Nowhere"
    #expect(
      CNPostalAddressFormatter().string(from: address)
        == "Main Road 1\n123 Town\nProvince\nNowhere")
  }

  @Test("has a form of its own in most countries, each an ISO code")
  func countries() {
    let codes = AddressFormat.countries
    #expect(codes.count >= 40)
    #expect(codes.isSubset(of: Set(Locale.Region.isoRegions.map(\.identifier))))
  }
}
