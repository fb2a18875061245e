import Foundation
import HostProtocol
import LinuxIO
import Monitoring
import Quantities
import Radio
import Synchronization

/// The monitoring of all applications, on a queue of its own: it writes to the disk before it reports, and no
/// client's headings wait for that.
final class MonitoringKeeper: Sendable {
  /// Fixes that may wait for a slow disk; beyond it new ones are left out, as in a tunnel.
  private static let mostWaitingFixes = 512
  /// Seconds that one turn may take: a slow memory card, not one that hangs.
  private static let longestTurn = 30.0
  /// Seconds that an answer about the Bluetooth adapter holds.
  private static let adapterMemory = 5.0

  private let journals: any MonitoringJournals
  private let access: any AccessRules
  private let beacons: BeaconService
  /// nil where no application is started.
  private let launcher: Launcher?
  private let configuration: HostConfiguration
  private let log: HostLog
  private let now: @Sendable () -> UTCTime
  private let onDemand: @Sendable (FixDemand) -> Void
  private let onBeacons: @Sendable (Set<BeaconPattern>) -> Void

  private let queue = DispatchQueue(label: "lodestar-monitoring")
  private let queueMark: QueueMark
  private let bound: QueueBound<State>
  private let pulse = Pulse()
  private let waitingFixes = Mutex(0)

  /// What is used on the queue only.
  private var state: State { bound.value }

  private final class State {
    var entries: [ApplicationKey: MonitoredApplication] = [:]
    var rules: MonitoringConfiguration
    /// Sessions that want events, those of applications without monitoring included.
    var listeners: [Int: @Sendable (MonitoringEvent) -> Void] = [:]
    var lastDemand: FixDemand?
    var lastBeacons: Set<BeaconPattern> = []
    /// Applications whose journal could not be opened: it is tried again.
    var failed: Set<ApplicationKey> = []
    var timer: DispatchSourceTimer?
    var start: Timestamp?
    var isEnding = false
    /// Why no adapter could receive beacons when BlueZ was asked last.
    var adapter: (askedAt: Timestamp, fault: BeaconError?)?
    /// The clients that are connected, those of applications without monitoring included.
    var connected: [Int: MonitoringClient] = [:]

    init(rules: MonitoringConfiguration) { self.rules = rules }
  }

  init(
    journals: any MonitoringJournals, access: any AccessRules, beacons: BeaconService,
    configuration: HostConfiguration, log: HostLog,
    now: @escaping @Sendable () -> UTCTime, onDemand: @escaping @Sendable (FixDemand) -> Void,
    onBeacons: @escaping @Sendable (Set<BeaconPattern>) -> Void
  ) {
    (self.journals, self.access, self.beacons) = (journals, access, beacons)
    (self.configuration, self.log, self.now) = (configuration, log, now)
    (self.onDemand, self.onBeacons) = (onDemand, onBeacons)
    launcher =
      configuration.isInProcess ? nil : Launcher(program: configuration.launcher, log: log)
    queueMark = QueueMark(queue)
    bound = QueueBound(State(rules: MonitoringConfiguration(access.policy)), to: queue)
  }

  /// Does something on the queue: later, or in process before it returns, so that a program that ends at once has
  /// lost nothing.
  private func run(_ body: @escaping @Sendable () -> Void) {
    guard configuration.isInProcess else { return queue.async(execute: body) }
    if queueMark.isHere { body() } else { queue.sync(execute: body) }
  }

  /// Returns once all that was put in has been done.
  func settle() { queue.sync {} }

  /// Takes up what was kept, and lets time pass from now on.
  func start() {
    run { [self] in
      state.start = MonotonicClock.now
      // A host in a program has that program's journal alone, opened when it connects.
      guard !configuration.isInProcess else { return }
      for key in journals.applications() {
        open(key)
        releaseIfEmpty(key)
      }
      // The watchdog looks at it.
      startTimer()
      updateDemand()
    }
  }

  private func startTimer() {
    guard state.timer == nil else { return }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
    timer.setEventHandler { [weak self] in self?.tick() }
    timer.resume()
    state.timer = timer
  }

  /// The daemon is about to end: its clients go because of that, and nothing is started for them any more.
  func endLaunches() { run { [self] in state.isEnding = true } }

  /// Ends; what was begun is done.
  func stop() {
    queue.sync {
      state.timer?.cancel()
      for entry in state.entries.values {
        entry.monitoring.deliver(to: nil)
        entry.monitoring.close()
      }
      state.entries = [:]
    }
  }

