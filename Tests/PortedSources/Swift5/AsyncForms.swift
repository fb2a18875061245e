import CoreLocation

// Every completion-handler and asynchronous form from code of each isolation, as iOS programs of Swift 6.2
// and later call them. Older compilers refuse an object that an actor owns.
#if compiler(>=6.2)
  /// Owns its objects on the main actor.
  @MainActor package final class MainActorForms {
    private let geocoder: CLGeocoder
    private let manager: CLLocationManager

    package init(_ geocoder: CLGeocoder, _ manager: CLLocationManager) {
      (self.geocoder, self.manager) = (geocoder, manager)
    }

    package func run() async throws -> [String?] {
      let here = CLLocation(latitude: 0, longitude: 0)
      var names = try await geocoder.reverseGeocodeLocation(here).map(\.name)
      names += try await geocoder.reverseGeocodeLocation(here, preferredLocale: nil).map(\.name)
      names += try await geocoder.geocodeAddressString("Paris").map(\.name)
      names += try await geocoder.geocodeAddressString("Paris", in: nil).map(\.name)
      names += try await geocoder.geocodeAddressString("Paris", in: nil, preferredLocale: nil)
        .map(\.name)
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "map")
      return names
    }

    package func runWithHandlers(_ done: @escaping @MainActor (String?) -> Void) {
      geocoder.reverseGeocodeLocation(CLLocation(latitude: 0, longitude: 0)) { placemarks, _ in
        let name = placemarks?.first?.name
        MainActor.assumeIsolated { done(name) }
      }
      manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "map") { _ in }
    }
  }

  /// Owns its objects on an actor.
  package actor ActorForms {
    private let geocoder = CLGeocoder()
    private let manager = CLLocationManager()

    package init() {}

    package func run() async throws -> [String?] {
      let here = CLLocation(latitude: 0, longitude: 0)
      var names = try await geocoder.reverseGeocodeLocation(here).map(\.name)
      names += try await geocoder.reverseGeocodeLocation(here, preferredLocale: nil).map(\.name)
      names += try await geocoder.geocodeAddressString("Paris").map(\.name)
      names += try await geocoder.geocodeAddressString("Paris", in: nil).map(\.name)
      names += try await geocoder.geocodeAddressString("Paris", in: nil, preferredLocale: nil)
        .map(\.name)
      try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "map")
      return names
    }

    package func runWithHandlers() {
      geocoder.geocodeAddressString("Paris") { _, _ in }
      manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "map") { _ in }
    }
  }
#endif

/// Calls the forms without an isolation.
package func nonisolatedForms(
  _ geocoder: CLGeocoder, _ manager: CLLocationManager
) async throws -> [String?] {
  let names = try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 0, longitude: 0))
    .map(\.name)
  try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "map")
  return names
}

/// A geocoder of a test.
package final class MockGeocoder: CLGeocoder, @unchecked Sendable {
  package override init() { super.init() }
  package override func reverseGeocodeLocation(
    _ location: CLLocation
  ) async throws -> [CLPlacemark] { [] }
  package override func geocodeAddressString(
    _ addressString: String
  ) async throws -> [CLPlacemark] { [] }
}

/// A manager of a test that replaces the asynchronous form.
package final class MockAccuracy: CLLocationManager {
  package override init() { super.init() }
  package private(set) var keys: [String] = []
  package override func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String
  ) async throws { keys.append(purposeKey) }
}

/// A manager of a test that replaces the form with a handler, which the asynchronous one calls.
package final class MockAccuracyHandler: CLLocationManager {
  package override init() { super.init() }
  package override func requestTemporaryFullAccuracyAuthorization(
    withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)?
  ) { completion?(purposeKey == "map" ? nil : CLError(.promptDeclined)) }
}
