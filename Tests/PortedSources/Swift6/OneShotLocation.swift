// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

/// One location, awaited.
@MainActor
public final class OneShotLocation: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var continuation: CheckedContinuation<CLLocation, any Error>?

  public override init() {
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyHundredMeters
  }

  public func current() async throws -> CLLocation {
    try await withCheckedThrowingContinuation { continuation in
      self.continuation = continuation
      manager.requestLocation()
    }
  }

  nonisolated public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    MainActor.assumeIsolated {
      guard let location = locations.last else { return }
      continuation?.resume(returning: location)
      continuation = nil
    }
  }

  nonisolated public func locationManager(
    _ manager: CLLocationManager, didFailWithError error: any Error
  ) {
    Task { @MainActor in
      continuation?.resume(throwing: error)
      continuation = nil
    }
  }
}
