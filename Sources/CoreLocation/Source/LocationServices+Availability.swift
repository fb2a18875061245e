internal import Monitoring

// What there is, for the class methods of the manager.
extension LocationServices {
  /// Whether location services are on and there is a source.
  package var isEnabled: Bool {
    guard authority.isEnabled, case .success = facts() else { return false }
    return true
  }

  /// A fact of the source; false without one.
  package func has(_ fact: KeyPath<SourceFacts, Bool>) -> Bool {
    switch facts() {
    case .success(let facts): facts[keyPath: fact]
    case .failure: false
    }
  }

  /// Whether anything tells a place: a receiver, or Wi-Fi where the policy names a service for it.
  package var canTellPlace: Bool { has(\.hasReceiver) }

  /// Whether there is what regions of a class need.
  package func canMonitor(_ regionClass: AnyClass) -> Bool {
    if regionClass is CLCircularRegion.Type { return canTellPlace }
    return regionClass is CLBeaconRegion.Type && canRange
  }

  /// The longest radius of a region, metres; -1 where no region can be monitored.
  package var maximumRegionRadius: CLLocationDistance {
    canMonitor(CLCircularRegion.self) ? MonitoringConfiguration().maximumRegionRadiusMetres : -1
  }
}
