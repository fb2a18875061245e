import Foundation
import HostProtocol
import LinuxIO
import Monitoring
import Observers
import Quantities
import Radio
import Synchronization

/// The monitoring of all applications. It has its own queue, because it waits for the disk, and
/// headings must not.
final class MonitoringKeeper: Sendable {
  /// The limit of fixes in the queue while the disk is slow; further fixes are dropped.
  private static let mostWaitingFixes = 512
  /// The watchdog limit of one turn, s: longer than a slow memory card needs.
  private static let turnLimit = 30.0
  /// The longest wait for BlueZ while other applications wait, s. Beacons that BlueZ has not
  /// refused by then are monitored as soon as they can be received.
  private static let adapterTimeout = 0.5

  private let journals: any MonitoringJournals
  private let access: any AccessRules
  private let health: StateHealth
  private let adapter: AdapterCheck
  /// nil if the host starts no applications.
  private let launcher: Launcher?
  private let configuration: HostConfiguration
  private let log: HostLog
  private let time: HostTime
  private let onDemand: @Sendable (FixDemand) -> Void
  private let onBeacons: @Sendable (Set<BeaconPattern>) -> Void

  private let queue = DispatchQueue(label: "lodestar-monitoring")
  private let queueMark: QueueMark
  private let fairQueue: FairQueue
  private let bound: QueueBound<State>
  private let pulse = Heartbeat()
  private let waitingFixes = Mutex(0)

  /// Used only on the queue.
  private var state: State { bound.value }

  private final class State {
    var entries: [ApplicationKey: MonitoredApplication] = [:]
    var rules: MonitoringConfiguration
    /// The receivers of events by session, also for applications without monitoring.
    var listeners: [Int: @Sendable (MonitoringEvent) -> Void] = [:]
    var lastDemand: FixDemand?
    var lastBeacons: Set<BeaconPattern> = []
    /// Applications whose journal could not be opened; each tick tries again.
    var failed: Set<ApplicationKey> = []
    /// The monitors that clients in this process have opened of applications without monitoring:
    /// nothing is stored for a monitor without conditions.
    var waitingMonitors: [Int: Set<String>] = [:]
    /// Applications whose record could not be stored.
    var unstoredRecords: Set<ApplicationKey> = []
    var timer: DispatchSourceTimer?
    /// The call at the next deadline of an application, and the deadline.
    var alarm: (deadline: UTCTime, observation: Observation)?
    var start: Timestamp?
    var isEnding = false
    /// The connected clients, also of applications without monitoring.
    var connected: [Int: MonitoringClient] = [:]

    init(rules: MonitoringConfiguration) { self.rules = rules }
  }

  init(
    journals: any MonitoringJournals, access: any AccessRules, beacons: BeaconService,
    configuration: HostConfiguration, log: HostLog, health: StateHealth, time: HostTime,
    onDemand: @escaping @Sendable (FixDemand) -> Void,
    onBeacons: @escaping @Sendable (Set<BeaconPattern>) -> Void
  ) {
    (self.journals, self.access) = (journals, access)
    adapter = AdapterCheck(
      of: beacons, timeout: configuration.isInProcess ? .infinity : Self.adapterTimeout)
    (self.configuration, self.log, self.time) = (configuration, log, time)
    self.health = health
    (self.onDemand, self.onBeacons) = (onDemand, onBeacons)
    launcher =
      configuration.isInProcess ? nil : Launcher(program: configuration.launcher, log: log)
    queueMark = QueueMark(queue)
    fairQueue = FairQueue(queue)
    bound = QueueBound(State(rules: MonitoringConfiguration(access.policy)), to: queue)
  }

  /// Runs an operation on the queue. In process it returns after the operation, so that nothing is
  /// lost when the program exits.
  private func run(_ body: @escaping @Sendable () -> Void) {
    guard configuration.isInProcess else { return queue.async(execute: body) }
    if queueMark.isHere { body() } else { queue.sync(execute: body) }
  }

  /// Runs an operation for a client in the turn of its application.
  private func run(_ key: ApplicationKey, _ body: @escaping @Sendable () -> Void) {
    if configuration.isInProcess { run(body) } else { fairQueue.add(key, body) }
  }