  /// Ends as a kill does, for tests: what is not stored yet is lost. The journals are free when it returns.
  func abandon() {
    let sessions = queue.sync {
      state.timer?.cancel()
      defer { state.entries = [:] }
      return state.entries.values.map { WeakMonitoring(monitoring: $0.monitoring) }
    }
    let end = DispatchTime.now() + 2
    while sessions.contains(where: { $0.monitoring != nil }), DispatchTime.now() < end {
      Thread.sleep(forTimeInterval: 0.001)
    }
    // A journal closes just after its session.
    Thread.sleep(forTimeInterval: 0.02)
  }

  private struct WeakMonitoring {
    weak var monitoring: (any ApplicationMonitoring)?
  }

  /// Other rules hold.
  func policyChanged() {
    run { [self] in
      state.rules = MonitoringConfiguration(access.policy)
      for entry in state.entries.values { entry.monitoring.use(state.rules) }
      deliverByAccess()
      updateDemand()
    }
  }

  /// Applications may something else than before.
  func accessChanged() {
    run { [self] in
      deliverByAccess()
      updateDemand()
    }
  }

  // MARK: Applications

  /// Why an application cannot be monitored for where it is not yet; nil where it may have one.
  private func quotaFault(_ key: ApplicationKey) -> HostFault? {
    let count = state.entries.keys.filter { $0.uid == key.uid }.count
    guard count >= configuration.mostApplications else { return nil }
    return HostFault(
      .tooMany,
      "\(count) applications of the user \(key.uid) are monitored, the limit: stop the monitoring of one, or raise most-applications"
    )
  }

  /// Nothing stays of an application that has asked for nothing, is owed nothing and is not there.
  private func releaseIfEmpty(_ key: ApplicationKey) {
    guard let entry = state.entries[key], entry.sessions.isEmpty, entry.monitoring.isEmpty else {
      return
    }
    entry.monitoring.deliver(to: nil)
    entry.monitoring.close()
    state.entries[key] = nil
    journals.remove(key)
    guard let folder = recordFolder(of: key) else { return }
    do {
      guard FileManager.default.fileExists(atPath: folder) else { return }
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      log.warning("\(folder): \(error.localizedDescription)")
    }
  }

  /// Where the record of an application is stored; nil where no application is started.
  private func recordFolder(of key: ApplicationKey) -> String? {
    guard launcher != nil, let folder = configuration.stateFolder else { return nil }
    return "\(folder)/applications/\(key.uid)/\(key.id)"
  }

  /// Opens an application's monitoring where it is not open.
  /// - Returns: Why it cannot be.
  @discardableResult
  private func open(_ key: ApplicationKey) -> HostFault? {
    guard state.entries[key] == nil else { return nil }
    do throws(HostFault) {
      let record = recordFolder(of: key).flatMap(ApplicationRecord.read(from:))
      state.entries[key] = MonitoredApplication(
        monitoring: try journals.monitoring(of: key, configuration: state.rules, clock: now),
        journal: journals.journal(of: key),
        record: record,
        plan: LaunchPlan(interval: configuration.launchInterval), groups: Set(record?.groups ?? []))
      state.failed.remove(key)
      startTimer()
      // Every client that is here, not only the one whose command opened it. The newest takes the events.
      for (session, one) in state.connected.sorted(by: { $0.key < $1.key }) where one.key == key {
        join(key, session, one.peer)
      }
      return nil
    } catch {
      if state.failed.insert(key).inserted { log.error("\(error)") }
      return error
    }
  }

  // MARK: Clients

  /// A client of the application is connected.
  func connect(
    _ key: ApplicationKey, session: Int, peer: PeerCredentials,
    onJournal: @escaping @Sendable (UInt64) -> Void
  ) {
    run { [self] in
      state.connected[session] = MonitoringClient(key: key, peer: peer, onJournal: onJournal)
      if configuration.isInProcess, journals.applications().contains(key) { open(key) }
      // Nothing is stored of an application that asks nothing of monitoring.
      guard state.entries[key] != nil else { return }
      join(key, session, peer)
    }
  }

