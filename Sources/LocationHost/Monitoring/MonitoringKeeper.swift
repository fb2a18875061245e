import Dispatch
import HostProtocol
import LinuxIO
import Monitoring
import Quantities
import Radio
import Synchronization

/// The monitoring of all applications. It has its own queue, because it waits for the disk, and
/// headings must not. Its parts are used only on that queue.
final class MonitoringKeeper: Sendable {
  /// The limit of fixes in the queue while the disk is slow; further fixes are dropped.
  private static let mostWaitingFixes = 512
  /// The watchdog limit of one turn, s: longer than a slow memory card needs.
  private static let turnLimit = 30.0
  /// The longest wait for BlueZ while other applications wait, s. Beacons that BlueZ has not
  /// refused by then are monitored as soon as they can be received.
  private static let adapterTimeout = 0.5

  private let access: any AccessRules
  private let adapter: AdapterCheck
  private let isInProcess: Bool
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
    let applications: MonitoredApplications
    let deadlines: MonitoringDeadlines
    let launches: ApplicationLaunches
    var lastDemand: FixDemand?
    var lastBeacons: Set<BeaconPattern> = []

    init(_ applications: MonitoredApplications, _ time: HostTime, _ launches: ApplicationLaunches) {
      (self.applications, self.launches) = (applications, launches)
      deadlines = MonitoringDeadlines(of: applications, time: time)
    }
  }

  init(
    _ parts: LocationHost.Parts, _ configuration: HostConfiguration, time: HostTime,
    onDemand: @escaping @Sendable (FixDemand) -> Void,
    onBeacons: @escaping @Sendable (Set<BeaconPattern>) -> Void
  ) {
    (access, isInProcess) = (parts.access, configuration.isInProcess)
    (self.onDemand, self.onBeacons) = (onDemand, onBeacons)
    adapter = AdapterCheck(
      of: parts.beacons, timeout: isInProcess ? .infinity : Self.adapterTimeout)
    (queueMark, fairQueue) = (QueueMark(queue), FairQueue(queue))
    let launches = ApplicationLaunches(parts, configuration)
    let applications = MonitoredApplications(parts, configuration, launches, time)
    bound = QueueBound(State(applications, time, launches), to: queue)
  }

  /// Runs an operation on the queue. In process it returns after the operation, so that nothing is
  /// lost when the program exits.
  private func run(_ body: @escaping @Sendable () -> Void) {
    guard isInProcess else { return queue.async(execute: body) }
    if queueMark.isHere { body() } else { queue.sync(execute: body) }
  }

  /// Runs an operation for a client in the turn of its application.
  private func run(_ key: ApplicationKey, _ body: @escaping @Sendable () -> Void) {
    if isInProcess { run(body) } else { fairQueue.add(key, body) }
  }

  /// Returns after all queued operations are complete.
  func waitUntilIdle() { fairQueue.waitUntilIdle() }

  /// Opens the stored journals and starts the timer.
  func start() {
    run { [self] in
      state.launches.begin()
      // A host in a program opens only that program's journal, when the program connects.
      guard !isInProcess else { return }
      state.applications.openStored()
      // The watchdog checks the timer's turns.
      startTimer()
      updateDemand()
      setAlarm()
    }
  }

  /// Stops the starting of applications, and drops the commands that wait: their clients receive no
  /// answer and send them again to the next daemon. Called before the daemon disconnects its
  /// clients.
  func endLaunches() {
    fairQueue.close()
    run { [self] in state.launches.end() }
  }

  /// Closes all journals after the operation in progress.
  func stop() {
    queue.sync {
      state.deadlines.stop()
      for application in state.applications.removeAll() { application.close() }
    }
  }

  /// Ends like a killed process, for tests: unstored data is lost. The journals are closed when it
  /// returns.
  func abandon() {
    let sessions = queue.sync {
      state.deadlines.stop()
      return state.applications.removeAll().map { WeakMonitoring(monitoring: $0.monitoring) }
    }
    let end = DispatchTime.now() + 2
    while sessions.contains(where: { $0.monitoring != nil }), DispatchTime.now() < end {
      MonotonicClock.sleep(seconds: 0.001)
    }
    // A journal is closed shortly after its session is released.
    MonotonicClock.sleep(seconds: 0.02)
  }

  private struct WeakMonitoring {
    weak var monitoring: (any ApplicationMonitoring)?
  }

  /// Applies the rules of a new policy.
  func policyChanged() {
    run { [self] in
      state.applications.policyChanged()
      updateAccess()
    }
  }

  /// Applies a change of access.
  func accessChanged() { run { [self] in updateAccess() } }

  private func updateAccess() {
    for application in state.applications.all { application.accessChanged() }
    updateDemand()
  }

  // MARK: Clients

  /// Adds a client of an application.
  func connect(
    _ session: HostSession, _ key: ApplicationKey, done: @escaping @Sendable () -> Void
  ) {
    run(key) { [self] in
      defer { done() }
      state.applications.add(MonitoringClient(session, key))
      guard isInProcess else { return }
      state.applications.openStored(key)
      setAlarm()
    }
  }

  /// Removes a client.
  func disconnect(
    _ session: HostSession, _ key: ApplicationKey, done: @escaping @Sendable () -> Void
  ) {
    run(key) { [self] in
      defer { done() }
      let applications = state.applications
      applications.remove(session)
      guard let application = applications[key] else { return }
      state.launches.launchIfDue(application)
      applications.removeIfUnused(application)
    }
  }

  /// Starts or stops the delivery of events to a session, unacknowledged events first.
  func listen(
    _ session: HostSession, _ key: ApplicationKey, _ isOn: Bool,
    done: @escaping @Sendable () -> Void
  ) {
    run(key) { [self] in
      defer { done() }
      let applications = state.applications
      guard let client = applications.client(session) else { return }
      client.wantsEvents = isOn
      // Without monitoring no events exist; the first command opens it.
      guard let application = applications[key] else { return }
      if isOn { application.deliverEvents(to: client) } else { application.endDelivery(to: client) }
    }
  }

  /// Executes a command. `done` receives nil after it is stored, or the error.
  func perform(
    _ command: MonitoringCommand, _ session: HostSession, _ key: ApplicationKey,
    done: @escaping @Sendable (HostFault?) -> Void
  ) {
    run(key) { [self] in
      _ = state.deadlines.timeAfterClockStep()
      defer { setAlarm() }
      let applications = state.applications
      // Nil if the client has ended meanwhile.
      guard let client = applications.client(session) else { return done(nil) }
      if command.needsAccess,
        let fault = command.refusal(
          by: access.access(of: key, claim: session.claim), of: key, adapter)
      {
        return done(fault)
      }
      if isInProcess, applications[key] == nil {
        switch command {
        case .openMonitor(let name):
          if let fault = applications.excess(of: command, key) { return done(fault) }
          client.monitors.insert(name)
          return done(nil)
        case .closeMonitor(let name): client.monitors.remove(name)
        default: break
        }
      }
      if applications[key] == nil, !applications.hasFailed(key) {
        // Without monitoring nothing needs to be removed.
        if command.onlyRemoves { return done(nil) }
        if let fault = applications.quotaFault(key) { return done(fault) }
      }
      if let fault = applications.excess(of: command, key) { return done(fault) }
      switch applications.open(key) {
      case .failure(let fault): done(fault)
      case .success(let application):
        guard application.perform(command, of: client) else { return done(nil) }
        done(application.storageFault(of: command))
        updateDemand(commanded: true)
      }
    }
  }

  /// Reports an application's registrations.
  func registrations(
    of key: ApplicationKey, answer: @escaping @Sendable (MonitoringRegistrations) -> Void
  ) {
    run(key) { [self] in
      answer(state.applications[key]?.monitoring.registrations() ?? MonitoringRegistrations())
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
      let now = state.deadlines.timeAfterClockStep()
      for application in state.applications.all { application.process(report, at: now) }
      setAlarm()
    }
  }

  private func feed(_ estimate: Estimate, _ reduced: Estimate) {
    let now = state.deadlines.timeAfterClockStep()
    guard let fix = PlaceFix(estimate, now: now) else { return }
    let cell = PlaceFix(reduced, now: now)
    for application in state.applications.all { application.process(fix, cell: cell, at: now) }
    launchDue()
    updateDemand()
    setAlarm()
  }

  /// Reports the fixes and beacons that all applications need. After a command the state of watched
  /// beacons is repeated, for new regions and conditions.
  private func updateDemand(commanded: Bool = false) {
    let applications = state.applications.all
    let demand = applications.reduce(FixDemand.none) { FixDemand.most($0, $1.demand) }
    let beacons = applications.reduce(into: Set<BeaconPattern>()) {
      $0.formUnion($1.beaconPatterns)
    }
    if beacons != state.lastBeacons || commanded && !beacons.isEmpty {
      state.lastBeacons = beacons
      onBeacons(beacons)
    }
    guard demand != state.lastDemand else { return }
    state.lastDemand = demand
    onDemand(demand)
  }

  // MARK: Time

  /// Whether the timer's turns continue.
  var isAlive: Bool { pulse.isAlive(within: Self.turnLimit) }

  private func startTimer() {
    state.deadlines.startTimer(on: queue) { [weak self] in self?.tick() }
  }

  private func tick() {
    pulse.beat()
    advance()
    state.applications.openFailed()
    setAlarm()
    state.launches.storeAgain()
    updateDemand()
  }

  /// Processes the deadlines that have come.
  private func advance() {
    let now = state.deadlines.timeAfterClockStep()
    for application in state.applications.all { application.monitoring.advance(to: now) }
    launchDue()
    setAlarm()
  }

  private func launchDue() {
    for application in state.applications.all { state.launches.launchIfDue(application) }
  }

  /// Schedules the processing of the next deadline. In process the timer starts with monitoring.
  private func setAlarm() {
    if !state.applications.all.isEmpty { startTimer() }
    state.deadlines.setAlarm { [weak self] in
      guard let self else { return }
      run { [self] in
        state.deadlines.removeAlarm()
        advance()
      }
    }
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
