import CoreLocation

/// A value of Core Location's public interface on Apple's systems.
struct AppleValue {
  /// Where the value is public.
  enum Source: String {
    /// The headers of the SDK of macOS 12.1 and later: `CLLocationManager.h`, `CLError.h`,
    /// `CLRegion.h`, `CLBeaconRegion.h`, `CLLocationUpdater.h`, `CLMonitoringEvent.h`.
    case header = "SDK headers"
    /// The headers name the constant only: its value as printed by programs on iOS, the same in
    /// independent reimplementations of the framework.
    case printed = "printed on iOS"
  }

  let name: String
  let value: Double
  let source: Source

  init(_ name: String, _ value: Double, _ source: Source = .header) {
    (self.name, self.value, self.source) = (name, value, source)
  }
}

/// Apple's values.
let appleValues: [AppleValue] = [
  AppleValue("kCLLocationAccuracyBestForNavigation", -2, .printed),
  AppleValue("kCLLocationAccuracyBest", -1, .printed),
  AppleValue("kCLLocationAccuracyNearestTenMeters", 10, .printed),
  AppleValue("kCLLocationAccuracyHundredMeters", 100, .printed),
  AppleValue("kCLLocationAccuracyKilometer", 1000, .printed),
  AppleValue("kCLLocationAccuracyThreeKilometers", 3000, .printed),
  AppleValue("kCLLocationAccuracyReduced", 6_380_000, .printed),
  AppleValue("kCLDistanceFilterNone", -1, .printed),
  AppleValue("kCLHeadingFilterNone", -1, .printed),
  AppleValue("CLLocationDistanceMax", .greatestFiniteMagnitude, .printed),
  AppleValue("CLTimeIntervalMax", .greatestFiniteMagnitude, .printed),
  AppleValue("kCLLocationCoordinate2DInvalid.latitude", -180, .printed),
  AppleValue("kCLLocationCoordinate2DInvalid.longitude", -180, .printed),

  AppleValue("CLAuthorizationStatus.notDetermined", 0),
  AppleValue("CLAuthorizationStatus.restricted", 1),
  AppleValue("CLAuthorizationStatus.denied", 2),
  AppleValue("CLAuthorizationStatus.authorizedAlways", 3),
  AppleValue("CLAuthorizationStatus.authorizedWhenInUse", 4),
  AppleValue("CLAccuracyAuthorization.fullAccuracy", 0),
  AppleValue("CLAccuracyAuthorization.reducedAccuracy", 1),

  AppleValue("CLActivityType.other", 1),
  AppleValue("CLActivityType.automotiveNavigation", 2),
  AppleValue("CLActivityType.fitness", 3),
  AppleValue("CLActivityType.otherNavigation", 4),
  AppleValue("CLActivityType.airborne", 5),

  AppleValue("CLDeviceOrientation.unknown", 0),
  AppleValue("CLDeviceOrientation.portrait", 1),
  AppleValue("CLDeviceOrientation.portraitUpsideDown", 2),
  AppleValue("CLDeviceOrientation.landscapeLeft", 3),
  AppleValue("CLDeviceOrientation.landscapeRight", 4),
  AppleValue("CLDeviceOrientation.faceUp", 5),
  AppleValue("CLDeviceOrientation.faceDown", 6),

  AppleValue("CLRegionState.unknown", 0),
  AppleValue("CLRegionState.inside", 1),
  AppleValue("CLRegionState.outside", 2),
  AppleValue("CLProximity.unknown", 0),
  AppleValue("CLProximity.immediate", 1),
  AppleValue("CLProximity.near", 2),
  AppleValue("CLProximity.far", 3),
  AppleValue("CLMonitoringState.unknown", 0),
  AppleValue("CLMonitoringState.satisfied", 1),
  AppleValue("CLMonitoringState.unsatisfied", 2),
  AppleValue("CLMonitoringState.unmonitored", 3),

  AppleValue("CLError.locationUnknown", 0),
  AppleValue("CLError.denied", 1),
  AppleValue("CLError.network", 2),
  AppleValue("CLError.headingFailure", 3),
  AppleValue("CLError.regionMonitoringDenied", 4),
  AppleValue("CLError.regionMonitoringFailure", 5),
  AppleValue("CLError.regionMonitoringSetupDelayed", 6),
  AppleValue("CLError.regionMonitoringResponseDelayed", 7),
  AppleValue("CLError.geocodeFoundNoResult", 8),
  AppleValue("CLError.geocodeFoundPartialResult", 9),
  AppleValue("CLError.geocodeCanceled", 10),
  AppleValue("CLError.deferredFailed", 11),
  AppleValue("CLError.deferredNotUpdatingLocation", 12),
  AppleValue("CLError.deferredAccuracyTooLow", 13),
  AppleValue("CLError.deferredDistanceFiltered", 14),
  AppleValue("CLError.deferredCanceled", 15),
  AppleValue("CLError.rangingUnavailable", 16),
  AppleValue("CLError.rangingFailure", 17),
  AppleValue("CLError.promptDeclined", 18),
  AppleValue("CLError.historicalLocationError", 19),

  // The defaults of a manager, a region, and objects that a program makes.
  AppleValue("CLLocationManager.distanceFilter", -1),
  AppleValue("CLLocationManager.desiredAccuracy", -1, .printed),
  AppleValue("CLLocationManager.activityType", 1),
  AppleValue("CLLocationManager.pausesLocationUpdatesAutomatically", 1),
  AppleValue("CLLocationManager.allowsBackgroundLocationUpdates", 0),
  AppleValue("CLLocationManager.showsBackgroundLocationIndicator", 0),
  AppleValue("CLLocationManager.headingFilter", 1),
  AppleValue("CLLocationManager.headingOrientation", 1),
  AppleValue("CLRegion.notifyOnEntry", 1),
  AppleValue("CLRegion.notifyOnExit", 1),
  AppleValue("CLBeaconRegion.notifyEntryStateOnDisplay", 0),
  AppleValue("CLLocation(latitude:longitude:).horizontalAccuracy", 0, .printed),
  AppleValue("CLLocation(latitude:longitude:).verticalAccuracy", -1, .printed),
  AppleValue("CLLocation(latitude:longitude:).course", -1, .printed),
  AppleValue("CLLocation(latitude:longitude:).courseAccuracy", -1, .printed),
  AppleValue("CLLocation(latitude:longitude:).speed", -1, .printed),
  AppleValue("CLLocation(latitude:longitude:).speedAccuracy", -1, .printed),
]