  /// A client is gone.
  func disconnect(_ key: ApplicationKey, session: Int) {
    run { [self] in
      (state.listeners[session], state.connected[session]) = (nil, nil)
      guard var entry = state.entries[key] else { return }
      entry.sessions.remove(session)
      let monitors = entry.monitors.removeValue(forKey: session) ?? []
      let wasListener = entry.listener?.session == session
      if wasListener { entry.listener = nil }
      state.entries[key] = entry
      for name in monitors where !entry.monitors.values.contains(where: { $0.contains(name) }) {
        entry.monitoring.perform(.closeMonitor(name: name))
      }
      if wasListener { handOver(key) }
      launchIfDue(key)
      releaseIfEmpty(key)
    }
  }

  /// Events come to the session, those that were not acknowledged first; or no more.
  func listen(
    _ key: ApplicationKey, session: Int, peer: PeerCredentials,
    to body: (@Sendable (MonitoringEvent) -> Void)?, done: @escaping @Sendable () -> Void
  ) {
    run { [self] in
      defer { done() }
      if let body {
        // Without monitoring there are no events; the first command opens it.
        state.listeners[session] = body
        guard state.entries[key] != nil else { return }
        join(key, session, peer)
        deliverEvents(key, session)
      } else {
        state.listeners[session] = nil
        guard state.entries[key]?.listener?.session == session else { return }
        state.entries[key]?.listener = nil
        handOver(key)
      }
    }
  }

  /// Does what an application asks, and says that it is kept, or why not.
  func perform(
    _ command: MonitoringCommand, of key: ApplicationKey, session: Int, peer: PeerCredentials,
    done: @escaping @Sendable (HostFault?) -> Void
  ) {
    run { [self] in
      if let fault = refusal(of: command, key, peer.allGroups) { return done(fault) }
      if state.entries[key] == nil, !state.failed.contains(key) {
        // Nothing is opened for what takes something back that is not there.
        if command.onlyTakesBack { return done(nil) }
        if let fault = quotaFault(key) { return done(fault) }
      }
      if let fault = open(key) { return done(fault) }
      join(key, session, peer)
      switch command {
      case .openMonitor(let name): state.entries[key]?.monitors[session, default: []].insert(name)
      case .closeMonitor(let name):
        state.entries[key]?.monitors[session]?.remove(name)
        // Another client of the application has it open.
        if state.entries[key]?.monitors.values.contains(where: { $0.contains(name) }) == true {
          return done(nil)
        }
      default: break
      }
      state.entries[key]?.monitoring.perform(command)
      state.entries[key]?.monitoring.settle()
      done(notKept(command, key))
      updateDemand(commanded: true)
    }
  }

  /// Why the access or the machine forbids a command; nil where it may be done. What ends something is always done.
  private func refusal(
    of command: MonitoringCommand, _ key: ApplicationKey, _ groups: Set<UInt32>
  ) -> HostFault? {
    guard command.asks else { return nil }
    let access = access.access(of: key, groups: groups)
    switch access.authorization {
    case .notDetermined:
      return HostFault(.undecided, "\(key.id): the authorization is not decided yet")
    case .restricted, .denied:
      let reason = access.fault ?? "the policy in /etc/corelocation/policy.d does not allow it"
      return HostFault(.access, "\(key.id) has no access to locations: \(reason)")
    case .whenInUse where command.needsAlways:
      return HostFault(
        .access, "this needs the authorization 'always'; the program has 'when in use'")
    case .always, .whenInUse: break
    }
    if access.accuracy == .reduced, command.needsPlace {
      return HostFault(
        .access, "regions need full accuracy; the policy gives this program reduced accuracy")
    }
    guard case .startRegion(let region) = command, case .beacon = region.condition else {
      return nil
    }
    return adapterFault.map { HostFault(.bluetooth, "the beacons cannot be monitored: \($0)") }
  }

  /// Why beacons cannot be received; asked of BlueZ at most every few seconds, which may take some.
  private var adapterFault: BeaconError? {
    if let known = state.adapter,
      MonotonicClock.now.seconds(since: known.askedAt) < Self.adapterMemory
    {
      return known.fault
    }
    var fault: BeaconError?
    do throws(BeaconError) { try beacons.checkAvailability() } catch { fault = error }
    state.adapter = (MonotonicClock.now, fault)
    return fault
  }

  /// Why a command that was done is not kept; nil where it is, and where nothing of it is to be.
  private func notKept(_ command: MonitoringCommand, _ key: ApplicationKey) -> HostFault? {
    switch command {
    case .openMonitor, .closeMonitor: return nil
    default: break
    }
    return state.entries[key]?.monitoring.keepingFault.map {
      HostFault(.notKept, "\(key.id): done and not kept: \($0); it may be lost at a restart")
    }
  }

