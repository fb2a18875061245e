import FoundationEssentials
import Monitoring
import Radio

extension BeaconConstraint {
  /// The beacons of a pattern; nil if its UUID is invalid.
  package init?(_ pattern: BeaconPattern) {
    guard let uuid = UUID(uuidString: pattern.uuid) else { return nil }
    self.init(uuid: uuid, major: pattern.major, minor: pattern.minor)
  }

  /// The beacons as a pattern for monitoring.
  package var pattern: BeaconPattern {
    BeaconPattern(uuid: uuid.uuidString, major: major, minor: minor)
  }
}
