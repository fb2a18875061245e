package import Monitoring
internal import Quantities

extension CLLocation {
  /// The location in the form of monitoring; nil where it is invalid.
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
    fix.motion = storedValues.motion
    fix.isSimulated = sourceInformation?.isSimulatedBySoftware == true
    return fix
  }

  /// The location of a fix that monitoring stored.
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
  /// The error that a program receives for a region or condition that is not monitored.
  /// The label distinguishes it from the error's own codes, some of which have the same names.
  package init(monitoring fault: MonitoringFault) {
    let reason: String =
      switch fault {
      case .limitExceeded:
        "limit of 20 regions and conditions of this program reached; stop monitoring one of them"
      case .unsupportedRegion:
        "the region cannot be monitored: it is not a circle of a valid centre and radius"
      case .unsupportedCondition:
        "the region cannot be monitored: no sensor of this machine detects regions of this kind"
      case .persistenceUnavailable:
        "the region cannot be monitored: its record cannot be written to this machine's disk"
      case .denied:
        "the region cannot be monitored: this program has no authorization to monitor regions"
      }
    self.init(
      fault == .denied ? .regionMonitoringDenied : .regionMonitoringFailure,
      userInfo: [NSLocalizedDescriptionKey: reason])
  }
}
