import Configuration
import CoreLocation
import HostProtocol
import LocationHost

/// Access with decisions of a test.
package final class ScriptedAccess: AccessRules, @unchecked Sendable {
  private let lock = NSLock()
  private var status: GrantedAuthorization
  private var precision: GrantedAccuracy
  private var asked: [CLAuthorizationStatus] = []
  private var purposes: [String] = []
  /// The purpose keys for which full accuracy is granted.
  private let granted: Set<String>
  /// Called after each decision.
  package var onChange: @Sendable () -> Void = {}
  /// Counts the observers of the access at the client.
  package var countObservers: @Sendable () -> Int = { 0 }

  package init(
    _ status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization = .fullAccuracy,
    grants: Set<String> = []
  ) {
    (self.status, granted) = (Self.granted(status), grants)
    precision = accuracy == .fullAccuracy ? .full : .reduced
  }

  /// The requested authorizations, in order.
  package var requests: [CLAuthorizationStatus] { lock.withLock { asked } }
  /// The requested purposes of full accuracy.
  package var accuracyRequests: [String] { lock.withLock { purposes } }
  package var observerCount: Int { countObservers() }
  package var accuracy: CLAccuracyAuthorization {
    lock.withLock { precision } == .full ? .fullAccuracy : .reducedAccuracy
  }

  /// Sets the decision and reports the change.
  package func decide(_ status: CLAuthorizationStatus) {
    lock.withLock { self.status = Self.granted(status) }
    onChange()
  }

  package var policy: Policy { Policy() }
  package func reload() {}

  package func access(of key: ApplicationKey, groups: Set<UInt32>) -> GrantedAccess {
    lock.withLock { GrantedAccess(authorization: status, accuracy: precision) }
  }

  package func request(
    _ wanted: GrantedAuthorization, of key: ApplicationKey, groups: Set<UInt32>
  ) -> GrantedAccess {
    lock.withLock { asked.append(wanted == .always ? .authorizedAlways : .authorizedWhenInUse) }
    return access(of: key, groups: groups)
  }

  package func grants(_ purpose: String, to key: ApplicationKey) -> Bool {
    lock.withLock {
      purposes.append(purpose)
      guard granted.contains(purpose) else { return false }
      precision = .full
      return true
    }
  }

  private static func granted(_ status: CLAuthorizationStatus) -> GrantedAuthorization {
    switch status {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .denied: .denied
    case .authorizedAlways: .always
    case .authorizedWhenInUse: .whenInUse
    }
  }
}
