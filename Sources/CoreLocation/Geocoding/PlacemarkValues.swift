/// The values of a placemark; nil where they are not known.
package struct PlacemarkValues: Sendable {
  /// The location.
  package var location: CLLocation?
  /// A circle around the named place.
  package var region: CLRegion?
  /// The time zone there.
  package var timeZone: TimeZone?
  /// The texts.
  package var words: [Word: String] = [:]
  /// Landmarks.
  package var areasOfInterest: [String]?

  /// The kinds of texts. The raw values are the keys of the archive and, except for the street's
  /// parts and the waters, of `addressDictionary`.
  package enum Word: String, CaseIterable, Sendable {
    /// The name.
    case name = "Name"
    /// The street.
    case thoroughfare = "Thoroughfare"
    /// The house number.
    case subThoroughfare = "SubThoroughfare"
    /// The city.
    case locality = "City"
    /// A section of it.
    case subLocality = "SubLocality"
    /// The state or province.
    case administrativeArea = "State"
    /// The county.
    case subAdministrativeArea = "SubAdministrativeArea"
    /// The postal code.
    case postalCode = "ZIP"
    /// ISO 3166-1 alpha-2.
    case isoCountryCode = "CountryCode"
    /// The country, in the requested language.
    case country = "Country"
    /// The lake or river.
    case inlandWater = "InlandWater"
    /// The ocean.
    case ocean = "Ocean"
  }

  /// Makes values of which none is known.
  package init() {}

  /// The texts under address book keys.
  var addressDictionary: [AnyHashable: Any] {
    var dictionary: [AnyHashable: Any] = [:]
    for (word, text) in words where word != .inlandWater && word != .ocean {
      dictionary[word.rawValue] = text
    }
    if let street { dictionary["Street"] = street }
    dictionary["FormattedAddressLines"] = addressLines
    return dictionary
  }

  /// The search text of an address under address book keys: its parts from the most to the least
  /// exact, else its lines.
  static func search(in dictionary: [AnyHashable: Any]) -> String {
    // The country code where there is one, because it does not depend on the language.
    let holder: Word = dictionary[Word.isoCountryCode.rawValue] == nil ? .country : .isoCountryCode
    let keys =
      ["Street"]
      + [Word.subLocality, .locality, .administrativeArea, holder].map(\.rawValue)
    let parts = keys.compactMap { dictionary[$0] as? String }.filter { !$0.isEmpty }
    let lines = dictionary["FormattedAddressLines"] as? [String] ?? []
    return (parts.isEmpty ? lines : parts).joined(separator: ", ")
  }

  /// The house number and the street, as the country writes them.
  package var street: String? {
    format.street(words[.thoroughfare], number: words[.subThoroughfare])
  }

  /// The address as on an envelope of its country.
  package var addressLines: [String] {
    var parts = AddressFormat.Parts()
    (parts.street, parts.subLocality) = (street ?? "", words[.subLocality] ?? "")
    (parts.city, parts.state) = (words[.locality] ?? "", words[.administrativeArea] ?? "")
    (parts.postalCode, parts.country) = (words[.postalCode] ?? "", words[.country] ?? "")
    return format.lines(of: parts)
  }

  private var format: AddressFormat { AddressFormat(of: words[.isoCountryCode]) }
}