  /// What an application has asked for.
  func registrations(
    of key: ApplicationKey, answer: @escaping @Sendable (MonitoringRegistrations) -> Void
  ) {
    run { [self] in
      answer(state.entries[key]?.monitoring.registrations() ?? MonitoringRegistrations())
    }
  }

  private func join(_ key: ApplicationKey, _ session: Int, _ peer: PeerCredentials) {
    guard state.entries[key]?.sessions.insert(session).inserted == true else { return }
    state.entries[key]?.plan.clientCame()
    state.entries[key]?.hasBeenJoined = true
    if let journal = state.entries[key]?.journal { state.connected[session]?.onJournal(journal) }
    let groups = peer.allGroups
    state.entries[key]?.groups = groups
    if state.listeners[session] != nil { deliverEvents(key, session) }
    let record = ApplicationRecord(
      manager: .of(pid: peer.pid, uid: key.uid), groups: groups.sorted())
    guard record != state.entries[key]?.record, let folder = recordFolder(of: key) else { return }
    state.entries[key]?.record = record
    do {
      try record.write(to: folder)
    } catch {
      log.error("\(folder): \(error)")
    }
  }

  /// Another client of the application that wants its events has them now; without one they wait.
  private func handOver(_ key: ApplicationKey) {
    guard let entry = state.entries[key] else { return }
    if let other = entry.sessions.sorted().last(where: { state.listeners[$0] != nil }) {
      deliverEvents(key, other)
    } else {
      state.entries[key]?.hasLostMonitors = true
      entry.monitoring.deliver(to: nil)
    }
  }

  private func deliverEvents(_ key: ApplicationKey, _ session: Int) {
    guard let body = state.listeners[session], let entry = state.entries[key] else { return }
    let (groups, access) = (entry.groups, access)
    state.entries[key]?.listener = (session, body)
    state.entries[key]?.isSilenced = isForbidden(key, groups)
    guard state.entries[key]?.isSilenced == false else {
      state.entries[key]?.hasLostMonitors = true
      return entry.monitoring.deliver(to: nil)
    }
    entry.monitoring.deliver { event in
      // What was decided with exact places is told by the accuracy of now.
      let isFull = access.access(of: key, groups: groups).accuracy == .full
      body(isFull ? event : event.reduced)
    }
    // Without a receiver the open monitors are forgotten.
    guard entry.hasLostMonitors else { return }
    state.entries[key]?.hasLostMonitors = false
    for name in Set(entry.monitors.values.joined()) {
      entry.monitoring.perform(.openMonitor(name: name))
    }
  }

  /// Events stop and go on with what the application may.
  private func deliverByAccess() {
    for (key, entry) in state.entries {
      guard let listener = entry.listener, entry.isSilenced != isForbidden(key, entry.groups) else {
        continue
      }
      deliverEvents(key, listener.session)
    }
  }

  // MARK: Sensors

  /// Takes a fix; on the queue, later, unless `waits`: a recording that is played fast must not overtake it.
  func take(_ estimate: Estimate, reduced: Estimate, waits: Bool) {
    if waits {
      queue.sync { feed(estimate, reduced) }
      return
    }
    let isTaken = waitingFixes.withLock { waiting in
      guard waiting < Self.mostWaitingFixes else { return false }
      waiting += 1
      return true
    }
    guard isTaken else { return }
    queue.async { [self] in
      waitingFixes.withLock { $0 -= 1 }
      feed(estimate, reduced)
    }
  }

  /// Takes what a scanner says of a beacon; it is told by `onBeacons` which are asked for.
  func take(_ report: BeaconReport) {
    queue.async { [self] in
      let time = now()
      for (key, entry) in state.entries where mayWatchBeacons(key, entry) {
        entry.monitoring.process(report, at: time)
      }
    }
  }

  private func feed(_ estimate: Estimate, _ reduced: Estimate) {
    guard let fix = PlaceFix(estimate, now: now()) else { return }
    let cell = PlaceFix(reduced, now: now())
    for (key, entry) in state.entries where mayWatch(key, entry) {
      if access.access(of: key, groups: entry.groups).accuracy == .full {
        entry.monitoring.process(fix)
      } else if let cell {
        entry.monitoring.process(cell)
      }
    }
    for key in state.entries.keys { launchIfDue(key) }
    updateDemand()
  }

