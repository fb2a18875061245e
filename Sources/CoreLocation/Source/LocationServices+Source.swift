internal import Engine
internal import Quantities
internal import ServiceClient

/// The source: opened and released on the queue, heard on its own thread.
extension LocationServices {
  func probe() -> Result<SourceFacts, SourceError> {
    let result = open().map { SourceFacts($0) }
    lingeringAlarm = clock.alarm(after: Self.lingering) { [weak self] in
      guard let self else { return }
      queue.async { self.releaseIfUnused() }
    }
    return result
  }

  func open() -> Result<any EstimatePublisher, SourceError> {
    if let publisher { return .success(publisher) }
    do throws(SourceError) {
      let publisher = try opening.open()
      self.publisher = publisher
      shared.withLock { $0.lastFix = nil }
      sourceObservation = opening.observe { [weak self] in self?.sourceHasChanged() }
      learn(publisher)
      observation = publisher.observe { [weak self] in self?.receive($0) }
      calibrationObservation = listen(to: publisher)
      return .success(publisher)
    } catch {
      learn(.failure(error))
      if error.mayPass { lookAgain() }
      return .failure(error)
    }
  }

  /// A board that is plugged in, or a daemon that starts, is found while a manager could be told of it.
  private func lookAgain() {
    retryAlarm = clock.alarm(after: Self.retry) { [weak self] in
      guard let self else { return }
      queue.async { [self] in
        let isAnybodyThere = shared.withLock { $0.announced.contains { $0.user != nil } }
        if publisher == nil, isAnybodyThere { _ = probe() }
      }
    }
  }

  /// The daemon's source is another one than it was: a board that was plugged in, one that is gone.
  private func sourceHasChanged() {
    queue.async { [self] in
      guard let publisher else { return }
      calibrationObservation = listen(to: publisher)
      learn(publisher)
      for user in shared.withLock({ $0.users }) {
        user.sourceReady(
          hasReceiver: publisher.hasReceiver, known: lastKnownLocation(), latest: publisher.latest)
      }
    }
  }

  /// Takes note of what stands behind the estimates.
  private func learn(_ publisher: any EstimatePublisher) {
    // What the daemon plays may be another thing than when it was connected to.
    let isServedLive = (publisher as? DaemonPublisher)?.isLive ?? true
    let isLive = opening.isLive && isServedLive && !publisher.isSimulated
    let sources = opening.sources(of: publisher)
    shared.withLock { ($0.isLive, $0.sources) = (isLive, sources) }
    learn(.success(SourceFacts(publisher)))
  }

  private func learn(_ facts: Result<SourceFacts, SourceError>) {
    let now = clock.now()
    let users = shared.withLock { shared in
      (shared.facts, shared.askedAt) = (facts, now)
      return shared.announced.compactMap(\.user)
    }
    let status = self.status
    for user in users { user.authorizationIsKnown(status) }
  }

  func releaseIfUnused() {
    guard publisher != nil, shared.withLock({ $0.users.isEmpty && $0.calibration.isEmpty }) else {
      return
    }
    observation?.cancel()
    calibrationObservation?.cancel()
    (observation, calibrationObservation, publisher, lingeringAlarm) = (nil, nil, nil, nil)
    sourceObservation = nil
    lastDemand = nil
    if shared.withLock({ $0.isStoreBehind }) { keepNewest() }
  }

  private func keepNewest() {
    let now = clock.now()
    let newest = shared.withLock { shared in
      (shared.isStoreBehind, shared.storedAt) = (false, now)
      return shared.newest
    }
    guard let newest, let store else { return }
    do {
      try store.write(newest.storedValues)
    } catch {
      // A folder that cannot be written costs the next program a wait and nothing more; the next
      // interval tries again.
      shared.withLock { $0.isStoreBehind = true }
    }
  }

  // MARK: On the source's thread

  private func receive(_ estimate: Estimate) {
    let now = clock.now()
    let isReduced = authority.accuracy == .reducedAccuracy
    let mustReduce = isReduced && !opening.isReduced
    let (fix, users, isStoreDue) = shared.withLock { shared in
      var fix: CLLocation?
      if let stamp = estimate.fixTimestamp, stamp != shared.lastFix,
        let values = LocationValues(
          estimate, receivedAt: now, isLive: shared.isLive, sources: shared.sources)
      {
        fix = mustReduce ? shared.reduce(CLLocation(values)) : CLLocation(values)
        (shared.lastFix, shared.newest) = (stamp, fix)
        if values.isSimulated == false, values.horizontalAccuracy >= 0, !isReduced {
          shared.isStoreBehind = true
        }
      }
      let isStoreDue =
        fix != nil && shared.isStoreBehind
        && now.timeIntervalSince(shared.storedAt) >= Self.storeInterval
      if isStoreDue { shared.storedAt = now }
      return (fix, shared.users, isStoreDue)
    }
    for user in users { user.receive(estimate, fix: fix, at: now) }
    if isStoreDue { queue.async { [self] in keepNewest() } }
  }
}
