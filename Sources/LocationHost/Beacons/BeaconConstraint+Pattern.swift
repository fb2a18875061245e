import Foundation
import Monitoring
import Radio

extension BeaconConstraint {
  /// The beacons of a pattern; nil where its UUID is invalid.
  package init?(_ pattern: BeaconPattern) {
    guard let uuid = UUID(uuidString: pattern.uuid) else { return nil }
    self.init(uuid: uuid, major: pattern.major, minor: pattern.minor)
  }

  /// The beacons in the form of monitoring.
  package var pattern: BeaconPattern {
    BeaconPattern(uuid: uuid.uuidString, major: major, minor: minor)
  }
}
