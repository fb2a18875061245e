package import Monitoring
internal import Quantities

extension CLLocation {
  /// The location as monitoring takes it; nil where it is invalid.
  package var placeFix: PlaceFix? {
    guard horizontalAccuracy >= 0, CLLocationCoordinate2DIsValid(coordinate),
      let time = UTCTime(timestamp)
    else { return nil }
    var fix = PlaceFix(
      position: coordinate.position, horizontalAccuracyMetres: horizontalAccuracy, time: time)
    if verticalAccuracy > 0 {
      fix.altitudeMetres = altitude
      fix.ellipsoidalAltitudeMetres = ellipsoidalAltitude
      fix.verticalAccuracyMetres = verticalAccuracy
    }
    if speed >= 0 { fix.speedMetresPerSecond = speed }
    if course >= 0 { fix.courseDegrees = course }
    fix.isSimulated = sourceInformation?.isSimulatedBySoftware == true
    return fix
  }

  /// The location of a fix that monitoring kept.
  package convenience init(_ fix: PlaceFix) {
    var values = LocationValues(
      latitude: fix.position.latitude.degrees, longitude: fix.position.longitude.degrees,
      timestamp: Date(fix.time))
    values.horizontalAccuracy = fix.horizontalAccuracyMetres
    if let sigma = fix.verticalAccuracyMetres, let altitude = fix.altitudeMetres {
      values.verticalAccuracy = sigma
      values.altitude = altitude
      values.ellipsoidalAltitude = fix.ellipsoidalAltitudeMetres ?? 0
    }
    values.speed = fix.speedMetresPerSecond ?? -1
    values.course = fix.courseDegrees ?? -1
    values.isSimulated = fix.isSimulated
    values.isFromAccessory = !fix.isSimulated
    self.init(values)
  }
}

extension CLError {
  /// What a program is told of something that is not monitored.
  /// The label keeps it apart from the error's own codes, some of which have the same names.
  package init(monitoring fault: MonitoringFault) {
    let reason: String =
      switch fault {
      case .limitExceeded: "a program may monitor 20 regions and conditions; stop another first"
      case .unsupportedRegion:
        "the region is no circle with a valid centre and a radius that can be monitored"
      case .unsupportedCondition: "no sensor of this machine tells regions of this kind"
      case .persistenceUnavailable: "what is monitored cannot be kept on this machine's disk"
      case .denied: "this program may not monitor regions"
      }
    self.init(
      fault == .denied ? .regionMonitoringDenied : .regionMonitoringFailure,
      userInfo: [NSLocalizedDescriptionKey: reason])
  }
}
