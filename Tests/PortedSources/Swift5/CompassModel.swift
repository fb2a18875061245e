// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CoreLocation

// A view model on the main actor, in the language mode of most existing apps. Without the attribute
// on the conformance it compiles with a warning.
@MainActor
public final class CompassModel: NSObject, @preconcurrency CLLocationManagerDelegate {
  public var onChange: ((CompassModel) -> Void)?
  public private(set) var degrees: Double = 0 { didSet { onChange?(self) } }
  public private(set) var isAuthorized = false

  private let manager: CLLocationManager

  public init(manager: CLLocationManager = CLLocationManager()) {
    self.manager = manager
    super.init()
    manager.delegate = self
    manager.headingFilter = kCLHeadingFilterNone
    manager.headingOrientation = .portrait
  }

  public func start() { manager.startUpdatingHeading() }
  public func stop() { manager.stopUpdatingHeading() }

  public func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {
    guard newHeading.headingAccuracy >= 0 else { return }
    degrees = newHeading.trueHeading > 0 ? newHeading.trueHeading : newHeading.magneticHeading
  }

  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    isAuthorized = manager.authorizationStatus == .authorizedAlways
  }

  public func locationManagerShouldDisplayHeadingCalibration(
    _ manager: CLLocationManager
  ) -> Bool { true }
}
