// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

// A typical singleton of iOS apps.
public protocol LocationProviderDelegate: AnyObject {
  func locationProvider(_ provider: LocationProvider, didFind coordinate: CLLocationCoordinate2D)
  func locationProvider(_ provider: LocationProvider, didFailWith error: CLError.Code)
}

public class LocationProvider: NSObject {
  public static let shared = LocationProvider()

  public weak var delegate: LocationProviderDelegate?
  public private(set) var lastLocation: CLLocation?

  private lazy var locationManager: CLLocationManager = {
    let manager = CLLocationManager()
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyNearestTenMeters
    manager.distanceFilter = 25
    manager.activityType = .fitness
    manager.pausesLocationUpdatesAutomatically = false
    manager.allowsBackgroundLocationUpdates = true
    return manager
  }()

  public override init() { super.init() }

  public func begin() {
    guard CLLocationManager.locationServicesEnabled() else { return }
    if locationManager.authorizationStatus == .notDetermined {
      locationManager.requestWhenInUseAuthorization()
    }
    locationManager.startUpdatingLocation()
  }

  public func end() {
    locationManager.stopUpdatingLocation()
  }
}

// MARK: - CLLocationManagerDelegate
extension LocationProvider: CLLocationManagerDelegate {
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    guard let newLocation = locations.last else { return }
    let age = -newLocation.timestamp.timeIntervalSinceNow
    guard age < 15, newLocation.horizontalAccuracy > 0 else { return }
    if let old = lastLocation, newLocation.distance(from: old) < 1 { return }
    lastLocation = newLocation
    delegate?.locationProvider(self, didFind: newLocation.coordinate)
  }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    guard let clError = error as? CLError else { return }
    switch clError {
    case CLError.locationUnknown:
      break
    case CLError.denied:
      manager.stopUpdatingLocation()
      delegate?.locationProvider(self, didFailWith: .denied)
    default:
      delegate?.locationProvider(self, didFailWith: clError.code)
    }
  }

  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {
    switch status {
    case .notDetermined, .restricted, .denied: end()
    case .authorizedAlways, .authorizedWhenInUse: break
    @unknown default: break
    }
  }
}

// A conformance that the SDK leaves out (`@retroactive` in an app; here it is the same package).
extension CLLocationCoordinate2D: Equatable {
  public static func == (lhs: CLLocationCoordinate2D, rhs: CLLocationCoordinate2D) -> Bool {
    lhs.latitude == rhs.latitude && lhs.longitude == rhs.longitude
  }
}
