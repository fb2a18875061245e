package import HostClient
package import Observers

/// The authority of a location host.
package final class HostAuthority: AccessAuthority {
  private let access: HostAccess
  /// True for a program that was started for an event.
  private let isInBackground: Bool

  /// Makes the authority of a connection to a host.
  package init(_ client: HostClient, isInBackground: Bool) {
    (access, self.isInBackground) = (client.access, isInBackground)
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

  package var restriction: String? { access.current.fault ?? access.current.denial }

  package var permitsMagneticHeadings: Bool { access.current.headings ?? false }

  package var isEnabled: Bool { access.current.isEnabled }

  package var resumesAutomatically: Bool { access.current.resumesAutomatically ?? false }

  package var withholdsHeadings: Bool {
    (access.current.strictBackground ?? false) && isInBackground
  }

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

extension CLAuthorizationStatus {
  /// True where services deliver data.
  package var isAuthorized: Bool { self == .authorizedAlways || self == .authorizedWhenInUse }
}
