import CoreLocation

/// Prints the device's location and heading.
final class Compass: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let limit: Int?
  private var updates = 0

  init(limit: Int?) {
    self.limit = limit
    super.init()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.headingFilter = 1
  }

  func start() {
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    if CLLocationManager.headingAvailable() {
      manager.startUpdatingHeading()
    }
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: print("Authorized")
    case .denied, .restricted: print("Not authorized")
    case .notDetermined: print("Not decided yet")
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    let isTrue = newHeading.trueHeading >= 0
    let degrees = isTrue ? newHeading.trueHeading : newHeading.magneticHeading
    let accuracy =
      newHeading.headingAccuracy < 0
      ? "accuracy unknown" : String(format: "± %.0f°", newHeading.headingAccuracy)
    let north = isTrue ? "true" : "magnetic"
    show(String(format: "Heading  %5.1f° %@ (%@)", degrees, north, accuracy))
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last, location.horizontalAccuracy >= 0 else { return }
    let simulated = location.sourceInformation?.isSimulatedBySoftware == true ? "  SIMULATED" : ""
    show(
      String(
        format: "Location %.6f, %.6f ± %.1f m%@", location.coordinate.latitude,
        location.coordinate.longitude, location.horizontalAccuracy, simulated))
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if let error = error as? CLError, error.code == .locationUnknown {
      print("Waiting for a location")
      return
    }
    print("Error: \(error.localizedDescription)")
    manager.stopUpdatingLocation()
    manager.stopUpdatingHeading()
    exit(1)
  }

  private func show(_ line: String) {
    print(line)
    updates += 1
    if let limit, updates >= limit { exit(0) }
  }
}
