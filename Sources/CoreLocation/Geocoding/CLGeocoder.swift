internal import Geocoder
internal import LinuxIO
internal import Quantities

/// The completion of a geocoding request: placemarks, the likeliest first, or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Converts between locations and names of places, without a network.
///
/// - One request at a time: a second one fails with `geocodeCanceled`, and the first continues.
///   Apple leaves the result of a second request open.
/// - The handler is called on the main queue, as a manager's delegate, never inside the call.
/// - A location has one placemark; an address may have several.
/// - `geocodeFoundNoResult`: the gazetteer has no place for the location or address.
///   `geocodeFoundPartialResult`: only the state or country of the address was found. `network`:
///   the gazetteer cannot be read; the error contains the remedy.
/// - Apple deprecates this class as of iOS 26 in favour of MapKit. It is not deprecated here,
///   because there is no MapKit.
open class CLGeocoder: NSObject {
  private let service = GeocodingService.current
  private let pending = Locked<Pending?>(nil)

  /// A request without an answer yet, identified by the object.
  private final class Pending: Sendable {
    private let handler: ProgramValue<CLGeocodeCompletionHandler>

    init(_ handler: @escaping CLGeocodeCompletionHandler) {
      self.handler = ProgramValue(value: handler)
    }

    /// Calls the handler, on the main queue only.
    func answer(_ placemarks: [CLPlacemark]?, _ error: (any Error)?) {
      handler.value(placemarks, error)
    }
  }

  /// Makes a geocoder.
  public override init() { super.init() }

  /// True from a request until its handler is called.
  open var isGeocoding: Bool { pending.withLock { $0 != nil } }

  /// Finds the place at a location.
  open func reverseGeocodeLocation(
    _ location: CLLocation,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    request(.reverse(location), nil, completionHandler)
  }

