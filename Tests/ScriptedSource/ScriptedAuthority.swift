import CoreLocation
import Engine

/// An authority whose decisions a test makes.
package final class ScriptedAuthority: AccessAuthority, @unchecked Sendable {
  private let lock = NSLock()
  private var status: CLAuthorizationStatus
  private var precision: CLAccuracyAuthorization
  private var asked: [CLAuthorizationStatus] = []
  private var purposes: [String] = []
  private var observers: [Int: @Sendable () -> Void] = [:]
  private var registered = 0
  /// The purpose keys that full accuracy is granted for.
  private let granted: Set<String>

  package init(
    _ status: CLAuthorizationStatus, accuracy: CLAccuracyAuthorization = .fullAccuracy,
    grants: Set<String> = []
  ) {
    (self.status, precision, granted) = (status, accuracy, grants)
  }

  /// What was asked for, in order.
  package var requests: [CLAuthorizationStatus] { lock.withLock { asked } }
  /// The purposes that full accuracy was asked for.
  package var accuracyRequests: [String] { lock.withLock { purposes } }
  package var observerCount: Int { lock.withLock { observers.count } }

  package var authorization: CLAuthorizationStatus { lock.withLock { status } }
  package var accuracy: CLAccuracyAuthorization { lock.withLock { precision } }
  package func request(_ wanted: CLAuthorizationStatus) { lock.withLock { asked.append(wanted) } }

  package func requestFullAccuracy(purposeKey: String) -> CLError? {
    let isGranted = lock.withLock {
      purposes.append(purposeKey)
      guard granted.contains(purposeKey) else { return false }
      precision = .fullAccuracy
      return true
    }
    if isGranted { announce() }
    return isGranted ? nil : CLError(.promptDeclined)
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    let number = lock.withLock {
      registered += 1
      observers[registered] = body
      return registered
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = observers.removeValue(forKey: number) }
    }
  }

  /// Decides, and tells everybody.
  package func decide(_ status: CLAuthorizationStatus) {
    lock.withLock { self.status = status }
    announce()
  }

  private func announce() {
    for body in lock.withLock({ Array(observers.values) }) { body() }
  }
}
