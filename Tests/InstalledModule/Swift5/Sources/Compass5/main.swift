import CoreLocation

// Date, NSObject, RunLoop and exit come with Core Location, as on an iPhone.
final class Compass: NSObject, CLLocationManagerDelegate {
  let manager = CLLocationManager()
  let begun = Date()
  var heard: Set<String> = []

  func start() {
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    manager.startUpdatingHeading()
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse: hear("authorization")
    case .denied, .restricted, .notDetermined: hear("no authorization")
    @unknown default: hear("no authorization")
    }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    if newHeading.headingAccuracy >= 0, newHeading.timestamp >= begun { hear("heading") }
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let last = locations.last, CLLocationCoordinate2DIsValid(last.coordinate) else { return }
    hear("location")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    if let error = error as? CLError, error.code == .locationUnknown { return }
    hear("error")
  }

  private func hear(_ what: String) {
    heard.insert(what)
    guard heard.isSuperset(of: ["authorization", "heading", "location"]) else { return }
    print(heard.sorted().joined(separator: " "))
    exit(0)
  }
}

let compass = Compass()
compass.start()
RunLoop.main.run(until: Date(timeIntervalSinceNow: 60))
print("heard only: \(compass.heard.sorted())")
exit(1)
