// Apple's header predates concurrency checking, and code written against it relies on that: hence
// @preconcurrency.

/// Hears what a location manager has to say.
///
/// Every method has an empty body here, in place of Objective-C's optional methods. A method must
/// stand in the type that states the conformance: one that only a subclass adds is never called.
@preconcurrency
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// New locations, at least one, in the order of time.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The form of 2008; called where `didUpdateLocations` is not implemented, once there is an old
  /// location.
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation)
  /// Something could not be done; `locationUnknown` is not the end of the service.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// The authorization became known or changed.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The form before iOS 14; called where `locationManagerDidChangeAuthorization` is not implemented.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// A new heading.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Whether a calibration display may appear; without one, calibration goes on silently.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
}

extension CLLocationManagerDelegate {
  /// Hands the newest two locations to the form of 2008.
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    var old = manager.session.previousLocation
    for new in locations {
      if let old { locationManager(manager, didUpdateTo: new, from: old) }
      old = new
    }
  }
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  /// Hands the status to the form before iOS 14.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) {}
  /// No.
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    false
  }
}
