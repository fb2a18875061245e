internal import Engine

extension LocationServices {
  /// The authorization has changed: starts the waiting consumers, or ends all with an error.
  func authorityHasChanged() {
    queue.async { [self] in
      let status = self.status
      let (announced, waiting, consumers) = shared.withLock { shared in
        defer { if status != .notDetermined { shared.waiting = [] } }
        // The host reports the last fix according to the new access.
        (shared.newest, shared.lastFix) = (nil, nil)
        return (shared.announced, shared.waiting, shared.consumers)
      }
      for weak in announced { weak.consumer?.authorizationIsKnown(status) }
      guard status != .notDetermined else { return }
      for weak in waiting { if let consumer = weak.consumer { attach(consumer) } }
      rangingMayHaveChanged()
      guard !status.isAuthorized else { return }
      shared.withLock { $0.consumers = [] }
      for consumer in consumers { consumer.sourceFailed(refusal) }
      releaseIfUnused()
    }
  }

  /// Requests an authorization. The observers of the authority receive the decision.
  func requestAuthorization(_ wanted: CLAuthorizationStatus) {
    queue.async { [self] in authority.request(wanted) }
  }

  /// The error of a program that the administrator has restricted.
  var restriction: CLError {
    refusal(
      authority.restriction
        ?? "the policy in /etc/corelocation/policy.d restricts location services for this program")
  }

  /// The error of a program that is denied, with the reason of the source where there is one.
  var denial: CLError {
    if let reason = authority.restriction { return refusal(reason) }
    guard authority.isEnabled else {
      return refusal("location services are switched off by /etc/corelocation/policy.d")
    }
    if case .failure(let error) = facts() { return error.denial }
    return refusal("the policy in /etc/corelocation/policy.d denies this program its location")
  }

  /// The error of a program that is restricted or denied.
  var refusal: CLError { status == .restricted ? restriction : denial }

  func refusal(_ reason: String, _ code: CLError.Code = .denied) -> CLError {
    CLError(code, userInfo: [NSLocalizedDescriptionKey: reason])
  }
}
