// @preconcurrency: Apple's header predates concurrency checking, and ported code relies on that.

/// Receives the events of a location manager.
///
/// Every method has a default implementation, in place of Objective-C's optional methods. A method
/// must be implemented in the type that declares the conformance: a method that only a subclass
/// adds is never called.
@preconcurrency
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  // MARK: Locations

  /// Reports new locations, at least one, ordered by time.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The form of 2008. Called where `didUpdateLocations` is not implemented, from the second
  /// location on.
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation)
  /// Reports a failure. The service continues after `locationUnknown`.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Deferral has ended: once for each `allowDeferredLocationUpdates`; nil where its distance or
  /// time was reached.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
  /// Updates pause because the device is at rest.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Updates continue after a pause.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

  // MARK: Authorization

  /// The authorization, or the accuracy that goes with it, became known or changed.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The form before iOS 14. Called where `locationManagerDidChangeAuthorization` is not
  /// implemented.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

  // MARK: Heading

  /// Reports a new heading.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Whether a calibration display may appear. Without one calibration continues in the background.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

  // MARK: Regions

  /// Monitoring of the region has begun.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// The region's boundary was crossed inwards.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The region's boundary was crossed outwards.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// Reports the state of the region: after `requestState`, and before each crossing is reported.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// The region cannot be monitored, for the reason in the error.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )

  // MARK: Visits

  /// A visit began or ended.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)

  // MARK: Beacons

  /// Reports the beacons in range, the nearest first, about once a second; the list may be empty.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint)
  /// Ranging has failed.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error)
  /// The form before iOS 13. Called where `didRange` is not implemented.
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)
  /// The form before iOS 13. Called where `didFailRangingFor` is not implemented.
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error)
}
