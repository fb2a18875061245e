import Foundation
import Monitoring
import MonitoringFeeds
import Quantities
import ServiceProtocol

/// The desks of all applications, on a queue of their own: they write to the disk before they tell, and nobody's
/// headings wait for that.
final class DeskKeeper: @unchecked Sendable {
  /// Fixes that may wait for a slow disk; beyond it new ones are passed over, as in a tunnel.
  private static let mostWaiting = 512
  /// Seconds that one turn may take: a slow memory card, not one that hangs.
  private static let longestTurn = 30.0

  let queue = DispatchQueue(label: "lodestar-monitoring")
  private let source: any DeskSource
  private let access: AccessKeeper
  private let places: ReducedPlaces
  private let launcher: Launcher
  private let launchInterval: Double
  private let launchGrace: Double
  private let mostApplications: Int
  private let log: ServiceLog
  private let applicationsFolder: String
  private let now: @Sendable () -> UTCTime
  private let onDemand: @Sendable (FixDemand) -> Void
  private let onBeacons: @Sendable (Set<BeaconPattern>) -> Void

  // Only on the queue.
  private var entries: [ApplicationKey: Entry] = [:]
  private var configuration: MonitoringConfiguration
  /// Sessions that want events, those of applications without a desk included.
  private var listeners: [Int: @Sendable (MonitoringEvent) -> Void] = [:]
  private var lastDemand: FixDemand?
  private var lastBeacons: Set<BeaconPattern> = []
  /// Applications whose journal could not be opened: it is tried again.
  private var failed: Set<ApplicationKey> = []
  private var timer: DispatchSourceTimer?
  /// Until when, in nanoseconds of a clock that is never set, clients of a daemon before may still come back.
  private var graceEnd: UInt64 = 0
  private var isEnding = false
  /// Who is connected, those of applications without a desk included.
  private var connected: [Int: Client] = [:]

  private struct Client {
    var key: ApplicationKey
    var peer: UnixSocket.Peer
    /// Hears the number of the application's journal before anything that comes from it.
    var onJournal: @Sendable (UInt64) -> Void
  }

  private let pulse = Pulse()
  private let lock = NSLock()
  private var waitingFixes = 0

  private struct Entry {
    var desk: any ApplicationDesk
    var journal: UInt64
    var record: ApplicationRecord?
    var plan: LaunchPlan
    /// The sessions that are connected, and which of them takes events.
    var sessions: Set<Int> = []
    var listener: (session: Int, body: @Sendable (MonitoringEvent) -> Void)?
    /// The monitors that a session has opened.
    var monitors: [Int: Set<String>] = [:]
    /// The groups of the client that was here last.
    var groups: Set<UInt32> = []
    /// True while the listener is told nothing, by the policy.
    var isSilenced = false
    /// Whether a client of the application has been here since the daemon's start.
    var hasBeenJoined = false
  }

  init(
    source: any DeskSource, access: AccessKeeper, places: ReducedPlaces,
    configuration: ServeConfiguration, log: ServiceLog, now: @escaping @Sendable () -> UTCTime,
    onDemand: @escaping @Sendable (FixDemand) -> Void,
    onBeacons: @escaping @Sendable (Set<BeaconPattern>) -> Void = { _ in }
  ) {
    self.source = source
    self.access = access
    self.places = places
    self.log = log
    self.now = now
    self.onDemand = onDemand
    self.onBeacons = onBeacons
    launcher = Launcher(program: configuration.launcher, log: log)
    launchInterval = configuration.launchInterval
    launchGrace = configuration.launchGrace
    mostApplications = configuration.mostApplications
    applicationsFolder = configuration.stateFolder + "/applications"
    self.configuration = MonitoringConfiguration(access.policy)
  }

  /// Takes up what was kept, and lets time pass from now on.
  func start() {
    queue.async { [self] in
      graceEnd = DispatchTime.now().uptimeNanoseconds + UInt64(launchGrace * 1e9)
      for key in source.applications() {
        open(key)
        releaseIfEmpty(key)
      }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
      timer.setEventHandler { [weak self] in self?.tick() }
      timer.resume()
      self.timer = timer
      tellDemand()
    }
  }

  /// The daemon is about to end: its clients go because of that, and nothing is started for them any more.
  func endLaunches() { queue.async { [self] in isEnding = true } }

  /// Ends; what was begun is done.
  func stop() {
    queue.sync {
      timer?.cancel()
      for entry in entries.values {
        entry.desk.deliver(to: nil)
        entry.desk.close()
      }
      entries = [:]
    }
  }

