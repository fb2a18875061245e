internal import Monitoring

// Availability, for the class methods of the manager.
extension LocationServices {
  /// Whether location services are on and there is a source.
  package var isEnabled: Bool {
    guard authority.isEnabled, case .success = facts() else { return false }
    return true
  }

  /// A capability of the source; false without a source.
  package func has(_ fact: KeyPath<SourceFacts, Bool>) -> Bool {
    switch facts() {
    case .success(let facts): facts[keyPath: fact]
    case .failure: false
    }
  }

  /// Whether there is a source of positions: a receiver, or Wi-Fi where the policy names a service
  /// for it.
  package var hasPositionSource: Bool { has(\.hasReceiver) }

  /// Whether the machine can monitor regions of a class.
  package func canMonitor(_ regionClass: AnyClass) -> Bool {
    if regionClass is CLCircularRegion.Type { return hasPositionSource }
    return regionClass is CLBeaconRegion.Type && ranging.isAvailable
  }

  /// The largest radius of a region in metres; -1 where no region can be monitored.
  package var maximumRegionRadius: CLLocationDistance {
    canMonitor(CLCircularRegion.self) ? MonitoringConfiguration().maximumRegionRadiusMetres : -1
  }
}
