import CoreLocation

/// The distance of a walk.
final class Walk: NSObject, CLLocationManagerDelegate {
  private let manager: CLLocationManager
  private var last: CLLocation?
  private(set) var distance: CLLocationDistance = 0
  private(set) var failure: CLError.Code?

  init(manager: CLLocationManager) {
    self.manager = manager
    super.init()
    manager.delegate = self
  }

  func begin() { manager.startUpdatingLocation() }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    for location in locations where location.horizontalAccuracy >= 0 {
      distance += last.map { location.distance(from: $0) } ?? 0
      last = location
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    failure = (error as? CLError)?.code
  }
}
