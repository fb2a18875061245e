package import Engine
package import Policy

/// Decides by the policy's files.
package final class PolicyAuthority: AccessAuthority {
  /// The rules.
  package let policy: Policy
  /// True for a program that was started for an event: nobody looks at it.
  private let isInBackground: Bool
  private let applicationID: String
  private let decisions: AccessDecisions?
  private let fault: PolicyError?
  // Groups do not change while a process runs.
  private let isAdmitted: Bool
  private let state: Locked<State>
  private let changes = Listeners()

  private struct State {
    var decision: AccessDecision?
    var isFullForNow = false
  }

  /// Makes an authority.
  /// - Parameters:
  ///   - policy: The rules.
  ///   - fault: Why the rules could not be read, where `policy` is what holds then.
  ///   - applicationID: The program.
  ///   - decisions: Where answers are kept; nil where nowhere.
  ///   - isInBackground: Whether the program was started for an event.
  package init(
    policy: Policy, fault: PolicyError? = nil, applicationID: String, decisions: AccessDecisions?,
    isInBackground: Bool = false
  ) {
    self.isInBackground = isInBackground
    var fault = fault
    var kept: AccessDecision?
    do throws(PolicyError) {
      kept = try decisions?.decision(for: applicationID)
    } catch {
      // As if nobody had asked yet; the program hears why where it is refused.
      fault = fault ?? error
    }
    do throws(PolicyError) {
      isAdmitted = try policy.admits(.ofThisProcess)
    } catch {
      isAdmitted = false
      fault = fault ?? error
    }
    (self.policy, self.fault) = (policy, fault)
    (self.applicationID, self.decisions) = (applicationID, decisions)
    state = Locked(State(decision: kept))
  }

  /// What holds where nobody has made rules: everything for who has access. Nothing is kept.
  package static var permissive: PolicyAuthority {
    PolicyAuthority(policy: Policy(), applicationID: "application", decisions: nil)
  }

  /// Reads the machine's policy for this program.
  package convenience init(environment: [String: String]) {
    let (policy, fault) = Policy.loadSafely(environment: environment)
    let folder = StateFolder.url(environment: environment)
    self.init(
      policy: policy, fault: fault,
      applicationID: ApplicationIdentity.identifier(environment: environment),
      decisions: folder.map {
        AccessDecisions(folder: $0.appendingPathComponent("access", isDirectory: true).path)
      }, isInBackground: ApplicationIdentity.isLaunchedForLocation(environment: environment))
  }

  package var isEnabled: Bool { policy.isEnabled }

  package var resumesAutomatically: Bool { policy.resumesAutomatically }

  package var withholdsHeadings: Bool { policy.strictBackground && isInBackground }

  package var restriction: String? {
    if let fault { return "\(fault)" }
    guard isAdmitted else {
      let group = policy.group ?? ""
      return "location services are for members of the group '\(group)' on this machine: "
        + "sudo usermod -aG \(group) $USER, then log in again"
    }
    return nil
  }

  package var authorization: CLAuthorizationStatus {
    let decision = state.withLock { $0.decision }
    return CLAuthorizationStatus(
      policy.authorization(for: applicationID, hasAccess: isAdmitted, decision: decision))
  }

  package var accuracy: CLAccuracyAuthorization {
    let isFull =
      state.withLock { $0.isFullForNow } || policy.accuracy(for: applicationID) == .full
    return isFull ? .fullAccuracy : .reducedAccuracy
  }

  package func request(_ wanted: CLAuthorizationStatus) {
    let current = state.withLock { $0.decision }
    let before = policy.authorization(for: applicationID, hasAccess: true, decision: current)
    guard
      let decision = policy.afterRequest(
        wanted == .authorizedAlways ? .always : .whenInUse, for: applicationID, current: before,
        decision: current)
    else { return }
    state.withLock { $0.decision = decision }
    do throws(PolicyError) {
      try decisions?.record(decision, for: applicationID)
    } catch {
      // The answer holds for this run; the next one asks again.
      FileHandle.standardError.write(Data("CoreLocation: \(error)\n".utf8))
    }
    let after = policy.authorization(for: applicationID, hasAccess: true, decision: decision)
    if after != before { changes.tell() }
  }

  package func requestFullAccuracy(purposeKey: String) -> CLError? {
    guard accuracy == .reducedAccuracy, authorization.isAuthorized,
      policy.purposeIsGranted(purposeKey, for: applicationID)
    else { return CLError(.promptDeclined) }
    state.withLock { $0.isFullForNow = true }
    changes.tell()
    return nil
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation { changes.add(body) }

}

extension CLAuthorizationStatus {
  init(_ authorization: Authorization) {
    self =
      switch authorization {
      case .notDetermined: .notDetermined
      case .restricted: .restricted
      case .denied: .denied
      case .always: .authorizedAlways
      case .whenInUse: .authorizedWhenInUse
      }
  }

  /// True where services give data.
  package var isAuthorized: Bool { self == .authorizedAlways || self == .authorizedWhenInUse }
}