  /// Finds the place at a location, with the country in the locale's language.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    request(.reverse(location), locale, completionHandler)
  }

  /// Finds the places of an address: "Paris", "Paris, Texas", "48.86, 2.35".
  open func geocodeAddressString(
    _ addressString: String,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    request(.forward(addressString, in: nil), nil, completionHandler)
  }

  /// Finds the places of an address; those in the region first, then the nearest.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    request(.forward(addressString, in: SearchRegion(region)), nil, completionHandler)
  }

  /// The same, with names of countries in the locale's language, in the address and in the results.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    request(.forward(addressString, in: SearchRegion(region)), locale, completionHandler)
  }

  /// The same with a circle instead of a region.
  open func geocodeAddressString(
    _ addressString: String, inRegionCenteredAt centroid: CLLocationCoordinate2D,
    inRegionRadius radius: CLLocationDistance, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let region = SearchRegion(centre: centroid.position, radiusMetres: radius)
    request(.forward(addressString, in: region), locale, completionHandler)
  }

  /// Finds the places of an address under address book keys, as in `CLPlacemark.addressDictionary`.
  @available(*, deprecated, message: "Use geocodeAddressString(_:completionHandler:)")
  open func geocodeAddressDictionary(
    _ addressDictionary: [AnyHashable: Any],
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let address = PlacemarkValues.search(in: addressDictionary)
    request(.forward(address, in: nil), nil, completionHandler)
  }

  // The asynchronous forms run on the caller's actor, as those of Apple's since Swift 6.2, so that
  // an actor may call a geocoder that it owns. An older compiler cannot declare that.
  #if compiler(>=6.2)
    /// Finds the place at a location.
    nonisolated(nonsending) open func reverseGeocodeLocation(
      _ location: CLLocation
    ) async throws -> [CLPlacemark] {
      try await answer { reverseGeocodeLocation(location, completionHandler: $0) }
    }

    /// Finds the place at a location, with the country in the locale's language.
    nonisolated(nonsending) open func reverseGeocodeLocation(
      _ location: CLLocation, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await answer {
        reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
      }
    }

    /// Finds the places of an address.
    nonisolated(nonsending) open func geocodeAddressString(
      _ addressString: String
    ) async throws -> [CLPlacemark] {
      try await answer { geocodeAddressString(addressString, completionHandler: $0) }
    }

    /// Finds the places of an address; those in the region first, then the nearest.
    nonisolated(nonsending) open func geocodeAddressString(
      _ addressString: String, in region: CLRegion?
    ) async throws -> [CLPlacemark] {
      try await answer { geocodeAddressString(addressString, in: region, completionHandler: $0) }
    }

    /// The same, with names of countries in the locale's language, in the address and in the
    /// results.
    nonisolated(nonsending) open func geocodeAddressString(
      _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await answer {
        geocodeAddressString(
          addressString, in: region, preferredLocale: locale, completionHandler: $0)
      }
    }

    /// The same with a circle instead of a region.
    nonisolated(nonsending) open func geocodeAddressString(
      _ addressString: String, inRegionCenteredAt centroid: CLLocationCoordinate2D,
      inRegionRadius radius: CLLocationDistance, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await answer {
        geocodeAddressString(
          addressString, inRegionCenteredAt: centroid, inRegionRadius: radius,
          preferredLocale: locale, completionHandler: $0)
      }
    }

    /// Finds the places of an address under address book keys.
    @available(*, deprecated, message: "Use geocodeAddressString(_:)")
    nonisolated(nonsending) open func geocodeAddressDictionary(
      _ addressDictionary: [AnyHashable: Any]
    ) async throws -> [CLPlacemark] {
      try await answer { geocodeAddressDictionary(addressDictionary, completionHandler: $0) }
    }

    /// Waits for the result of a request with a handler.
    nonisolated(nonsending) package func answer(
      _ start: (@escaping CLGeocodeCompletionHandler) -> Void
    ) async throws -> [CLPlacemark] {
      try await withCheckedThrowingContinuation { continuation in
        start { placemarks, error in
          if let placemarks {
            continuation.resume(returning: placemarks)
          } else {
            continuation.resume(throwing: error ?? CLError(.geocodeFoundNoResult))
          }
        }
      }
    }
  #else
    /// Finds the place at a location.
    open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
      try await answer { reverseGeocodeLocation(location, completionHandler: $0) }
    }

    /// Finds the place at a location, with the country in the locale's language.
    open func reverseGeocodeLocation(
      _ location: CLLocation, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await answer {
        reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
      }
    }

    /// Finds the places of an address.
    open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
      try await answer { geocodeAddressString(addressString, completionHandler: $0) }
    }

    /// Finds the places of an address; those in the region first, then the nearest.
    open func geocodeAddressString(
      _ addressString: String, in region: CLRegion?
    ) async throws -> [CLPlacemark] {
      try await answer { geocodeAddressString(addressString, in: region, completionHandler: $0) }
    }

    /// The same, with names of countries in the locale's language, in the address and in the
    /// results.
    open func geocodeAddressString(
      _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await answer {
        geocodeAddressString(
          addressString, in: region, preferredLocale: locale, completionHandler: $0)
      }
    }

    /// The same with a circle instead of a region.
    open func geocodeAddressString(
      _ addressString: String, inRegionCenteredAt centroid: CLLocationCoordinate2D,
      inRegionRadius radius: CLLocationDistance, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
      try await answer {
        geocodeAddressString(
          addressString, inRegionCenteredAt: centroid, inRegionRadius: radius,
          preferredLocale: locale, completionHandler: $0)
      }
    }

    /// Finds the places of an address under address book keys.
    @available(*, deprecated, message: "Use geocodeAddressString(_:)")
    open func geocodeAddressDictionary(
      _ addressDictionary: [AnyHashable: Any]
    ) async throws -> [CLPlacemark] {
      try await answer { geocodeAddressDictionary(addressDictionary, completionHandler: $0) }
    }

    /// Waits for the result of a request with a handler.
    package func answer(
      _ start: (@escaping CLGeocodeCompletionHandler) -> Void
    ) async throws -> [CLPlacemark] {
      try await withCheckedThrowingContinuation { continuation in
        start { placemarks, error in
          if let placemarks {
            continuation.resume(returning: placemarks)
          } else {
            continuation.resume(throwing: error ?? CLError(.geocodeFoundNoResult))
          }
        }
      }
    }
  #endif

  /// Cancels the running request: its handler is called with `geocodeCanceled`.
  open func cancelGeocode() {
    let ended = pending.withLock { current in
      defer { current = nil }
      return current
    }
    if let ended { DeliveryContext.main().call { ended.answer(nil, CLError(.geocodeCanceled)) } }
  }

  private func request(
    _ request: GeocodingService.Request, _ locale: Locale?,
    _ handler: @escaping CLGeocodeCompletionHandler
  ) {
    let own = Pending(handler)
    let isFree = pending.withLock { current in
      guard current == nil else { return false }
      current = own
      return true
    }
    guard isFree else {
      return DeliveryContext.main().call { own.answer(nil, CLError(.geocodeCanceled)) }
    }
    let context = DeliveryContext.main()
    service.answer(request, locale: locale) { [pending] result in
      context.call {
        // A cancelled request was answered already.
        let isCurrent = pending.withLock { current in
          guard current === own else { return false }
          current = nil
          return true
        }
        guard isCurrent else { return }
        switch result {
        case .success(let placemarks): own.answer(placemarks, nil)
        case .failure(let error): own.answer(nil, error)
        }
      }
    }
  }
}

extension SearchRegion {
  fileprivate init?(_ region: CLRegion?) {
    guard let circle = region as? CLCircularRegion else { return nil }
    self.init(centre: circle.center.position, radiusMetres: circle.radius)
  }
}
