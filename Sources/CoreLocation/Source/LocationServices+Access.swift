internal import Engine
internal import Monitoring

extension LocationServices {
  /// The authority decides differently from now on: who waited is served, who may not is told.
  func authorityHasChanged() {
    queue.async { [self] in
      let status = self.status
      let isReduced = authority.accuracy == .reducedAccuracy
      let (announced, waiting, users) = shared.withLock { shared in
        defer { if status != .notDetermined { shared.waiting = [] } }
        // What was known exactly is no longer told so.
        if isReduced { shared.newest = shared.newest.flatMap { shared.reduce($0) } }
        return (shared.announced, shared.waiting, shared.users)
      }
      for weak in announced { weak.user?.authorizationIsKnown(status) }
      guard status != .notDetermined else { return }
      for weak in waiting { if let user = weak.user { attach(user) } }
      decideUndecided()
      rangingMayHaveChanged()
      feed.withLock { $0 }?.follow()
      guard !status.isAuthorized else { return }
      shared.withLock { $0.users = [] }
      for user in users { user.sourceFailed(refusal) }
      releaseIfUnused()
    }
  }

  /// Asks for an authorization; whoever waits for it hears what came of it.
  func requestAuthorization(_ wanted: CLAuthorizationStatus) {
    queue.async { [self] in authority.request(wanted) }
  }

  /// What a program is told that the administrator has shut out.
  var restriction: CLError {
    refusal(
      authority.restriction
        ?? "the policy in /etc/corelocation/policy.d restricts location services for this program")
  }

  /// What a program is told that may not have data: the source's own reason where that is it.
  var denial: CLError {
    if let reason = authority.restriction { return refusal(reason) }
    guard authority.isEnabled else {
      return refusal("location services are switched off by /etc/corelocation/policy.d")
    }
    if case .failure(let error) = facts() { return error.denial }
    return refusal("the policy in /etc/corelocation/policy.d denies this program its location")
  }

  /// What a program is told that may not have data, whoever shuts it out.
  var refusal: CLError { status == .restricted ? restriction : denial }

  func refusal(_ reason: String, _ code: CLError.Code = .denied) -> CLError {
    CLError(code, userInfo: [NSLocalizedDescriptionKey: reason])
  }
}

extension LocationServices.Shared {
  /// What a program that may know the area only is told of a place, with the place's own time.
  mutating func reduce(_ location: CLLocation) -> CLLocation? {
    guard let place = location.placeFix else { return nil }
    var area = grid.reduce(place)
    area.time = place.time
    return CLLocation(area)
  }
}
