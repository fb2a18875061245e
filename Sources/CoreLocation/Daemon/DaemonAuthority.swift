package import Engine
internal import Policy
package import ServiceClient
internal import ServiceProtocol

/// The daemon decides, by the policy that it has read. What is no question of access (whether updates go on
/// by themselves after a pause) is read here.
package final class DaemonAuthority: AccessAuthority {
  private let access: DaemonAccess
  private let policy: Policy
  private let isInBackground: Bool

  /// Makes the authority of a connection.
  package init(_ client: DaemonClient, environment: [String: String]) {
    access = client.access
    isInBackground = ApplicationIdentity.isLaunchedForLocation(environment: environment)
    policy = Policy.loadSafely(environment: environment).policy
  }

  package var authorization: CLAuthorizationStatus {
    switch access.current.authorization {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .denied: .denied
    case .always: .authorizedAlways
    case .whenInUse: .authorizedWhenInUse
    }
  }

  package var accuracy: CLAccuracyAuthorization {
    access.current.accuracy == .full ? .fullAccuracy : .reducedAccuracy
  }

  package var restriction: String? { access.current.fault }

  package var isEnabled: Bool { access.current.isEnabled }

  package var resumesAutomatically: Bool { policy.resumesAutomatically }

  package var withholdsHeadings: Bool { policy.strictBackground && isInBackground }

  package func request(_ wanted: CLAuthorizationStatus) {
    access.request(wanted == .authorizedAlways ? .always : .whenInUse)
  }

  package func requestFullAccuracy(purposeKey: String) -> CLError? {
    guard let reason = access.requestFullAccuracy(purposeKey: purposeKey) else { return nil }
    return CLError(
      .promptDeclined,
      userInfo: [NSLocalizedDescriptionKey: "\(reason)", NSUnderlyingErrorKey: reason])
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    access.observe(body)
  }
}
