// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

/// Headings as an asynchronous sequence.
public final class HeadingStream: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private var continuation: AsyncStream<CLHeading>.Continuation?

  public func start() -> AsyncStream<CLHeading> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      self.continuation = continuation
      manager.delegate = self
      manager.startUpdatingLocation()
      manager.startUpdatingHeading()
    }
  }

  public func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {
    continuation?.yield(newHeading)
  }
}