  /// Returns after all queued operations are complete.
  func waitUntilIdle() { fairQueue.waitUntilIdle() }

  /// Opens the stored journals and starts the timer.
  func start() {
    run { [self] in
      state.start = MonotonicClock.now
      // A host in a program opens only that program's journal, when the program connects.
      guard !configuration.isInProcess else { return }
      for key in journals.applications() {
        open(key)
        releaseIfEmpty(key)
      }
      // The watchdog checks the timer's turns.
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

  /// Stops the starting of applications, and drops the commands that wait: their clients receive no
  /// answer and send them again to the next daemon. Called before the daemon disconnects its
  /// clients.
  func endLaunches() {
    fairQueue.close()
    run { [self] in state.isEnding = true }
  }

  /// Closes all journals after the operation in progress.
  func stop() {
    queue.sync {
      state.timer?.cancel()
      state.alarm = nil
      for entry in state.entries.values {
        entry.monitoring.deliver(to: nil)
        entry.monitoring.close()
      }
      state.entries = [:]
    }
  }

  /// Ends like a killed process, for tests: unstored data is lost. The journals are closed when it
  /// returns.
  func abandon() {
    let sessions = queue.sync {
      state.timer?.cancel()
      state.alarm = nil
      defer { state.entries = [:] }
      return state.entries.values.map { WeakMonitoring(monitoring: $0.monitoring) }
    }
    let end = DispatchTime.now() + 2
    while sessions.contains(where: { $0.monitoring != nil }), DispatchTime.now() < end {
      Thread.sleep(forTimeInterval: 0.001)
    }
    // A journal is closed shortly after its session is released.
    Thread.sleep(forTimeInterval: 0.02)
  }

  private struct WeakMonitoring {
    weak var monitoring: (any ApplicationMonitoring)?
  }

  /// Applies the rules of a new policy.
  func policyChanged() {
    run { [self] in
      state.rules = MonitoringConfiguration(access.policy)
      for entry in state.entries.values { entry.monitoring.use(state.rules) }
      deliverByAccess()
      updateDemand()
    }
  }

  /// Applies a change of access.
  func accessChanged() {
    run { [self] in
      deliverByAccess()
      updateDemand()
    }
  }

  // MARK: Applications

  /// The error of a new application if its user has reached the limit; nil otherwise.
  private func quotaFault(_ key: ApplicationKey) -> HostFault? {
    let count = state.failed.union(state.entries.keys).filter { $0.uid == key.uid }.count
    guard count >= configuration.mostApplications else { return nil }
    return HostFault(
      .tooMany,
      "the limit of \(count) monitored applications is reached for user \(key.uid): stop the "
        + "monitoring of one, or raise most-applications"
    )
  }

  /// Removes the journal of an application without registrations, pending events and clients.
  private func releaseIfEmpty(_ key: ApplicationKey) {
    guard let entry = state.entries[key], entry.sessions.isEmpty, entry.monitoring.isEmpty else {
      return
    }
    entry.monitoring.deliver(to: nil)
    entry.monitoring.close()
    state.entries[key] = nil
    journals.remove(key)
    guard let folder = recordFolder(of: key) else { return }
    do throws(FileFault) {
      try LinuxFiles().removeFolder(folder)
    } catch {
      log.warning("\(folder): the folder cannot be removed: \(error.reason)")
    }
  }

  /// The folder of an application's record; nil if the host starts no applications.
  private func recordFolder(of key: ApplicationKey) -> String? {
    guard launcher != nil, let folder = configuration.stateFolder else { return nil }
    return "\(folder)/applications/\(key.uid)/\(key.id)"
  }

  /// Opens an application's monitoring if it is not open.
  /// - Parameters:
  ///   - key: The application.
  ///   - isAsked: False where no client has asked for monitoring: that another copy of the program
  ///     has it is no error then.
  /// - Returns: The error; nil on success.
  @discardableResult
  private func open(_ key: ApplicationKey, isAsked: Bool = true) -> HostFault? {
    guard state.entries[key] == nil else { return nil }
    do throws(HostFault) {
      let record = recordFolder(of: key).flatMap(ApplicationRecord.read(from:))
      state.entries[key] = MonitoredApplication(
        monitoring: try journals.monitoring(
          of: key, configuration: state.rules, clock: { [time] in time.nowOfLastReading }),
        journal: journals.journal(of: key),
        record: record,
        plan: LaunchPlan(interval: configuration.launchInterval),
        claim: record?.claim ?? Claim())
      state.failed.remove(key)
      startTimer()
      // All connected clients join, in order of connection: the newest one receives the events.
      for (session, one) in state.connected.sorted(by: { $0.key < $1.key }) where one.key == key {
        join(key, session, one.peer)
      }
      setAlarm()
      return nil
    } catch {
      let isNew = state.failed.insert(key).inserted
      if isNew, isAsked || error.code != .inUse { log.error("\(error)") }
      return error
    }
  }

  // MARK: Clients

  /// Adds a client of an application.
  func connect(
    _ key: ApplicationKey, session: Int, peer: PeerCredentials,
    onJournal: @escaping @Sendable (UInt64) -> Void, done: @escaping @Sendable () -> Void
  ) {
    run(key) { [self] in
      defer { done() }
      state.connected[session] = MonitoringClient(key: key, peer: peer, onJournal: onJournal)
      if configuration.isInProcess, journals.applications().contains(key) {
        open(key, isAsked: false)
      }
      // Nothing is stored for an application that does not use monitoring.
      guard state.entries[key] != nil else { return }
      join(key, session, peer)
    }
  }

  /// Removes a client.
  func disconnect(
    _ key: ApplicationKey, session: Int, done: @escaping @Sendable () -> Void
  ) {
    run(key) { [self] in
      defer { done() }
      (state.listeners[session], state.connected[session]) = (nil, nil)
      state.waitingMonitors[session] = nil
      guard var entry = state.entries[key] else { return }
      entry.sessions.remove(session)
      let monitors = entry.monitors.removeValue(forKey: session) ?? []
      let wasListener = entry.listener?.session == session
      if wasListener { entry.listener = nil }
      state.entries[key] = entry
      for name in monitors where !entry.monitors.values.contains(where: { $0.contains(name) }) {
        entry.monitoring.perform(.closeMonitor(name: name))
      }
      if wasListener { deliverToNextListener(key) }
      launchIfDue(key)
      releaseIfEmpty(key)
    }
  }

  /// Starts or stops the delivery of events to a session, unacknowledged events first.
  func listen(
    _ key: ApplicationKey, session: Int, peer: PeerCredentials,
    to body: (@Sendable (MonitoringEvent) -> Void)?, done: @escaping @Sendable () -> Void
  ) {
    run(key) { [self] in
      defer { done() }
      if let body {
        // Without monitoring no events exist; the first command opens it.
        state.listeners[session] = body
        guard state.entries[key] != nil else { return }
        join(key, session, peer)
        deliverEvents(key, session)
      } else {
        state.listeners[session] = nil
        guard state.entries[key]?.listener?.session == session else { return }
        state.entries[key]?.listener = nil
        deliverToNextListener(key)
      }
    }
  }

  /// Executes a command. `done` receives nil after it is stored, or the error.
  func perform(
    _ command: MonitoringCommand, of key: ApplicationKey, session: Int, peer: PeerCredentials,
    done: @escaping @Sendable (HostFault?) -> Void
  ) {
    run(key) { [self] in
      _ = takeTime()
      defer { setAlarm() }
      if let fault = refusal(of: command, key, Claim(peer)) { return done(fault) }
      if configuration.isInProcess, state.entries[key] == nil {
        switch command {
        case .openMonitor(let name):
          if let fault = excess(of: command, key) { return done(fault) }
          state.waitingMonitors[session, default: []].insert(name)
          return done(nil)
        case .closeMonitor(let name): state.waitingMonitors[session]?.remove(name)
        default: break
        }
      }
      if state.entries[key] == nil, !state.failed.contains(key) {
        // Without monitoring nothing needs to be removed.
        if command.onlyRemoves { return done(nil) }
        if let fault = quotaFault(key) { return done(fault) }
      }
      if let fault = excess(of: command, key) ?? open(key) { return done(fault) }
      join(key, session, peer)
      switch command {
      case .openMonitor(let name): state.entries[key]?.monitors[session, default: []].insert(name)
      case .closeMonitor(let name):
        state.entries[key]?.monitors[session]?.remove(name)
        // The monitor is still open in another client of the application.
        if state.entries[key]?.monitors.values.contains(where: { $0.contains(name) }) == true {
          return done(nil)
        }
      default: break
      }
      state.entries[key]?.monitoring.perform(command)
      state.entries[key]?.monitoring.waitUntilIdle()
      done(storageFault(command, key))
      updateDemand(commanded: true)
    }
  }

  /// The error of a command that the access or the machine does not allow; nil if it is allowed.
  /// Commands that stop something are always allowed.
  private func refusal(
    of command: MonitoringCommand, _ key: ApplicationKey, _ claim: Claim
  ) -> HostFault? {
    guard command.needsAccess else { return nil }
    let access = access.access(of: key, claim: claim)
    let cause = access.fault.map { ": \($0)" } ?? ""
    switch access.authorization {
    case .notDetermined:
      return HostFault(.undecided, "\(key.id): the authorization is not decided; request it first")
    case .restricted, .denied:
      let reason = access.fault ?? "the policy in /etc/corelocation/policy.d denies it"
      return HostFault(.access, "\(key.id) has no access to locations: \(reason)")
    case .whenInUse where command.needsAlways:
      return HostFault(
        .access,
        "\(key.id) has the authorization 'when in use'; this command requires 'always'\(cause)")
    case .always, .whenInUse: break
    }
    if access.accuracy == .reduced, command.needsPlace {
      return HostFault(
        .access,
        "\(key.id) has reduced accuracy by the policy; regions require full accuracy\(cause)")
    }
    guard case .startRegion(let region) = command, case .beacon = region.condition else {
      return nil
    }
    return adapter.fault.map { HostFault(.bluetooth, "beacons cannot be monitored: \($0)") }
  }

  /// The error of a command that exceeds the budget of its application or user; nil if it does not.
  private func excess(of command: MonitoringCommand, _ key: ApplicationKey) -> HostFault? {
    let excess =
      if let entry = state.entries[key] { entry.monitoring.excess(of: command) } else {
        ApplicationMonitor(configuration: state.rules).excess(of: command)
      }
    if let excess {
      return HostFault(excess.isLasting ? .tooLong : .tooMany, "\(key.id): refused: \(excess)")
    }
    guard command.needsAccess else { return nil }
    let stored = state.entries.reduce(0) { sum, entry in
      entry.key.uid == key.uid ? sum + entry.value.monitoring.storedBytes : sum
    }
    guard stored > configuration.mostStoredBytes else { return nil }
    return HostFault(
      .tooMany,
      "\(key.id): refused: the applications of user \(key.uid) store \(stored) bytes; the limit is "
        + "\(configuration.mostStoredBytes): stop the monitoring of one, or raise most-stored-kib")
  }

  /// The error of an executed command that is not stored; nil if it is, or needs no storage.
  private func storageFault(_ command: MonitoringCommand, _ key: ApplicationKey) -> HostFault? {
    switch command {
    case .openMonitor, .closeMonitor: return nil
    default: break
    }
    return state.entries[key]?.monitoring.keepingFault.map {
      HostFault(
        .notKept,
        "\(key.id): the command was executed but not stored: \($0); it may be lost at a restart")
    }
  }

  /// Reports an application's registrations.
  func registrations(
    of key: ApplicationKey, answer: @escaping @Sendable (MonitoringRegistrations) -> Void
  ) {
    run(key) { [self] in
      answer(state.entries[key]?.monitoring.registrations() ?? MonitoringRegistrations())
    }
  }

  private func join(_ key: ApplicationKey, _ session: Int, _ peer: PeerCredentials) {
    guard state.entries[key]?.sessions.insert(session).inserted == true else { return }
    state.entries[key]?.plan.clientCame()
    state.entries[key]?.hasBeenJoined = true
    let monitors = state.waitingMonitors.removeValue(forKey: session) ?? []
    state.entries[key]?.monitors[session, default: []].formUnion(monitors)
    for name in monitors { state.entries[key]?.monitoring.perform(.openMonitor(name: name)) }
    if let journal = state.entries[key]?.journal { state.connected[session]?.onJournal(journal) }
    let claim = Claim(peer)
    // A client with less access does not take that of the application, which another of its clients
    // has.
    let own = access.access(of: key, claim: claim)
    let others = state.entries[key]?.sessions.subtracting([session]) ?? []
    let isGreater = others.contains { other in
      state.connected[other].map { own.isLess(than: access.access(of: key, claim: Claim($0.peer))) }
        ?? false
    }
    if isGreater { return }
    state.entries[key]?.claim = claim
    if state.listeners[session] != nil { deliverEvents(key, session) }
    let record = ApplicationRecord(
      manager: .of(peer), groups: claim.groups.sorted(), unit: claim.unit)
    guard record != state.entries[key]?.record, let folder = recordFolder(of: key) else { return }
    state.entries[key]?.record = record
    do {
      try record.write(to: folder)
      state.unstoredRecords.remove(key)
    } catch {
      state.unstoredRecords.insert(key)
      health.report(.error, "\(folder): the application's record cannot be stored: \(error)")
    }
  }

  /// Delivers events to the newest other client that receives them. Without one they remain
  /// pending.
  private func deliverToNextListener(_ key: ApplicationKey) {
    guard let entry = state.entries[key] else { return }
    if let other = entry.sessions.sorted().last(where: { state.listeners[$0] != nil }) {
      deliverEvents(key, other)
    } else {
      state.entries[key]?.hasLostMonitors = true
      entry.monitoring.deliver(to: nil)
    }
  }

  /// The claim of a session that receives events: another client may have another one.
  private func claim(of session: Int, _ entry: MonitoredApplication) -> Claim {
    state.connected[session].map { Claim($0.peer) } ?? entry.claim
  }

  private func deliverEvents(_ key: ApplicationKey, _ session: Int) {
    guard let body = state.listeners[session], let entry = state.entries[key] else { return }
    let (claim, access) = (claim(of: session, entry), access)
    if isForbidden(key, claim), let other = entry.listener, other.session != session,
      !isForbidden(key, self.claim(of: other.session, entry))
    {
      return
    }
    state.entries[key]?.listener = (session, body)
    state.entries[key]?.isSilenced = isForbidden(key, claim)
    guard state.entries[key]?.isSilenced == false else {
      state.entries[key]?.hasLostMonitors = true
      return entry.monitoring.deliver(to: nil)
    }
    entry.monitoring.deliver { event in
      // An exact event is reduced to the application's current accuracy.
      let isFull = access.access(of: key, claim: claim).accuracy == .full
      body(isFull ? event : event.reduced)
    }
    // Without a receiver of events, monitoring closes the monitors: they are opened again.
    guard entry.hasLostMonitors else { return }
    state.entries[key]?.hasLostMonitors = false
    for name in Set(entry.monitors.values.joined()) {
      entry.monitoring.perform(.openMonitor(name: name))
    }
  }

  /// Stops or resumes the delivery of events after a change of access.
  private func deliverByAccess() {
    for (key, entry) in state.entries {
      guard let listener = entry.listener,
        entry.isSilenced != isForbidden(key, claim(of: listener.session, entry))
      else { continue }
      deliverEvents(key, listener.session)
    }
  }

  // MARK: Sensors

  /// Processes a fix on the queue. With `waits` it returns after that, so that the playback of a
  /// recording does not overtake monitoring.
  func process(_ estimate: Estimate, reduced: Estimate, waits: Bool) {
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

  /// Processes a scanner's report of a beacon. `onBeacons` requests the beacons.
  func process(_ report: BeaconReport) {
    queue.async { [self] in
      let now = takeTime()
      for (key, entry) in state.entries where mayWatchBeacons(key, entry) {
        entry.monitoring.process(report, at: now)
      }
      setAlarm()
    }
  }

  private func feed(_ estimate: Estimate, _ reduced: Estimate) {
    let now = takeTime()
    guard let fix = PlaceFix(estimate, now: now) else { return }
    let cell = PlaceFix(reduced, now: now)
    for (key, entry) in state.entries where mayWatch(key, entry) {
      if access.access(of: key, claim: entry.claim).accuracy == .full {
        entry.monitoring.process(fix, at: now)
      } else if let cell {
        entry.monitoring.process(cell, at: now)
      }
    }
    for key in state.entries.keys { launchIfDue(key) }
    updateDemand()
    setAlarm()
  }

  /// Whether an application receives no events. While its authorization is undecided, it receives
  /// them.
  private func isForbidden(_ key: ApplicationKey, _ claim: Claim) -> Bool {
    switch access.access(of: key, claim: claim).authorization {
    case .denied, .restricted: true
    case .notDetermined, .whenInUse, .always: false
    }
  }

  private func mayWatch(_ key: ApplicationKey, _ entry: MonitoredApplication) -> Bool {
    access.access(of: key, claim: entry.claim).authorization.isGranted
  }

  /// Whether an application may receive beacons. A beacon reveals a place more exactly than a cell
  /// does.
  private func mayWatchBeacons(_ key: ApplicationKey, _ entry: MonitoredApplication) -> Bool {
    let access = access.access(of: key, claim: entry.claim)
    return access.authorization.isGranted && access.accuracy == .full
  }

  /// Whether the timer's turns continue.
  var isAlive: Bool { pulse.isAlive(within: Self.turnLimit) }

  private func tick() {
    pulse.beat()
    advance()
    // A journal that could not be opened may be readable now.
    let clients = Set(state.connected.values.map(\.key))
    let stored = state.failed.isEmpty ? [] : Set(journals.applications())
    state.failed = state.failed.filter { clients.contains($0) || stored.contains($0) }
    for key in state.failed { open(key) }
    storeRecords()
    updateDemand()
  }

  /// Stores the records that could not be stored, once the state can be.
  private func storeRecords() {
    guard !state.unstoredRecords.isEmpty, health.fault == nil else { return }
    for key in state.unstoredRecords {
      guard let record = state.entries[key]?.record, let folder = recordFolder(of: key) else {
        continue
      }
      // A fault is reported by the next client's record.
      do { try record.write(to: folder) } catch { continue }
    }
    state.unstoredRecords = []
  }

  /// Processes the deadlines that have come.
  private func advance() {
    let now = takeTime()
    for entry in state.entries.values { entry.monitoring.advance(to: now) }
    for key in state.entries.keys { launchIfDue(key) }
    setAlarm()
  }

  /// The time now, after the deadlines were moved by a step of civil time, so that every wait takes
  /// as long as before.
  private func takeTime() -> UTCTime {
    let (now, step) = time.takeReading()
    guard let step else { return now }
    for entry in state.entries.values { entry.monitoring.clockWasSet(by: step) }
    state.alarm = nil
    return now
  }

  /// Has the next deadline processed when it comes; the timer's turns alone would be up to a second
  /// late.
  private func setAlarm() {
    let next = state.entries.values.compactMap { $0.monitoring.nextDeadline }.min()
    guard next != state.alarm?.deadline else { return }
    state.alarm = next.flatMap { deadline in
      let observation = time.alarm(after: max(0, deadline.seconds(since: time.nowOfLastReading))) {
        [weak self] in
        guard let self else { return }
        run { [self] in
          // Also where the clock's readings differ by less than a step.
          state.alarm = nil
          advance()
        }
      }
      return observation.map { (deadline, $0) }
    }
  }

  private func updateDemand(commanded: Bool = false) {
    // An application without access causes no demand.
    let wanted = state.entries.filter { mayWatch($0.key, $0.value) }.values.map(\.monitoring)
    let demand = wanted.reduce(FixDemand.none) { FixDemand.most($0, $1.demand) }
    let beacons = state.entries.filter { mayWatchBeacons($0.key, $0.value) }.values
      .reduce(into: Set<BeaconPattern>()) { $0.formUnion($1.monitoring.beaconPatterns) }
    // After a command the state of watched beacons is repeated, for new regions and conditions.
    if beacons != state.lastBeacons || commanded && !beacons.isEmpty {
      state.lastBeacons = beacons
      onBeacons(beacons)
    }
    guard demand != state.lastDemand else { return }
    state.lastDemand = demand
    onDemand(demand)
  }

  // MARK: Starting applications

  /// Whether clients of the previous daemon had time to connect again.
  private var isGraceOver: Bool {
    state.start.map { MonotonicClock.now.seconds(since: $0) >= configuration.launchGrace } ?? true
  }

  private func launchIfDue(_ key: ApplicationKey) {
    guard !state.isEnding, let launcher, let entry = state.entries[key], entry.sessions.isEmpty,
      // A client of the previous daemon needs some seconds to connect again.
      entry.hasBeenJoined || isGraceOver,
      entry.monitoring.pending.contains(where: { $0.kind.startsApplications }),
      access.access(of: key, claim: entry.claim).authorization == .always,
      let unit = access.policy.unit(for: key.id),
      state.entries[key]?.plan.isDue(at: MonotonicClock.now.seconds) == true
    else { return }
    let manager = entry.record?.manager ?? (key.uid == 0 ? .system : .user)
    // Another user's program may have the same name as the application of a unit of the system.
    guard
      manager == .user
        || access.policy.startsSystemUnit(user: key.uid, unit: entry.claim.unit, of: key.id)
    else {
      log.warning(
        "\(key.id): an event is pending, but \(unit) is not started for uid \(key.uid), who is not bound to the name: "
          + "add 'users: [NAME]' to its entry in the policy, or let the unit register")
      return
    }
    launcher.launch(LaunchRequest(unit: unit, application: key, manager: manager))
  }
}

/// An object that is used only on one queue.
private final class QueueBound<Value: AnyObject>: @unchecked Sendable {
  // Unchecked: each access verifies the queue at run time.
  private let object: Value
  private let queue: DispatchQueue

  init(_ object: Value, to queue: DispatchQueue) { (self.object, self.queue) = (object, queue) }

  var value: Value {
    dispatchPrecondition(condition: .onQueue(queue))
    return object
  }
}

extension ApplicationMonitoring {
  /// Whether it has no registrations and no pending events.
  fileprivate var isEmpty: Bool {
    let registered = registrations()
    return registered.regions.isEmpty && !registered.visits && !registered.significantChanges
      && registered.monitors.values.allSatisfy(\.isEmpty) && pending.isEmpty
  }
}

extension MonitoringCommand {
  /// Whether the command needs access to locations. Opening a monitor does not: its events are
  /// checked later.
  fileprivate var needsAccess: Bool {
    if case .openMonitor = self { false } else { !onlyRemoves }
  }

  /// Whether the command has no effect without registrations.
  fileprivate var onlyRemoves: Bool {
    switch self {
    case .stopRegion, .stopVisits, .stopSignificantChanges, .closeMonitor, .removeCondition,
      .acknowledge:
      true
    case .startRegion, .requestState, .startVisits, .startSignificantChanges, .openMonitor,
      .addCondition:
      false
    }
  }

  /// Whether the command requires the authorization `always`.
  fileprivate var needsAlways: Bool {
    switch self {
    case .startRegion, .requestState, .startVisits, .startSignificantChanges: true
    default: false
    }
  }

  /// Whether the command requires full accuracy.
  fileprivate var needsPlace: Bool {
    switch self {
    case .startRegion, .requestState: true
    default: false
    }
  }
}

extension MonitoringEvent.Kind {
  /// Whether the event starts an application. Replies to commands do not: the application was
  /// running.
  var startsApplications: Bool {
    switch self {
    case .entered, .exited, .visit, .significantChange, .condition: true
    case .regionStarted, .regionFailed, .regionState: false
    }
  }
}
