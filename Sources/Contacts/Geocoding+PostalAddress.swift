extension CLPlacemark {
  /// The address; nil where no part of it is known.
  public var postalAddress: CNPostalAddress? {
    let words = values.words
    let address = CNMutablePostalAddress()
    address.street = values.street ?? ""
    address.subLocality = words[.subLocality] ?? ""
    address.city = words[.locality] ?? ""
    address.subAdministrativeArea = words[.subAdministrativeArea] ?? ""
    address.state = words[.administrativeArea] ?? ""
    address.postalCode = words[.postalCode] ?? ""
    address.country = words[.country] ?? ""
    address.isoCountryCode = words[.isoCountryCode] ?? ""
    let copy = address.copy() as? CNPostalAddress
    return copy == CNPostalAddress() ? nil : copy
  }

  /// Makes a placemark from an address; the whole street becomes its thoroughfare.
  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    var values = PlacemarkValues()
    values.location = location
    values.words[.name] = name
    if let address = postalAddress {
      let parts: [(PlacemarkValues.Word, String)] = [
        (.thoroughfare, address.street), (.subLocality, address.subLocality),
        (.locality, address.city), (.subAdministrativeArea, address.subAdministrativeArea),
        (.administrativeArea, address.state), (.postalCode, address.postalCode),
        (.country, address.country), (.isoCountryCode, address.isoCountryCode),
      ]
      for (word, text) in parts where !text.isEmpty { values.words[word] = text }
    }
    self.init(values)
  }
}

extension CLGeocoder {
  /// Finds the places of an address.
  public func geocodePostalAddress(
    _ postalAddress: CNPostalAddress,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(postalAddress.search, completionHandler: completionHandler)
  }

  /// The same, with names of countries in the locale's language.
  public func geocodePostalAddress(
    _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      postalAddress.search, in: nil, preferredLocale: locale, completionHandler: completionHandler)
  }

  // On the caller's actor, as the forms of `CLGeocoder`.
  #if compiler(>=6.2)
    /// Finds the places of an address.
    nonisolated(nonsending) public func geocodePostalAddress(
      _ postalAddress: CNPostalAddress
    ) async throws -> [CLPlacemark] {
      try await geocodeAddressString(postalAddress.search)
    }

    /// The same, with names of countries in the locale's language.
    nonisolated(nonsending) public func geocodePostalAddress(
      _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await geocodeAddressString(postalAddress.search, in: nil, preferredLocale: locale)
    }
  #else
    /// Finds the places of an address.
    public func geocodePostalAddress(_ postalAddress: CNPostalAddress) async throws -> [CLPlacemark]
    {
      try await geocodeAddressString(postalAddress.search)
    }

    /// The same, with names of countries in the locale's language.
    public func geocodePostalAddress(
      _ postalAddress: CNPostalAddress, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await geocodeAddressString(postalAddress.search, in: nil, preferredLocale: locale)
    }
  #endif
}

extension CNPostalAddress {
  /// The search text: the parts from the most to the least exact.
  fileprivate var search: String {
    // The country code, where known, does not depend on the language.
    let holder = isoCountryCode.isEmpty ? country : isoCountryCode
    return [street, subLocality, city, state, holder].filter { !$0.isEmpty }
      .joined(separator: ", ")
  }
}
