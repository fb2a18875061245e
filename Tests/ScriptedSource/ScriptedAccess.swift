import Configuration
import CoreLocation
import HostProtocol
import LocationHost
import Synchronization

/// Access with decisions of a test.
package final class ScriptedAccess: AccessRules {
  private struct State {
    var status: GrantedAuthorization
    var accuracy: GrantedAccuracy
    var requests: [CLAuthorizationStatus] = []
    var purposes: [String] = []
    var onChange: @Sendable () -> Void = {}
    var countObservers: @Sendable () -> Int = { 0 }
  }
  private let state: Mutex<State>
  /// The purpose keys for which full accuracy is granted.
  private let granted: Set<String>
  /// Called after each decision.
  package var onChange: @Sendable () -> Void {
    get { state.withLock { $0.onChange } }
    set { state.withLock { $0.onChange = newValue } }
  }
  /// Counts the observers of the access at the client.
  package var countObservers: @Sendable () -> Int {
    get { state.withLock { $0.countObservers } }
    set { state.withLock { $0.countObservers = newValue } }
  }

  package init(
    _ status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization = .fullAccuracy,
    grants: Set<String> = []
  ) {
    granted = grants
    state = Mutex(
      State(
        status: Self.granted(status), accuracy: accuracy == .fullAccuracy ? .full : .reduced))
  }

  /// The requested authorizations, in order.
  package var requests: [CLAuthorizationStatus] { state.withLock { $0.requests } }
  /// The requested purposes of full accuracy.
  package var accuracyRequests: [String] { state.withLock { $0.purposes } }
  package var observerCount: Int { countObservers() }
  package var accuracy: CLAccuracyAuthorization {
    state.withLock { $0.accuracy } == .full ? .fullAccuracy : .reducedAccuracy
  }

  /// Sets the decision and reports the change.
  package func decide(_ status: CLAuthorizationStatus) {
    state.withLock { $0.status = Self.granted(status) }
    onChange()
  }

  package var policy: Policy { Policy() }
  package func reload() {}

  package func access(of key: ApplicationKey, claim: Claim) -> GrantedAccess {
    state.withLock { GrantedAccess(authorization: $0.status, accuracy: $0.accuracy) }
  }

  package func request(_ wanted: GrantedAuthorization, of key: ApplicationKey, claim: Claim) {
    state.withLock { state in
      state.requests.append(wanted == .always ? .authorizedAlways : .authorizedWhenInUse)
    }
  }

  package func calibrationFault(of key: ApplicationKey, claim: Claim) -> String? { nil }

  package func grants(_ purpose: String, to key: ApplicationKey, claim: Claim) -> Bool {
    state.withLock { state in
      state.purposes.append(purpose)
      guard granted.contains(purpose) else { return false }
      state.accuracy = .full
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