  /// Ends as a kill does: what is not kept yet is lost. The journals are free when it returns.
  func abandon() {
    let desks = queue.sync {
      timer?.cancel()
      defer { entries = [:] }
      return entries.values.map { WeakDesk(desk: $0.desk) }
    }
    let end = Date(timeIntervalSinceNow: 2)
    while desks.contains(where: { $0.desk != nil }), Date() < end {
      Thread.sleep(forTimeInterval: 0.001)
    }
    // A journal closes just after its desk.
    Thread.sleep(forTimeInterval: 0.02)
  }

  private struct WeakDesk {
    weak var desk: (any ApplicationDesk)?
  }

  /// Other rules hold.
  func policyChanged() {
    queue.async { [self] in
      configuration = MonitoringConfiguration(access.policy)
      for entry in entries.values { entry.desk.use(configuration) }
      deliverByAccess()
      tellDemand()
    }
  }

  /// Applications may something else than before.
  func accessChanged() {
    queue.async { [self] in
      deliverByAccess()
      tellDemand()
    }
  }

  /// Events stop and go on with what the application may.
  private func deliverByAccess() {
    for (key, entry) in entries {
      guard let listener = entry.listener, entry.isSilenced != isForbidden(key, entry.groups) else {
        continue
      }
      hearNow(key, listener.session)
    }
  }

  // MARK: Sensors

  /// Takes a fix; on the queue, later, unless `waits`: a recording that is played fast must not overtake it.
  func take(_ estimate: Estimate, waits: Bool) {
    if waits {
      queue.sync { feed(estimate) }
      return
    }
    let isTaken = lock.withLock {
      guard waitingFixes < Self.mostWaiting else { return false }
      waitingFixes += 1
      return true
    }
    guard isTaken else { return }
    queue.async { [self] in
      lock.withLock { waitingFixes -= 1 }
      feed(estimate)
    }
  }

  /// Takes what a scanner says of a beacon; it is told by `onBeacons` which are asked for.
  func take(_ report: BeaconReport) {
    queue.async { [self] in
      let time = now()
      for (key, entry) in entries where mayWatch(key, entry) {
        entry.desk.process(report, at: time)
      }
    }
  }

  private func feed(_ estimate: Estimate) {
    guard let fix = PlaceFix(estimate, now: now()) else { return }
    for (key, entry) in entries where mayWatch(key, entry) {
      if access.access(of: key, groups: entry.groups).accuracy == .full {
        entry.desk.process(fix)
      } else if let coarse = places.reduce(estimate, for: key),
        let fix = PlaceFix(coarse, now: now())
      {
        entry.desk.process(fix)
      }
    }
    for key in entries.keys { launchIfDue(key) }
    tellDemand()
  }

  /// Whether an application is not even told what it has asked for; one that was not decided about is.
  private func isForbidden(_ key: ApplicationKey, _ groups: Set<UInt32>) -> Bool {
    switch access.access(of: key, groups: groups).authorization {
    case .denied, .restricted: true
    case .notDetermined, .whenInUse, .always: false
    }
  }

  private func mayWatch(_ key: ApplicationKey, _ entry: Entry) -> Bool {
    access.access(of: key, groups: entry.groups).authorization.isGranted
  }

  /// Whether monitoring does its work.
  var isAlive: Bool { pulse.isAlive(within: Self.longestTurn) }

  private func tick() {
    pulse.beat()
    let time = now()
    for entry in entries.values { entry.desk.advance(to: time) }
    for key in entries.keys { launchIfDue(key) }
    // A disk that could not be read at the start may be readable now.
    for key in failed { open(key) }
    tellDemand()
  }

  private func tellDemand(commanded: Bool = false) {
    // Nothing is switched on for an application that is not told of it.
    let desks = entries.filter { mayWatch($0.key, $0.value) }.values.map(\.desk)
    let demand = desks.reduce(FixDemand.none) { FixDemand.most($0, $1.demand) }
    let beacons = desks.reduce(into: Set<BeaconPattern>()) { $0.formUnion($1.beaconPatterns) }
    // Who is new to a beacon that is watched already is told how it stands.
    if beacons != lastBeacons || commanded && !beacons.isEmpty {
      lastBeacons = beacons
      onBeacons(beacons)
    }
    guard demand != lastDemand else { return }
    lastDemand = demand
    onDemand(demand)
  }

  // MARK: Sessions

  /// A client of the application is connected.
  func connect(
    _ key: ApplicationKey, session: Int, peer: UnixSocket.Peer,
    onJournal: @escaping @Sendable (UInt64) -> Void
  ) {
    queue.async { [self] in
      connected[session] = Client(key: key, peer: peer, onJournal: onJournal)
      // Nothing is kept of an application that asks nothing of monitoring.
      guard entries[key] != nil else { return }
      join(key, session, peer)
    }
  }

