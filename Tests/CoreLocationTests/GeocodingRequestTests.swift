import CoreLocation
import Geocoder
import LinuxIO
import Testing

/// Marks the main queue. Unchecked: a key is immutable, but not Sendable in Swift 6.0.
private struct MainQueueMark: @unchecked Sendable {
  let key = DispatchSpecificKey<Bool>()
}

/// Records the results of a geocoder's handler.
final class GeocodingRecord: Sendable {
  private let kept = Locked<[String]>([])
  private let found = Locked<[CLPlacemark]>([])
  private let mainQueue = MainQueueMark()

  init() { DispatchQueue.main.setSpecific(key: mainQueue.key, value: true) }

  /// "main" or "elsewhere", and the first locality or the error's code.
  var calls: [String] { kept.withLock { $0 } }
  var placemarks: [CLPlacemark] { found.withLock { $0 } }

  func handler() -> @Sendable ([CLPlacemark]?, (any Error)?) -> Void {
    { [self] placemarks, error in
      let isMain = DispatchQueue.getSpecific(key: mainQueue.key) == true
      let word = (error as? CLError).map { "error \($0.code.rawValue)" }
      let name = placemarks?.first.map { $0.locality ?? $0.name ?? "?" }
      kept.withLock { $0.append("\(isMain ? "main" : "elsewhere") \(word ?? name ?? "nothing")") }
      found.withLock { $0 = placemarks ?? [] }
    }
  }
}

@Suite("A geocoding request", .serialized, .timeLimit(.minutes(30)))
struct GeocodingRequestTests {
  private static let paris = CLLocation(latitude: 48.8582, longitude: 2.2945)

  /// A separate service, so that suspending it delays no other test.
  private func service() -> GeocodingService {
    GeocodingService { () throws(GazetteerError) in try Gazetteer(.builtIn) }
  }

  private func geocoder(_ service: GeocodingService) -> CLGeocoder {
    GeocodingService.$current.withValue(service) { CLGeocoder() }
  }

  @Test("calls its handler once, on the main queue, and never inside the call")
  func mainQueue() async throws {
    nonisolated(unsafe) let geocoder = geocoder(service())
    let record = GeocodingRecord()
    await MainActor.run {
      geocoder.reverseGeocodeLocation(Self.paris, completionHandler: record.handler())
      #expect(record.calls.isEmpty)
      #expect(geocoder.isGeocoding)
    }
    #expect(try await eventually { !record.calls.isEmpty })
    await drainMainQueue()
    #expect(record.calls == ["main Paris"])
    #expect(!geocoder.isGeocoding)
  }

  @Test("that is started while another goes on fails, and the first goes on")
  func oneAtATime() async throws {
    let service = service()
    let resume = service.suspend()
    let geocoder = geocoder(service)
    let (first, second) = (GeocodingRecord(), GeocodingRecord())
    geocoder.geocodeAddressString("Paris", completionHandler: first.handler())
    geocoder.geocodeAddressString("London", completionHandler: second.handler())
    #expect(try await eventually { !second.calls.isEmpty })
    #expect(geocoder.isGeocoding && first.calls.isEmpty)
    resume()
    #expect(try await eventually { !first.calls.isEmpty })
    await drainMainQueue()
    #expect(first.calls == ["main Paris"] && second.calls == ["main error 10"])
    // The geocoder accepts a request again.
    let third = GeocodingRecord()
    geocoder.geocodeAddressString("London", completionHandler: third.handler())
    #expect(try await eventually { third.calls == ["main London"] })
  }

  @Test("that is cancelled calls its handler with geocodeCanceled, once")
  func cancel() async throws {
    let service = service()
    let resume = service.suspend()
    nonisolated(unsafe) let geocoder = geocoder(service)
    let record = GeocodingRecord()
    geocoder.geocodeAddressString("Paris", completionHandler: record.handler())
    await MainActor.run {
      geocoder.cancelGeocode()
      #expect(record.calls.isEmpty)
    }
    #expect(!geocoder.isGeocoding)
    #expect(try await eventually { !record.calls.isEmpty })
    resume()
    // The result of a later request would follow that of the cancelled one.
    let later = GeocodingRecord()
    geocoder.geocodeAddressString("London", completionHandler: later.handler())
    #expect(try await eventually { later.calls == ["main London"] })
    await drainMainQueue()
    #expect(record.calls == ["main error 10"])
    geocoder.cancelGeocode()
    await drainMainQueue()
    #expect(record.calls.count == 1 && later.calls.count == 1)
  }

  @Test("that finds nothing fails with geocodeFoundNoResult")
  func noResult() async throws {
    let geocoder = geocoder(service())
    for (latitude, longitude) in [(Double.nan, Double.nan), (200, 200)] {
      do {
        _ = try await geocoder.reverseGeocodeLocation(
          CLLocation(latitude: latitude, longitude: longitude))
        Issue.record("found a place at \(latitude), \(longitude)")
      } catch CLError.geocodeFoundNoResult {
      }
    }
    do {
      _ = try await geocoder.geocodeAddressString("Xyzzyville")
      Issue.record("found Xyzzyville")
    } catch CLError.geocodeFoundNoResult {
    }
  }

  @Test("that finds no more than the country fails with geocodeFoundPartialResult")
  func partial() async throws {
    do {
      _ = try await geocoder(service()).geocodeAddressString("Xyzzyville, France")
      Issue.record("found Xyzzyville")
    } catch CLError.geocodeFoundPartialResult {
    }
  }

  @Test("by an address book's keys finds the place; by its lines, where it has no keys")
  @available(*, deprecated)
  func addressDictionary() async throws {
    for dictionary: [AnyHashable: Any] in [
      ["City": "Paris", "State": "Texas", "Country": "United States", "CountryCode": "US"],
      ["FormattedAddressLines": ["Paris", "Texas"]],
    ] {
      let record = GeocodingRecord()
      geocoder(service())
        .geocodeAddressDictionary(dictionary, completionHandler: record.handler())
      #expect(try await eventually { record.calls == ["main Paris"] })
      #expect(record.placemarks.first?.administrativeArea == "Texas")
    }
  }

  @Test("without SQLite fails with network, and the error names the package to install")
  func noLibrary() async throws {
    let service = GeocodingService { () throws(GazetteerError) in
      try Gazetteer(.builtIn, library: "liblodestar-absent.so.0")
    }
    do {
      _ = try await geocoder(service).geocodeAddressString("Paris")
      Issue.record("found Paris without SQLite")
    } catch let error as CLError {
      #expect(error.code == .network)
      #expect(error.localizedDescription.contains("sudo apt install libsqlite3-0"))
    }
  }

  @Test("of a geocoder that is gone is answered all the same")
  func geocoderGone() async throws {
    let record = GeocodingRecord()
    geocoder(service()).geocodeAddressString("Paris", completionHandler: record.handler())
    #expect(try await eventually { record.calls == ["main Paris"] })
  }

  @Test("made of many geocoders at once is answered for each")
  func many() async throws {
    let service = service()
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 {
        group.addTask { [self] in
          try await geocoder(service).geocodeAddressString("Paris").first?.locality
        }
      }
      for try await locality in group { #expect(locality == "Paris") }
    }
  }
}
