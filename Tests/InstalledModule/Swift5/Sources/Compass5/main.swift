import CoreLocation

// Date, NSObject, RunLoop and exit come with Core Location, as on an iPhone.
final class Compass: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  let begun = Date()
  var received: Set<String> = []

  func start() {
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: record("authorization")
    case .denied, .restricted, .notDetermined: record("no authorization")
    @unknown default: record("no authorization")
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    if newHeading.headingAccuracy >= 0, newHeading.timestamp >= begun { record("heading") }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let last = locations.last, CLLocationCoordinate2DIsValid(last.coordinate) else { return }
    record("location")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if let error = error as? CLError, error.code == .locationUnknown { return }
    record("error")
  }

  private func record(_ what: String) {
    received.insert(what)
    guard received.isSuperset(of: ["authorization", "heading", "location"]) else { return }
    print(received.sorted().joined(separator: " "))
    exit(0)
  }
}

let compass = Compass()
compass.start()
RunLoop.main.run(until: Date(timeIntervalSinceNow: 60))
print("received only: \(compass.received.sorted())")
exit(1)
