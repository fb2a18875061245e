import CoreLocation
import ScriptedSource
import Testing

/// Constants, raw values, error codes and defaults, compared with Apple's.
@Suite(.timeLimit(.minutes(30))) struct AppleValueTests {
  private var constants: [String: Double] {
    [
      "kCLLocationAccuracyBestForNavigation": kCLLocationAccuracyBestForNavigation,
      "kCLLocationAccuracyBest": kCLLocationAccuracyBest,
      "kCLLocationAccuracyNearestTenMeters": kCLLocationAccuracyNearestTenMeters,
      "kCLLocationAccuracyHundredMeters": kCLLocationAccuracyHundredMeters,
      "kCLLocationAccuracyKilometer": kCLLocationAccuracyKilometer,
      "kCLLocationAccuracyThreeKilometers": kCLLocationAccuracyThreeKilometers,
      "kCLLocationAccuracyReduced": kCLLocationAccuracyReduced,
      "kCLDistanceFilterNone": kCLDistanceFilterNone,
      "kCLHeadingFilterNone": kCLHeadingFilterNone,
      "CLLocationDistanceMax": CLLocationDistanceMax,
      "CLTimeIntervalMax": CLTimeIntervalMax,
      "kCLLocationCoordinate2DInvalid.latitude": kCLLocationCoordinate2DInvalid.latitude,
      "kCLLocationCoordinate2DInvalid.longitude": kCLLocationCoordinate2DInvalid.longitude,
    ]
  }

  private var defaults: [String: Double] {
    let manager = Bench().use { CLLocationManager() }
    let region = CLBeaconRegion(uuid: UUID(), identifier: "a")
    let place = CLLocation(latitude: 1, longitude: 2)
    func number(_ flag: Bool) -> Double { flag ? 1 : 0 }
    return [
      "CLLocationManager.distanceFilter": manager.distanceFilter,
      "CLLocationManager.desiredAccuracy": manager.desiredAccuracy,
      "CLLocationManager.activityType": Double(manager.activityType.rawValue),
      "CLLocationManager.pausesLocationUpdatesAutomatically":
        number(manager.pausesLocationUpdatesAutomatically),
      "CLLocationManager.allowsBackgroundLocationUpdates":
        number(manager.allowsBackgroundLocationUpdates),
      "CLLocationManager.showsBackgroundLocationIndicator":
        number(manager.showsBackgroundLocationIndicator),
      "CLLocationManager.headingFilter": manager.headingFilter,
      "CLLocationManager.headingOrientation": Double(manager.headingOrientation.rawValue),
      "CLRegion.notifyOnEntry": number(region.notifyOnEntry),
      "CLRegion.notifyOnExit": number(region.notifyOnExit),
      "CLBeaconRegion.notifyEntryStateOnDisplay": number(region.notifyEntryStateOnDisplay),
      "CLLocation(latitude:longitude:).horizontalAccuracy": place.horizontalAccuracy,
      "CLLocation(latitude:longitude:).verticalAccuracy": place.verticalAccuracy,
      "CLLocation(latitude:longitude:).course": place.course,
      "CLLocation(latitude:longitude:).courseAccuracy": place.courseAccuracy,
      "CLLocation(latitude:longitude:).speed": place.speed,
      "CLLocation(latitude:longitude:).speedAccuracy": place.speedAccuracy,
    ]
  }

  /// The raw values of the cases, by the names of the table: each of them must exist here.
  private var cases: [String: Double] {
    let status: [CLAuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
    ]
    let accuracy: [CLAccuracyAuthorization] = [.fullAccuracy, .reducedAccuracy]
    let activities: [CLActivityType] = [
      .other, .automotiveNavigation, .fitness, .otherNavigation, .airborne,
    ]
    let orientations: [CLDeviceOrientation] = [
      .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
    ]
    let regionStates: [CLRegionState] = [.unknown, .inside, .outside]
    let proximities: [CLProximity] = [.unknown, .immediate, .near, .far]
    let states: [CLMonitoringState] = [.unknown, .satisfied, .unsatisfied, .unmonitored]
    let codes: [CLError.Code] = [
      CLError.locationUnknown, CLError.denied, CLError.network, CLError.headingFailure,
      CLError.regionMonitoringDenied, CLError.regionMonitoringFailure,
      CLError.regionMonitoringSetupDelayed, CLError.regionMonitoringResponseDelayed,
      CLError.geocodeFoundNoResult, CLError.geocodeFoundPartialResult, CLError.geocodeCanceled,
      CLError.deferredFailed, CLError.deferredNotUpdatingLocation, CLError.deferredAccuracyTooLow,
      CLError.deferredDistanceFiltered, CLError.deferredCanceled, CLError.rangingUnavailable,
      CLError.rangingFailure, CLError.promptDeclined, CLError.historicalLocationError,
    ]
    var values: [String: Double] = [:]
    for value in status { values["CLAuthorizationStatus.\(value)"] = Double(value.rawValue) }
    for value in accuracy { values["CLAccuracyAuthorization.\(value)"] = Double(value.rawValue) }
    for value in activities { values["CLActivityType.\(value)"] = Double(value.rawValue) }
    for value in orientations { values["CLDeviceOrientation.\(value)"] = Double(value.rawValue) }
    for value in regionStates { values["CLRegionState.\(value)"] = Double(value.rawValue) }
    for value in proximities { values["CLProximity.\(value)"] = Double(value.rawValue) }
    for value in states { values["CLMonitoringState.\(value)"] = Double(value.rawValue) }
    for value in codes { values["CLError.\(value)"] = Double(value.rawValue) }
    return values
  }

  @Test("every constant, raw value, error code and default is Apple's")
  func values() {
    let ours = constants.merging(cases) { $1 }.merging(defaults) { $1 }
    for value in appleValues {
      #expect(ours[value.name] == value.value, "\(value.name), \(value.source.rawValue)")
    }
    #expect(Set(ours.keys) == Set(appleValues.map(\.name)))
  }

  @Test("domains and keys have Apple's names, and numbers without a case are nil")
  func names() {
    #expect(kCLErrorDomain == "kCLErrorDomain")
    #expect(kCLErrorUserInfoAlternateRegionKey == "kCLErrorUserInfoAlternateRegionKey")
    #expect(CLAuthorizationStatus(rawValue: 5) == nil && CLError.Code(rawValue: 20) == nil)
    #expect(CLActivityType(rawValue: 0) == nil)
  }
}
