package import Engine
internal import Quantities

/// The one source of estimates that every manager of the process shares.
///
/// It is opened when a service starts or somebody asks what there is, and released when no service of
/// any manager runs. Opening and releasing take turns on one queue; estimates come on the source's
/// own thread and are handed to the managers there.
package final class LocationServices: @unchecked Sendable {
  /// The services that a manager made now belongs to: the process's, except in a test.
  @TaskLocal package static var current = LocationServices(
    environment: ProcessInfo.processInfo.environment)

  /// Seconds that a source stays open for a service to start, after it was opened to be asked.
  package static let lingering: TimeInterval = 5
  /// Seconds until a source that could not be opened is tried again.
  package static let retry: TimeInterval = 5
  /// Seconds between two writes of the last fix: memory cards wear.
  package static let storeInterval: TimeInterval = 60

  /// The time that deadlines are measured by.
  package let clock: any ServiceClock

  private let opening: SourceOpening
  private let store: LastFixStore?
  let queue = DispatchQueue(label: "CoreLocation.services", qos: .userInitiated)
  let shared = Locked(Shared())
  /// How the calibration stands.
  let states = CalibrationStates()
  // Only on the queue.
  private(set) var publisher: (any EstimatePublisher)?
  private var observation: Observation?
  private var calibrationObservation: Observation?
  private var lingeringAlarm: Observation?

  struct Shared {
    var users: [ManagerSession] = []
    var calibration = CalibrationReasons()
    var announced: [WeakSession] = []
    var facts: Result<SourceFacts, SourceError>?
    var askedAt = Date.distantPast
    var newest: CLLocation?
    var hasReadStore = false
    var lastFix: Timestamp?
    var isStoreBehind = false
    var storedAt = Date.distantPast
  }

  struct WeakSession {
    weak var session: ManagerSession?
  }

  /// Makes services over a source.
  /// - Parameters:
  ///   - opening: How to get at estimates.
  ///   - store: Where the last fix is kept; nil where nowhere.
  ///   - clock: The time that deadlines are measured by.
  package init(
    opening: SourceOpening, store: LastFixStore?, clock: any ServiceClock = MachineClock()
  ) {
    self.opening = opening
    self.store = store
    self.clock = clock
  }

  /// Makes the services that the environment asks for.
  package convenience init(environment: [String: String]) {
    self.init(
      opening: SourceOpening(environment: environment),
      store: LastFixStore(environment: environment))
  }

  // MARK: What there is

  /// What the source has, or why there is none; opens the source to learn it the first time.
  package func facts() -> Result<SourceFacts, SourceError> {
    let now = clock.now()
    let known = shared.withLock { shared -> Result<SourceFacts, SourceError>? in
      if case .failure? = shared.facts, now.timeIntervalSince(shared.askedAt) >= Self.retry {
        return nil
      }
      return shared.facts
    }
    return known ?? queue.sync { probe() }
  }

  /// Whether this program may use services: always where a source can be opened, else denied.
  package var status: CLAuthorizationStatus {
    if case .success = facts() { .authorizedAlways } else { .denied }
  }

  /// The newest fix of this process, else the last one of this machine.
  package func lastKnownLocation() -> CLLocation? {
    let (known, isUnread) = shared.withLock { shared -> (CLLocation?, Bool) in
      if case .failure? = shared.facts { return (nil, false) }
      defer { shared.hasReadStore = true }
      return (shared.newest, !shared.hasReadStore)
    }
    // A real place must not appear among simulated ones.
    guard known == nil, isUnread, opening.isLive, let stored = store?.read() else { return known }
    let location = CLLocation(stored)
    return shared.withLock { shared in
      shared.newest = shared.newest ?? location
      return shared.newest
    }
  }

  // MARK: Managers

  /// Tells the session its authorization, now and when it changes.
  func announce(to session: ManagerSession) {
    shared.withLock { $0.announced.append(WeakSession(session: session)) }
    queue.async { [self] in
      _ = probe()
      session.authorizationIsKnown(status(of: shared.withLock { $0.facts }))
    }
  }

  /// A service of the session has started.
  func attach(_ session: ManagerSession) {
    queue.async { [self] in
      guard session.isActive else { return }
      switch open() {
      case .failure(let error):
        session.sourceFailed(error.denial)
      case .success(let publisher):
        shared.withLock { shared in
          if !shared.users.contains(where: { $0 === session }) { shared.users.append(session) }
        }
        session.sourceReady(
          hasReceiver: publisher.hasReceiver, known: lastKnownLocation(), latest: publisher.latest)
      }
    }
  }

  /// A service of the session has ended; if it was the last one of all, the source is released.
  func detach(_ session: ManagerSession) {
    queue.async { [self] in
      // It may have started again while this waited for its turn.
      guard !session.isActive else { return }
      shared.withLock { $0.users.removeAll { $0 === session } }
      releaseIfUnused()
    }
  }

  /// The session's manager is gone.
  func forget(_ session: ManagerSession) {
    shared.withLock { shared in
      shared.announced.removeAll { $0.session == nil || $0.session === session }
    }
    detach(session)
  }

  /// True while the source is open, for tests.
  package var isOpen: Bool { queue.sync { publisher != nil } }

  // MARK: On the queue

  func probe() -> Result<SourceFacts, SourceError> {
    let result = open().map {
      SourceFacts(hasMagnetometer: $0.hasMagnetometer, hasReceiver: $0.hasReceiver)
    }
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
      learn(
        .success(
          SourceFacts(
            hasMagnetometer: publisher.hasMagnetometer, hasReceiver: publisher.hasReceiver)))
      let isLive = opening.isLive && !publisher.isSimulated
      observation = publisher.observe { [weak self] in self?.receive($0, isLive: isLive) }
      calibrationObservation = listen(to: publisher)
      return .success(publisher)
    } catch {
      learn(.failure(error))
      return .failure(error)
    }
  }

  private func learn(_ facts: Result<SourceFacts, SourceError>) {
    let now = clock.now()
    let sessions = shared.withLock { shared in
      shared.facts = facts
      shared.askedAt = now
      return shared.announced.compactMap(\.session)
    }
    for session in sessions { session.authorizationIsKnown(status(of: facts)) }
  }

  private func status(of facts: Result<SourceFacts, SourceError>?) -> CLAuthorizationStatus {
    if case .success? = facts { .authorizedAlways } else { .denied }
  }

  func releaseIfUnused() {
    guard publisher != nil, shared.withLock({ $0.users.isEmpty && $0.calibration.isEmpty }) else {
      return
    }
    observation?.cancel()
    calibrationObservation?.cancel()
    (observation, calibrationObservation, publisher, lingeringAlarm) = (nil, nil, nil, nil)
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

  private func receive(_ estimate: Estimate, isLive: Bool) {
    let now = clock.now()
    let (fix, users, isStoreDue) = shared.withLock { shared in
      var fix: CLLocation?
      if let stamp = estimate.fixTimestamp, stamp != shared.lastFix,
        let values = LocationValues(estimate, receivedAt: now, isLive: isLive)
      {
        fix = CLLocation(values)
        (shared.lastFix, shared.newest) = (stamp, fix)
        if values.isSimulated == false, values.horizontalAccuracy >= 0 {
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

/// What a source has.
package struct SourceFacts: Equatable, Sendable {
  /// Headings can be had.
  package var hasMagnetometer: Bool
  /// Locations can be had.
  package var hasReceiver: Bool
}