  /// Whether an application is not even told what it has asked for; one that was not decided about is.
  private func isForbidden(_ key: ApplicationKey, _ groups: Set<UInt32>) -> Bool {
    switch access.access(of: key, groups: groups).authorization {
    case .denied, .restricted: true
    case .notDetermined, .whenInUse, .always: false
    }
  }

  private func mayWatch(_ key: ApplicationKey, _ entry: MonitoredApplication) -> Bool {
    access.access(of: key, groups: entry.groups).authorization.isGranted
  }

  /// Whether an application may receive which beacons are near: where they stand is known more exactly than a cell.
  private func mayWatchBeacons(_ key: ApplicationKey, _ entry: MonitoredApplication) -> Bool {
    let access = access.access(of: key, groups: entry.groups)
    return access.authorization.isGranted && access.accuracy == .full
  }

  /// Whether monitoring does its work.
  var isAlive: Bool { pulse.isAlive(within: Self.longestTurn) }

  private func tick() {
    pulse.beat()
    let time = now()
    for entry in state.entries.values { entry.monitoring.advance(to: time) }
    for key in state.entries.keys { launchIfDue(key) }
    // A disk that could not be read at the start may be readable now.
    for key in state.failed { open(key) }
    updateDemand()
  }

  private func updateDemand(commanded: Bool = false) {
    // Nothing is switched on for an application that is not told of it.
    let wanted = state.entries.filter { mayWatch($0.key, $0.value) }.values.map(\.monitoring)
    let demand = wanted.reduce(FixDemand.none) { FixDemand.most($0, $1.demand) }
    let beacons = state.entries.filter { mayWatchBeacons($0.key, $0.value) }.values
      .reduce(into: Set<BeaconPattern>()) { $0.formUnion($1.monitoring.beaconPatterns) }
    // Who is new to a beacon that is watched already is told how it stands.
    if beacons != state.lastBeacons || commanded && !beacons.isEmpty {
      state.lastBeacons = beacons
      onBeacons(beacons)
    }
    guard demand != state.lastDemand else { return }
    state.lastDemand = demand
    onDemand(demand)
  }

  // MARK: Starting applications

  /// Whether clients of a daemon before have had the time to come back.
  private var isGraceOver: Bool {
    state.start.map { MonotonicClock.now.seconds(since: $0) >= configuration.launchGrace } ?? true
  }

  private func launchIfDue(_ key: ApplicationKey) {
    guard !state.isEnding, let launcher, let entry = state.entries[key], entry.sessions.isEmpty,
      // A client that ran under a daemon before takes some seconds to come back.
      entry.hasBeenJoined || isGraceOver,
      entry.monitoring.pending.contains(where: { $0.kind.startsApplications }),
      access.access(of: key, groups: entry.groups).authorization == .always,
      let unit = access.policy.unit(for: key.id),
      state.entries[key]?.plan.isDue(at: MonotonicClock.now.seconds) == true
    else { return }
    launcher.launch(
      LaunchRequest(
        unit: unit, application: key,
        manager: entry.record?.manager ?? (key.uid == 0 ? .system : .user)))
  }
}

/// An object that is used on one queue only.
private final class QueueBound<Value: AnyObject>: @unchecked Sendable {
  // Unchecked: each use checks the queue when it runs.
  private let object: Value
  private let queue: DispatchQueue

  init(_ object: Value, to queue: DispatchQueue) { (self.object, self.queue) = (object, queue) }

  var value: Value {
    dispatchPrecondition(condition: .onQueue(queue))
    return object
  }
}

extension ApplicationMonitoring {
  /// Whether nothing is asked for and nothing waits.
  fileprivate var isEmpty: Bool {
    let registered = registrations()
    return registered.regions.isEmpty && !registered.visits && !registered.significantChanges
      && registered.monitors.values.allSatisfy(\.isEmpty) && pending.isEmpty
  }
}

extension MonitoringCommand {
  /// Whether it asks for something that takes places; a monitor that is opened receives what the access allows.
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

  /// Whether the authorization for the time of use is not enough.
  fileprivate var needsAlways: Bool {
    switch self {
    case .startRegion, .requestState, .startVisits, .startSignificantChanges: true
    default: false
    }
  }

  /// Whether it cannot be decided from the cell of reduced accuracy.
  fileprivate var needsPlace: Bool {
    switch self {
    case .startRegion, .requestState: true
    default: false
    }
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
