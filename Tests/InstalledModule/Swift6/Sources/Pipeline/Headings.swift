import CoreLocation
import Quantities

/// The magnetic headings of the device, as a stream.
@MainActor
public final class Headings: NSObject {
  private let manager = CLLocationManager()
  private var continuation: AsyncStream<Angle>.Continuation?

  /// Starts the headings.
  public func angles() -> AsyncStream<Angle> {
    let (stream, continuation) = AsyncStream.makeStream(of: Angle.self)
    self.continuation = continuation
    manager.delegate = self
    manager.headingFilter = kCLHeadingFilterNone
    manager.startUpdatingHeading()
    return stream
  }
}

extension Headings: @preconcurrency CLLocationManagerDelegate {
  /// Passes the heading on.
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
    continuation?.yield(Angle(degrees: heading.magneticHeading))
  }
}

extension CLLocationCoordinate2D: @retroactive Equatable {
  /// True where both degrees are the same.
  public static func == (a: CLLocationCoordinate2D, b: CLLocationCoordinate2D) -> Bool {
    a.latitude == b.latitude && a.longitude == b.longitude
  }
}