  /// A client is gone.
  func disconnect(_ key: ApplicationKey, session: Int) {
    queue.async { [self] in
      (listeners[session], connected[session]) = (nil, nil)
      guard var entry = entries[key] else { return }
      entry.sessions.remove(session)
      let monitors = entry.monitors.removeValue(forKey: session) ?? []
      let wasListener = entry.listener?.session == session
      if wasListener { entry.listener = nil }
      entries[key] = entry
      for name in monitors where !entry.monitors.values.contains(where: { $0.contains(name) }) {
        entry.desk.perform(.closeMonitor(name: name))
      }
      if wasListener { handOn(key) }
      launchIfDue(key)
      releaseIfEmpty(key)
    }
  }

  /// Events come to the session, those that were not acknowledged first; or no more.
  func listen(
    _ key: ApplicationKey, session: Int, peer: UnixSocket.Peer,
    to body: (@Sendable (MonitoringEvent) -> Void)?, done: @escaping @Sendable () -> Void
  ) {
    queue.async { [self] in
      defer { done() }
      if let body {
        // Without a desk there is nothing to hear; the first command opens it.
        listeners[session] = body
        guard entries[key] != nil else { return }
        join(key, session, peer)
        hearNow(key, session)
      } else {
        listeners[session] = nil
        guard entries[key]?.listener?.session == session else { return }
        entries[key]?.listener = nil
        handOn(key)
      }
    }
  }

  /// Does what an application asks, and says that it is kept, or why not.
  func perform(
    _ command: MonitoringCommand, of key: ApplicationKey, session: Int, peer: UnixSocket.Peer,
    done: @escaping @Sendable (ServiceFault?) -> Void
  ) {
    queue.async { [self] in
      if command.asks, isForbidden(key, peer.allGroups) {
        return done(ServiceFault(.access, "\(key.id) may not be told of places, by the policy"))
      }
      if entries[key] == nil, !failed.contains(key) {
        // Nothing is opened for what takes something back that is not there.
        if command.onlyTakesBack { return done(nil) }
        if let fault = quotaFault(key) { return done(fault) }
      }
      if let fault = open(key) { return done(fault) }
      join(key, session, peer)
      switch command {
      case .openMonitor(let name): entries[key]?.monitors[session, default: []].insert(name)
      case .closeMonitor(let name):
        entries[key]?.monitors[session]?.remove(name)
        // Another client of the application has it open.
        if entries[key]?.monitors.values.contains(where: { $0.contains(name) }) == true {
          return done(nil)
        }
      default: break
      }
      entries[key]?.desk.perform(command)
      entries[key]?.desk.settle()
      done(notKept(command, key))
      tellDemand()
    }
  }

  /// Why an application gets no desk where it has none; nil where it may have one.
  private func quotaFault(_ key: ApplicationKey) -> ServiceFault? {
    let count = entries.keys.filter { $0.uid == key.uid }.count
    guard count >= mostApplications else { return nil }
    return ServiceFault(
      .tooMany,
      "\(count) applications of the user \(key.uid) are monitored for, which is as many as may be: let one go"
    )
  }

  /// Nothing stays of an application that has asked for nothing, is owed nothing and is not there.
  private func releaseIfEmpty(_ key: ApplicationKey) {
    guard let entry = entries[key], entry.sessions.isEmpty, entry.desk.isEmpty else { return }
    entry.desk.deliver(to: nil)
    entry.desk.close()
    entries[key] = nil
    source.remove(key)
    do {
      let folder = folder(of: key)
      guard FileManager.default.fileExists(atPath: folder) else { return }
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      log.warning("\(folder(of: key)): \(error.localizedDescription)")
    }
  }

  /// Why a command that was done is not kept; nil where it is, and where nothing of it is to be.
  private func notKept(_ command: MonitoringCommand, _ key: ApplicationKey) -> ServiceFault? {
    switch command {
    case .openMonitor, .closeMonitor: return nil
    default: break
    }
    return entries[key]?.desk.keepingFault.map {
      ServiceFault(.notKept, "\(key.id): done and not kept: \($0); it may be lost at a restart")
    }
  }

  /// What an application has asked for.
  func registrations(
    of key: ApplicationKey, answer: @escaping @Sendable (MonitoringRegistrations) -> Void
  ) {
    queue.async { [self] in
      answer(entries[key]?.desk.registrations() ?? MonitoringRegistrations())
    }
  }

