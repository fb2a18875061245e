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
  private let activities = Locked(0)
  let store: LastFixStore?
  let queue = DispatchQueue(label: "CoreLocation.services", qos: .userInitiated)
  let shared = Locked(Shared())
  /// How the calibration stands.
  let states = CalibrationStates()
  // Only on the queue.
  var publisher: (any EstimatePublisher)?
  var observation: Observation?
  var calibrationObservation: Observation?
  var sourceObservation: Observation?
  var lingeringAlarm: Observation?
  var retryAlarm: Observation?
  /// What the receiver was told last; only on the queue.
  var lastDemand: ReceiverDemand?
  private var authorityObservation: Observation?
  let queueMark = DispatchSpecificKey<ObjectIdentifier>()

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
    /// Whether sensors measure now, and where positions come from.
    var isLive = true
    var sources: [CLLocationSource] = []
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
    queue.setSpecific(key: queueMark, value: ObjectIdentifier(self))
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
      if let fault = SourceOpening.fault(of: environment) {
        FileHandle.standardError.write(Data("CoreLocation: \(fault)\n".utf8))
      }
      self.init(
        opening: SourceOpening(environment: environment), store: store,
        authority: PolicyAuthority(environment: environment),
        monitoring: MonitoringOpening.kept(environment: environment))
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
  package func holdActivity() -> Observation {
    guard let lease else { return Observation {} }
    let held = Locked<Observation?>(lease.holdActivity())
    activities.withLock { $0 += 1 }
    return Observation { [activities] in
      let lease = held.withLock { held in
        defer { held = nil }
        return held
      }
      guard let lease else { return }
      activities.withLock { $0 -= 1 }
      lease.cancel()
    }
  }

  /// True while fixes are kept for the program.
  var isActivityHeld: Bool { activities.withLock { $0 > 0 } }

  /// True while the source is open, for tests.
  package var isOpen: Bool { queue.sync { publisher != nil } }
}
