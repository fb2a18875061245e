internal import LocationHost
package import Monitoring
internal import Radio

extension MonitoredRegion {
  /// The region in the form of monitoring.
  /// - Throws: `unsupportedRegion` where it is neither a circle round a place nor of beacons.
  package init(_ region: CLRegion) throws(MonitoringFault) {
    self.init(identifier: region.identifier, condition: try MonitoredCondition(region))
    notifiesOnEntry = region.notifyOnEntry
    notifiesOnExit = region.notifyOnExit
  }
}

extension MonitoredCondition {
  fileprivate init(_ region: CLRegion) throws(MonitoringFault) {
    if let beacons = region as? CLBeaconRegion {
      self = .beacon(beacons.beaconIdentityConstraint.values.pattern)
      return
    }
    // A subclass may have overridden what the circle was made of.
    let circle = (region as? CLCircularRegion).map {
      CLRegion.Circle(center: $0.center, radius: $0.radius)
    }
    guard let circle = circle ?? region.extent, CLLocationCoordinate2DIsValid(circle.center),
      circle.radius.isFinite, circle.radius >= 0
    else { throw .unsupportedRegion }
    self = .circle(center: circle.center.position, radiusMetres: circle.radius)
  }
}

extension CLRegion {
  /// The region in the form of programs. One that no subclass represents has its identifier only.
  package static func make(_ region: MonitoredRegion) -> CLRegion {
    let made: CLRegion
    switch region.condition {
    case .circle(let center, let radius):
      made = CLCircularRegion(
        center: CLLocationCoordinate2D(center), radius: radius, identifier: region.identifier)
    case .beacon(let pattern):
      made =
        BeaconConstraint(pattern).map { CLBeaconRegion($0, identifier: region.identifier) }
        ?? CLRegion(identifier: region.identifier, circle: nil)
    case .polygon:
      made = CLRegion(identifier: region.identifier, circle: nil)
    }
    (made.notifyOnEntry, made.notifyOnExit) = (region.notifiesOnEntry, region.notifiesOnExit)
    return made
  }
}

extension CLRegionState {
  /// The state in the form of programs.
  package init(_ state: ConditionState) {
    switch state {
    case .satisfied: self = .inside
    case .unsatisfied: self = .outside
    case .unknown, .unmonitored: self = .unknown
    }
  }
}
