internal import Geocoder
internal import LinuxIO
internal import Quantities

extension PlacemarkValues {
  /// Makes the values of a search result.
  /// - Parameters:
  ///   - found: The result in the gazetteer.
  ///   - asked: The requested location; nil for an address.
  ///   - locale: The locale for the name of the country.
  init(_ found: GeocodedPlace, asked: CLLocation?, locale: Locale) {
    self.init()
    let position = CLLocationCoordinate2D(found.position)
    // The names apply to the whole place: no more exact than its radius, nor than the request.
    let accuracy = max(asked?.horizontalAccuracy ?? 0, found.radiusMetres)
    location = CLLocation(
      coordinate: position, altitude: 0,
      horizontalAccuracy: accuracy, verticalAccuracy: -1, timestamp: Date())
    let centre = CLLocationCoordinate2D(found.centre)
    region = CLCircularRegion(
      center: centre, radius: found.radiusMetres,
      identifier: String(
        format: "<%+.8f,%+.8f> radius %.2f", centre.latitude, centre.longitude, found.radiusMetres))
    timeZone = found.timeZone.flatMap(TimeZone.init(identifier:))
    let country = found.country.map { CountryNames.name(of: $0, in: locale) }
    words[.name] = found.name == found.country?.name ? country : found.name
    words[.locality] = found.locality
    words[.subLocality] = found.subLocality
    words[.administrativeArea] = found.administrativeArea
    words[.subAdministrativeArea] = found.county
    words[.isoCountryCode] = found.country?.isoCode
    words[.country] = country
    words[.ocean] = found.ocean
    words[.inlandWater] = found.inlandWater
  }
}

/// The localized names of countries, from Foundation.
enum CountryNames {
  private static let kept = Locked<[String: [String: String]]>([:])

  /// The localized name of a country, else the gazetteer's.
  static func name(of country: Country, in locale: Locale) -> String {
    locale.localizedString(forRegionCode: country.isoCode) ?? country.name
  }

  /// ISO codes by folded names.
  static func codes(in locale: Locale, of countries: [Country]) -> [String: String] {
    if let codes = kept.withLock({ $0[locale.identifier] }) { return codes }
    var codes: [String: String] = [:]
    for country in countries {
      codes[FoldedName.of(name(of: country, in: locale))] = country.isoCode
    }
    kept.withLock { $0[locale.identifier] = codes }
    return codes
  }
}
