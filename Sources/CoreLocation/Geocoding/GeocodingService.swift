package import Geocoder
internal import LinuxIO
internal import Quantities

/// Searches the gazetteer for all geocoders of the process, one search at a time, on its own queue.
package final class GeocodingService: Sendable {
  /// The service of geocoders created now; tests replace it.
  @TaskLocal package static var current = GeocodingService {
    () throws(GazetteerError) in
    try Gazetteer(GazetteerSource(environment: ProcessInfo.processInfo.environment))
  }

  private let open: @Sendable () throws(GazetteerError) -> Gazetteer
  private let opened = Locked<Geocoder?>(nil)
  private let queue = DispatchQueue(label: "CoreLocation.geocoding", qos: .userInitiated)

  /// Makes a service that opens its gazetteer at the first request, and again after a failure.
  package init(_ open: @escaping @Sendable () throws(GazetteerError) -> Gazetteer) {
    self.open = open
  }

  /// The search of a request.
  enum Request: Sendable {
    case reverse(CLLocation)
    case forward(String, in: SearchRegion?)
  }

  /// Answers a request asynchronously, on the service's queue.
  func answer(
    _ request: Request, locale: Locale?,
    _ body: @escaping @Sendable (Result<[CLPlacemark], CLError>) -> Void
  ) {
    queue.async { [self] in
      do throws(GazetteerError) {
        body(try search(request, locale: locale ?? .current, geocoder: geocoder()))
      } catch {
        body(.failure(error.refusal))
      }
    }
  }

  /// Suspends later requests until the returned closure is called; for tests.
  package func suspend() -> @Sendable () -> Void {
    queue.suspend()
    return { [queue] in queue.resume() }
  }

  private func geocoder() throws(GazetteerError) -> Geocoder {
    if let geocoder = opened.withLock({ $0 }) { return geocoder }
    let geocoder = Geocoder(try open())
    opened.withLock { $0 = geocoder }
    return geocoder
  }

  private func search(
    _ request: Request, locale: Locale, geocoder: Geocoder
  ) throws(GazetteerError) -> Result<[CLPlacemark], CLError> {
    switch request {
    case .reverse(let location):
      let position = location.coordinate.position
      guard let found = try geocoder.reverse(position) else {
        return .failure(CLError(.geocodeFoundNoResult))
      }
      return .success([
        CLPlacemark(PlacemarkValues(found, asked: location, locale: locale))
      ])
    case .forward(let address, let region):
      let names = CountryNames.codes(in: locale, of: geocoder.gazetteer.countries)
      switch try geocoder.forward(address, in: region, countryNames: names) {
      case .found(let places):
        return .success(
          places.map { CLPlacemark(PlacemarkValues($0, asked: nil, locale: locale)) })
      case .partial(let places):
        let known = places.first?.name ?? ""
        let words = "Only \(known) of the address is known."
        return .failure(
          CLError(.geocodeFoundPartialResult, userInfo: [NSLocalizedDescriptionKey: words]))
      case .nothing: return .failure(CLError(.geocodeFoundNoResult))
      }
    }
  }
}

extension GazetteerError {
  /// The error for a program: `network`, which Apple documents for a geocoding service that is not
  /// available.
  var refusal: CLError {
    CLError(
      .network, userInfo: [NSLocalizedDescriptionKey: description, NSUnderlyingErrorKey: self])
  }
}
