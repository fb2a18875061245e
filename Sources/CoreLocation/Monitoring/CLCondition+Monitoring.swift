internal import LocationHost
package import Monitoring
internal import Radio

extension MonitoredCondition {
  /// The condition in the form of monitoring.
  /// - Returns: nil for a type that the monitor does not support, and for an invalid place.
  package init?(_ condition: any CLCondition) {
    switch condition {
    case let circle as CLMonitor.CircularGeographicCondition:
      guard CLLocationCoordinate2DIsValid(circle.center), circle.radius.isFinite,
        circle.radius >= 0
      else { return nil }
      self = .circle(center: circle.center.position, radiusMetres: circle.radius)
    case let polygon as CLMonitor.PolygonGeographicCondition:
      guard
        (3...CLMonitor.PolygonGeographicCondition.mostVertices).contains(polygon.vertices.count),
        polygon.vertices.allSatisfy(CLLocationCoordinate2DIsValid)
      else { return nil }
      self = .polygon(vertices: polygon.vertices.map(\.position))
    case let beacon as CLMonitor.BeaconIdentityCondition:
      let beacons = BeaconConstraint(uuid: beacon.uuid, major: beacon.major, minor: beacon.minor)
      self = .beacon(beacons.pattern)
    default:
      return nil
    }
  }

  /// The condition in the form of programs; nil where its UUID is invalid.
  package var condition: (any CLCondition)? {
    switch self {
    case .circle(let center, let radius):
      CLMonitor.CircularGeographicCondition(
        center: CLLocationCoordinate2D(center), radius: radius)
    case .polygon(let vertices):
      CLMonitor.PolygonGeographicCondition(vertices: vertices.map(CLLocationCoordinate2D.init))
    case .beacon(let pattern):
      BeaconConstraint(pattern).map(CLMonitor.BeaconIdentityCondition.init)
    }
  }
}

extension CLMonitoringState {
  /// The state in the form of programs.
  package init(_ state: ConditionState) {
    switch state {
    case .unknown: self = .unknown
    case .satisfied: self = .satisfied
    case .unsatisfied: self = .unsatisfied
    case .unmonitored: self = .unmonitored
    }
  }

  /// The state in the form of monitoring.
  package var condition: ConditionState {
    switch self {
    case .unknown: .unknown
    case .satisfied: .satisfied
    case .unsatisfied: .unsatisfied
    case .unmonitored: .unmonitored
    }
  }
}
