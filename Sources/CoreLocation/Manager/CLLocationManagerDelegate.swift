// Apple's header predates concurrency checking, and code written against it relies on that: hence
// @preconcurrency.

/// Hears what a location manager has to say.
///
/// Every method has a body here, in place of Objective-C's optional methods. A method must
/// stand in the type that states the conformance: one that only a subclass adds is never called.
@preconcurrency
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  // MARK: Locations

  /// New locations, at least one, in the order of time.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The form of 2008; called where `didUpdateLocations` is not implemented, once there is an old
  /// location.
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation)
  /// Something could not be done; `locationUnknown` is not the end of the service.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Deferral is over: once for each `allowDeferredLocationUpdates`, nil where it came to its end.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
  /// Updates pause, because nothing moves.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Updates go on after a pause.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)

  // MARK: Authorization

  /// The authorization, or the accuracy that goes with it, became known or changed.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The form before iOS 14; called where `locationManagerDidChangeAuthorization` is not implemented.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)

  // MARK: Heading

  /// A new heading.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Whether a calibration display may appear; without one, calibration goes on silently.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool

  // MARK: Regions

  /// Monitoring of the region has begun.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// The region's boundary was crossed inwards.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The region's boundary was crossed outwards.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// How the region stands: after `requestState`, and at each crossing, before the crossing is told.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// The region is not monitored.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )

  // MARK: Visits

  /// A visit began or ended.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)

  // MARK: Beacons

  /// The beacons in range, the nearest first; about once a second, also where there are none.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying beaconConstraint: CLBeaconIdentityConstraint)
  /// Ranging has failed.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor beaconConstraint: CLBeaconIdentityConstraint,
    error: any Error)
  /// The form before iOS 13; called where `didRange` is not implemented.
  func locationManager(
    _ manager: CLLocationManager, didRangeBeacons beacons: [CLBeacon], in region: CLBeaconRegion)
  /// The form before iOS 13; called where `didFailRangingFor` is not implemented.
  func locationManager(
    _ manager: CLLocationManager, rangingBeaconsDidFailFor region: CLBeaconRegion,
    withError error: any Error)
}
