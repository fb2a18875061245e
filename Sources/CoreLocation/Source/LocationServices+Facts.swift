package import Engine

/// What there is: a source, an authorization, the last place.
extension LocationServices {
  /// What the source has, or why there is none; opens the source to learn it the first time.
  package func facts() -> Result<SourceFacts, SourceError> {
    let now = clock.now()
    let known = shared.withLock { shared -> Result<SourceFacts, SourceError>? in
      if case .failure? = shared.facts, now.timeIntervalSince(shared.askedAt) >= Self.retry {
        return nil
      }
      return shared.facts
    }
    if let known { return known }
    // The authority asks from the queue as well.
    let isHere = DispatchQueue.getSpecific(key: queueMark) == ObjectIdentifier(self)
    return isHere ? probe() : queue.sync { probe() }
  }

  /// Whether this program may use services: what the authority says, and denied without a source.
  package var status: CLAuthorizationStatus {
    let allowed = authority.authorization
    // A source is opened only for who may have what it says.
    return allowed.isAuthorized && !hasSource ? .denied : allowed
  }

  private var hasSource: Bool { if case .success = facts() { true } else { false } }

  /// The newest fix of this process, else the last one of this machine; nil for a program that may not know.
  package func lastKnownLocation() -> CLLocation? {
    guard authority.authorization.isAuthorized else { return nil }
    let (known, isUnread) = shared.withLock { shared -> (CLLocation?, Bool) in
      if case .failure? = shared.facts { return (nil, false) }
      return (shared.newest, !shared.hasReadStore)
    }
    // A real place must not appear among simulated ones.
    guard known == nil, isUnread, opening.isLive else { return known }
    let stored = opening.known() ?? store?.read()
    return shared.withLock { shared in
      shared.hasReadStore = true
      guard shared.newest == nil, let stored else { return shared.newest }
      let location = CLLocation(stored)
      shared.newest = authority.accuracy == .reducedAccuracy ? shared.reduce(location) : location
      return shared.newest
    }
  }
}

/// What a source has.
package struct SourceFacts: Equatable, Sendable {
  /// Headings can be had.
  package var hasMagnetometer: Bool
  /// Locations can be had.
  package var hasReceiver: Bool
}

extension SourceFacts {
  init(_ publisher: any EstimatePublisher) {
    self.init(hasMagnetometer: publisher.hasMagnetometer, hasReceiver: publisher.hasReceiver)
  }
}