  private func join(_ key: ApplicationKey, _ session: Int, _ peer: UnixSocket.Peer) {
    guard entries[key]?.sessions.insert(session).inserted == true else { return }
    entries[key]?.plan.clientCame()
    entries[key]?.hasBeenJoined = true
    if let journal = entries[key]?.journal { connected[session]?.onJournal(journal) }
    let groups = peer.allGroups
    entries[key]?.groups = groups
    if listeners[session] != nil { hearNow(key, session) }
    let record = ApplicationRecord(
      manager: .of(pid: peer.pid, uid: key.uid), groups: groups.sorted())
    guard record != entries[key]?.record else { return }
    entries[key]?.record = record
    do {
      try record.write(to: folder(of: key))
    } catch {
      log.error("\(folder(of: key)): \(error.localizedDescription)")
    }
  }

  /// Another client of the application that wants its events has them now; without one they wait.
  private func handOn(_ key: ApplicationKey) {
    guard let entry = entries[key] else { return }
    if let other = entry.sessions.sorted().last(where: { listeners[$0] != nil }) {
      hearNow(key, other)
    } else {
      entry.desk.deliver(to: nil)
    }
  }

  private func hearNow(_ key: ApplicationKey, _ session: Int) {
    guard let body = listeners[session], let entry = entries[key] else { return }
    let (groups, access) = (entry.groups, access)
    entries[key]?.listener = (session, body)
    entries[key]?.isSilenced = isForbidden(key, groups)
    guard entries[key]?.isSilenced == false else { return entry.desk.deliver(to: nil) }
    entry.desk.deliver { event in
      // What was decided with exact places is told by the accuracy of now.
      let isFull = access.access(of: key, groups: groups).accuracy == .full
      body(isFull ? event : event.reduced)
    }
    // A desk that had no receiver has forgotten which are open.
    for name in Set(entry.monitors.values.joined()) { entry.desk.perform(.openMonitor(name: name)) }
  }

  private func folder(of key: ApplicationKey) -> String {
    "\(applicationsFolder)/\(key.uid)/\(key.id)"
  }

  /// Opens an application's desk where it is not open.
  /// - Returns: Why it cannot be.
  @discardableResult
  private func open(_ key: ApplicationKey) -> ServiceFault? {
    guard entries[key] == nil else { return nil }
    do throws(ServiceFault) {
      let record = ApplicationRecord.read(from: folder(of: key))
      entries[key] = Entry(
        desk: try source.desk(of: key, configuration: configuration, clock: now),
        journal: source.journal(of: key),
        record: record,
        plan: LaunchPlan(interval: launchInterval), groups: Set(record?.groups ?? []))
      failed.remove(key)
      // Every client that is here, not only the one whose command opened it. The newest takes the events.
      for (session, one) in connected.sorted(by: { $0.key < $1.key }) where one.key == key {
        join(key, session, one.peer)
      }
      return nil
    } catch {
      if failed.insert(key).inserted { log.error("\(error)") }
      return error
    }
  }

  // MARK: Starting applications

  private func launchIfDue(_ key: ApplicationKey) {
    guard !isEnding, let entry = entries[key], entry.sessions.isEmpty,
      // A client that ran under a daemon before takes some seconds to come back.
      entry.hasBeenJoined || DispatchTime.now().uptimeNanoseconds >= graceEnd,
      entry.desk.pending.contains(where: { $0.kind.startsApplications }),
      access.access(of: key, groups: entry.groups).authorization == .always,
      let unit = access.policy.unit(for: key.id),
      entries[key]?.plan.isDue(at: Double(DispatchTime.now().uptimeNanoseconds) * 1e-9) == true
    else { return }
    launcher.launch(
      LaunchRequest(
        unit: unit, application: key,
        manager: entry.record?.manager ?? (key.uid == 0 ? .system : .user)))
  }
}

extension MonitoringCommand {
  /// Whether it asks for something that takes places; who opens a monitor hears what he may.
  fileprivate var asks: Bool {
    if case .openMonitor = self { false } else { !onlyTakesBack }
  }

  /// Whether it has no effect where nothing was asked for.
  fileprivate var onlyTakesBack: Bool {
    switch self {
    case .stopRegion, .stopVisits, .stopSignificantChanges, .closeMonitor, .removeCondition,
      .acknowledge:
      true
    case .startRegion, .requestState, .startVisits, .startSignificantChanges, .openMonitor,
      .addCondition:
      false
    }
  }
}

extension ApplicationDesk {
  /// Whether nothing is asked for and nothing waits.
  fileprivate var isEmpty: Bool {
    let registered = registrations()
    return registered.regions.isEmpty && !registered.visits && !registered.significantChanges
      && registered.monitors.values.allSatisfy(\.isEmpty) && pending.isEmpty
  }
}

extension MonitoringEvent.Kind {
  /// Whether an application is started for it: for what happens in the world, not for an answer that it was to
  /// have while it ran.
  var startsApplications: Bool {
    switch self {
    case .entered, .exited, .visit, .significantChange, .condition: true
    case .regionStarted, .regionFailed, .regionState: false
    }
  }
}
