package import Beacons
package import Engine
package import Monitoring
internal import MonitoringStore
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
  /// Who decides what this program may know.
  package let authority: any AccessAuthority

  /// The program's monitoring, which all managers and monitors share.
  package let monitoring: MonitoringCenter

  let opening: SourceOpening
  private let host: LazyMonitoringHost
  /// What hears beacons.
  let beacons: BeaconService
  let feed = Locked<MonitoringFeed?>(nil)
  private let lease: (any ActivityLease)?
  private let store: LastFixStore?
  let queue = DispatchQueue(label: "CoreLocation.services", qos: .userInitiated)
  let shared = Locked(Shared())
  /// How the calibration stands.
  let states = CalibrationStates()
  // Only on the queue.
  private(set) var publisher: (any EstimatePublisher)?
  private var observation: Observation?
  private var calibrationObservation: Observation?
  private var sourceObservation: Observation?
  private var lingeringAlarm: Observation?
  /// What the receiver was told last; only on the queue.
  var lastDemand: ReceiverDemand?
  private var authorityObservation: Observation?
  private static let queueMark = DispatchSpecificKey<ObjectIdentifier>()

  struct Shared {
    var users: [any ServiceUser] = []
    var waiting: [WeakUser] = []
    /// What was asked of monitoring before it was decided whether the program may.
    var undecided: [(MonitoringCommand, @Sendable (CLError) -> Void)] = []
    var calibration = CalibrationReasons()
    var announced: [WeakUser] = []
    var significantChangeUsers: Set<ObjectIdentifier> = []
    var grid = ReducedAccuracyGrid()
    var ranging: [ObjectIdentifier: RangingEntry] = [:]
    var adapter: (askedAt: Date, fault: BeaconError?)?
    var facts: Result<SourceFacts, SourceError>?
    var askedAt = Date.distantPast
    var newest: CLLocation?
    var hasReadStore = false
    var lastFix: Timestamp?
    var isStoreBehind = false
    var storedAt = Date.distantPast
  }

  struct WeakUser {
    weak var user: (any ServiceUser)?
  }

  /// Makes services over a source.
  /// - Parameters:
  ///   - opening: How to get at estimates.
  ///   - store: Where the last fix is kept; nil where nowhere.
  ///   - clock: The time that deadlines are measured by.
  ///   - authority: Who decides what the program may know; everything without one.
  ///   - lease: What keeps fixes for the program while it is stopped; nothing without one.
  ///   - beacons: What hears beacons; nothing is opened before somebody wants some.
  ///   - monitoring: Makes the program's monitoring when it is first needed; kept nowhere without one.
  package init(
    opening: SourceOpening, store: LastFixStore?, clock: any ServiceClock = MachineClock(),
    authority: any AccessAuthority = PolicyAuthority.permissive,
    lease: (any ActivityLease)? = nil, beacons: BeaconService = BeaconService(),
    monitoring: @escaping @Sendable () -> any MonitoringHost = MonitoringOpening.inMemory
  ) {
    self.opening = opening
    self.store = store
    self.clock = clock
    self.authority = authority
    self.lease = lease
    self.beacons = beacons
    host = LazyMonitoringHost(open: monitoring)
    self.monitoring = MonitoringCenter(host: host)
    queue.setSpecific(key: Self.queueMark, value: ObjectIdentifier(self))
    host.onOpen { [weak self] host in self?.feed(host) }
    authorityObservation = authority.observe { [weak self] in self?.authorityHasChanged() }
  }

  /// Makes the services that the environment asks for: the daemon's where one serves this machine, else of a
  /// source that this process opens.
  package convenience init(environment: [String: String]) {
    let store = LastFixStore(environment: environment)
    if let client = DaemonOpening.connect(environment: environment) {
      self.init(
        opening: SourceOpening(client), store: store,
        authority: DaemonAuthority(client, environment: environment),
        lease: DaemonActivity(client: client), monitoring: { client.monitoring })
    } else {
      self.init(
        opening: SourceOpening(environment: environment), store: store,
        authority: PolicyAuthority(environment: environment),
        monitoring: MonitoringOpening.kept(environment: environment))
    }
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
    if let known { return known }
    // The authority asks from the queue as well.
    let isHere = DispatchQueue.getSpecific(key: Self.queueMark) == ObjectIdentifier(self)
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

  // MARK: Managers

  /// Tells the user its authorization, now and when it changes.
  func announce(to user: any ServiceUser) {
    shared.withLock { $0.announced.append(WeakUser(user: user)) }
    queue.async { [self] in user.authorizationIsKnown(status) }
  }

  /// A service of the user has started. Nothing comes before it is decided what the program may know.
  func attach(_ user: any ServiceUser) {
    queue.async { [self] in
      guard user.isActive else { return }
      switch authority.authorization {
      case .notDetermined:
        shared.withLock { shared in
          shared.waiting.removeAll { $0.user == nil || $0.user === user }
          shared.waiting.append(WeakUser(user: user))
        }
      case .restricted:
        user.sourceFailed(restriction)
      case .denied:
        user.sourceFailed(denial)
      case .authorizedAlways, .authorizedWhenInUse:
        serve(user)
      }
    }
  }

  private func serve(_ user: any ServiceUser) {
    switch open() {
    case .failure(let error):
      user.sourceFailed(error.denial)
    case .success(let publisher):
      shared.withLock { shared in
        if !shared.users.contains(where: { $0 === user }) { shared.users.append(user) }
      }
      demandHasChanged()
      user.sourceReady(
        hasReceiver: publisher.hasReceiver, known: lastKnownLocation(), latest: publisher.latest)
    }
  }

  /// A service of the user has ended; if it was the last one of all, the source is released.
  func detach(_ user: any ServiceUser) {
    queue.async { [self] in
      // It may have started again while this waited for its turn.
      guard !user.isActive else { return }
      shared.withLock { $0.users.removeAll { $0 === user } }
      demandHasChanged()
      releaseIfUnused()
    }
  }

  /// The user is gone.
  func forget(_ user: any ServiceUser) {
    shared.withLock { shared in
      shared.announced.removeAll { $0.user == nil || $0.user === user }
      shared.significantChangeUsers.remove(ObjectIdentifier(user))
    }
    detach(user)
  }

  /// Monitoring in this process has to be fed; the daemon feeds its own.
  private func feed(_ host: any MonitoringHost) {
    guard let desk = host as? MonitoringDesk else { return }
    let feed = MonitoringFeed(desk: desk, services: self)
    self.feed.withLock { $0 = feed }
    self.host.onPerform { [weak feed] in feed?.commandsHaveChanged() }
    feed.start()
  }

  /// Keeps fixes for the program while it is stopped; without a daemon nobody does.
  package func holdActivity() -> Observation { lease?.holdActivity() ?? Observation {} }

  /// True while the source is open, for tests.
  package var isOpen: Bool { queue.sync { publisher != nil } }

  // MARK: On the queue

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
      learn(.success(SourceFacts(publisher)))
      let isLive = opening.isLive && !publisher.isSimulated
      let sources = opening.sources(of: publisher)
      sourceObservation = opening.observe { [weak self] in self?.sourceHasChanged() }
      observation = publisher.observe { [weak self] in
        self?.receive($0, isLive: isLive, sources: sources)
      }
      calibrationObservation = listen(to: publisher)
      return .success(publisher)
    } catch {
      learn(.failure(error))
      return .failure(error)
    }
  }

  /// The daemon's source is another one than it was: a board that was plugged in, one that is gone.
  private func sourceHasChanged() {
    queue.async { [self] in
      guard let publisher else { return }
      calibrationObservation = listen(to: publisher)
      learn(.success(SourceFacts(publisher)))
      for user in shared.withLock({ $0.users }) {
        user.sourceReady(
          hasReceiver: publisher.hasReceiver, known: lastKnownLocation(), latest: publisher.latest)
      }
    }
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

  private func receive(_ estimate: Estimate, isLive: Bool, sources: [CLLocationSource]) {
    let now = clock.now()
    let isReduced = authority.accuracy == .reducedAccuracy
    let mustReduce = isReduced && !opening.isReduced
    let (fix, users, isStoreDue) = shared.withLock { shared in
      var fix: CLLocation?
      if let stamp = estimate.fixTimestamp, stamp != shared.lastFix,
        let values = LocationValues(
          estimate, receivedAt: now, isLive: isLive, sources: sources)
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
