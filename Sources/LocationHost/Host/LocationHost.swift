import Board
import Formats
import Foundation
import HostClient
import HostProtocol
import LinuxIO
import Monitoring
import Observers
import Pipeline
import Quantities
import Radio
import Synchronization

/// The one implementation of all services for applications: estimates, access and reduced accuracy,
/// the last fix, the receiver's demand, monitoring and calibration.
///
/// `connect` opens a session for a client. The messages of `HostProtocol` are values in the same
/// process (`InProcessHost`), or encoded on a socket (the daemon). The host never waits for a
/// client.
package final class LocationHost: Sendable {
  /// The components and the storage of a host.
  package struct Parts {
    /// Decides the access of applications.
    package var access: any AccessRules
    /// Stores monitoring.
    package var journals: any MonitoringJournals
    /// Makes the source of the estimates.
    package var source: (SourceEvents) -> any HostSource
    /// True if the source measures with sensors. Only then the last fix is stored.
    package var isLive: Bool
    /// True if the source plays a recording: the host uses the recording's time, and playback waits
    /// for monitoring.
    package var isPlayed = false
    /// Receives beacons. Bluetooth stays unused until a beacon is monitored.
    package var beacons = BeaconService()
    /// Civil time and alarms.
    package var clock: any HostClock = MachineClock()
    /// The log.
    package var log: HostLog
    /// Whether the state can be stored.
    package var health: StateHealth

    package init(
      access: any AccessRules, journals: any MonitoringJournals, isLive: Bool, log: HostLog,
      source: @escaping (SourceEvents) -> any HostSource
    ) {
      (self.access, self.journals, self.isLive, self.log) = (access, journals, isLive, log)
      health = StateHealth(log: log)
      self.source = source
    }
  }

  package let configuration: HostConfiguration
  package let access: any AccessRules
  package let source: any HostSource
  private let monitoring: MonitoringKeeper
  private let reducedAccuracy = Mutex(ReducedAccuracy())
  private let calibrationReports = RepeatedWork()
  private let demandUpdates = RepeatedWork()
  /// The newest fix that is not stored yet.
  private let unstoredFix = Locked<Estimate?>(nil)
  private let beacons: BeaconFeed
  private let lastFix: LastFixFile?
  private let time: HostTime
  private let log: HostLog
  private let health: StateHealth
  private let isPlayed: Bool
  private let healthChanges = Locked<Observation?>(nil)
  /// Runs operations that wait for the disk.
  private let diskQueue: DispatchQueue
  private let fairDiskQueue: FairQueue
  private let state: Mutex<State>

  private struct State {
    var sessions: [Int: HostSession] = [:]
    var nextNumber = 1
    var newestFix: Estimate?
    var lastFixStamp: Timestamp?
    var monitoringDemand = FixDemand.none
  }

  /// Makes a host; `start` starts it.
  package init(_ configuration: HostConfiguration, _ parts: Parts) {
    self.configuration = configuration
    (access, log, isPlayed) = (parts.access, parts.log, parts.isPlayed)
    health = parts.health
    diskQueue = DispatchQueue(label: "lodestar-orders")
    fairDiskQueue = FairQueue(diskQueue)
    let time = HostTime(clock: parts.clock, isPlayed: parts.isPlayed)
    self.time = time
    let clock = parts.clock
    lastFix =
      parts.isLive
      ? configuration.stateFolder.map { folder in
        LastFixFile(stateFolder: folder, health: parts.health) { clock.uptime }
      } : nil
    // A simulation must not deliver a real place.
    state = Mutex(State(newestFix: lastFix?.read()))
    let back = HostReference()
    source = parts.source(
      SourceEvents(
        estimate: { back.host?.distribute($0) }, row: { back.host?.distribute($0) },
        receiver: { back.host?.distribute($0) },
        source: { back.host?.sourceChanged($0) },
        calibration: { back.host?.calibrationChanged() },
        notice: { back.host?.notify($0) }))
    beacons = BeaconFeed(
      beacons: parts.beacons, reports: { back.host?.monitoring.process($0) })
    beacons.onNotice { [log = parts.log] in log.warning($0) }
    monitoring = MonitoringKeeper(
      journals: parts.journals, access: parts.access, beacons: parts.beacons,
      configuration: configuration, log: parts.log, health: parts.health, time: time,
      onDemand: { back.host?.setMonitoringDemand($0) },
      onBeacons: { back.host?.beacons.follow($0) })
    back.set(self)
    let changes = parts.health.observe { [weak self] _ in
      guard let self else { return }
      send(.source(described(source.source)))
    }
    healthChanges.withLock { $0 = changes }
  }

  // MARK: The state

  /// Why the state, or a part of it, is not stored, in one line; nil where it is.
  package var storageFault: String? {
    let profiles = source.calibrator as? any ProfileCalibrator
    health.report(calibrations: profiles?.storageFault)
    return health.fault
  }

  /// Stores what could not be stored, where that is possible now; returns at once.
  package func storeAgain() {
    diskQueue.async { [self] in
      access.storeAgain()
      lastFix?.flush()
      (source.calibrator as? any ProfileCalibrator)?.storeAgain()
    }
  }

  /// The source with what the host adds for its clients.
  private func described(_ source: SourceDescription) -> SourceDescription {
    var source = source
    source.storageFault = health.fault
    if source.isOpen {
      source.storesCalibrations =
        (self.source.calibrator as? any ProfileCalibrator)?.archive != nil
    }
    return source
  }

  /// Starts monitoring, and a source that is always open.
  package func start() {
    monitoring.start()
    source.start()
  }

  /// Reads the policy again and sends changes of access to the clients.
  package func reload() {
    access.reload()
    accessChanged()
  }

  /// Whether the engine and monitoring work.
  package var isAlive: (engine: Bool, monitoring: Bool) { (source.isAlive, monitoring.isAlive) }

  /// Stops source and monitoring, and stores all pending state. `disconnect` closes the
  /// connections.
  package func stop(_ reason: String, disconnect: () -> Void) {
    monitoring.endLaunches()
    fairDiskQueue.close()
    source.stop()
    for session in sessions {
      // The source's thread may still deliver: no estimate follows the goodbye.
      session.delivery.withLock {
        session.withState { $0.isClosing = true }
        session.send(.goodbye(reason))
      }
    }
    disconnect()
    monitoring.stop()
    // After the fix that waits for the disk, so that the newest one is stored.
    diskQueue.sync { [lastFix] in lastFix?.flush() }
  }

  /// Ends like a killed process, for tests: sends nothing and stores nothing more.
  package func abandon(disconnect: () -> Void) {
    monitoring.abandon()
    disconnect()
    source.stop()
  }

  /// Returns after all messages received so far are handled, for tests.
  package func waitUntilIdle() {
    monitoring.waitUntilIdle()
    fairDiskQueue.waitUntilIdle()
  }

  private var sessions: [HostSession] {
    state.withLock { state in
      state.sessions.values.sorted { $0.number < $1.number }
    }
  }

  // MARK: Clients

  /// Opens a session for a client.
  /// - Parameters:
  ///   - peer: The client's process.
  ///   - deliver: Receives the items for the client, on any thread.
  /// - Returns: The session's number, for `handle` and `disconnect`.
  package func connect(
    _ peer: PeerCredentials, deliver: @escaping @Sendable (HostDelivery) -> Void
  ) -> Int {
    state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      state.sessions[number] = HostSession(number: number, peer: peer, deliver: deliver)
      return number
    }
  }

  /// Removes the session of a client whose connection has ended.
  /// - Parameters:
  ///   - number: The session's number.
  ///   - done: Called once, on any thread, after the work for it is done.
  package func disconnect(_ number: Int, done: @escaping @Sendable () -> Void = {}) {
    guard let session = state.withLock({ $0.sessions.removeValue(forKey: number) }) else {
      return done()
    }
    let (key, hasBegun) = session.withState { ($0.key, $0.hasBegunCalibration) }
    if let key {
      monitoring.disconnect(key, session: number, done: done)
      log.info("\(session.name) is disconnected")
    } else {
      done()
    }
    if hasBegun, let key { runOnDiskQueue(key) { [self] in source.calibrator?.cancel() } }
    updateDemand()
  }

  /// Handles a client's message.
  /// - Parameters:
  ///   - message: The message.
  ///   - number: The session's number.
  ///   - done: Called once, on any thread, after the message is handled completely.
  package func handle(
    _ message: ClientMessage, from number: Int, done: @escaping @Sendable () -> Void = {}
  ) {
    guard let session = state.withLock({ $0.sessions[number] }) else { return done() }
    if case .hello(let hello) = message {
      guard session.withState({ $0.hello }) == nil else {
        refuse(
          session, HostFault(.order, "received a second 'hello'; send it once for each connection"))
        return done()
      }
      return acceptHello(hello, session, done)
    }
    guard let key = session.withState({ $0.key }) else {
      refuse(session, HostFault(.order, "received a message before 'hello'; send 'hello' first"))
      return done()
    }
    handle(message, session, key, done)
  }

  private func handle(
    _ message: ClientMessage, _ session: HostSession, _ key: ApplicationKey,
    _ done: @escaping @Sendable () -> Void
  ) {
    switch message {
    case .hello, .unknown: done()
    case .look(let id):
      // Needs no authorization: the reply only describes the machine's sensors.
      session.send(.looked(id: id, described(source.describeSensors())))
      done()
    case .demand(let demand):
      setDemand(demand, session)
      done()
    case .samples(let isOn):
      session.withState { $0.wantsSamples = isOn }
      if !isOn { session.hand(.dropSamples) }
      updateDemand()
      done()
    case .receiver(let isOn):
      session.withState { $0.wantsReceiver = isOn }
      if !isOn { session.hand(.dropReceiver) }
      updateDemand()
      done()
    case .lease(let isOn):
      session.hand(.lease(isOn))
      done()
    case .listen(let isOn):
      let receive: @Sendable (MonitoringEvent) -> Void = { session.send(.event($0)) }
      monitoring.listen(
        key, session: session.number, to: isOn ? receive : nil, done: done)
    case .monitor(let id, let command):
      monitoring.perform(command, of: key, session: session.number) { fault in
        session.send(.done(id: id, fault))
        done()
      }
    case .registrations(let id):
      monitoring.registrations(of: key) { registrations in
        session.send(.registrations(id: id, registrations))
        done()
      }
    case .authorize(let wanted):
      runOnDiskQueue(key) { [self] in
        access.request(wanted, of: key, claim: session.claim)
        for other in sessions where other.withState({ $0.key }) == key {
          change(other, to: access.access(of: key, claim: other.claim))
        }
        monitoring.accessChanged()
        done()
      }
    case .fullAccuracy(let id, let purpose):
      session.send(.done(id: id, refusal(ofFullAccuracy: purpose, session, key)))
      done()
    case .calibrate(let id, let command): calibrate(command, id, session, key, done)
    case .profiles(let id, let order): handle(order, id, session, key, done)
    }
  }

  /// Runs an operation that may wait for the disk: in the application's turn on the queue, or in
  /// process before it returns.
  private func runOnDiskQueue(_ key: ApplicationKey, _ body: @escaping @Sendable () -> Void) {
    if configuration.isInProcess { body() } else { fairDiskQueue.add(key, body) }
  }

  private func refuse(_ session: HostSession, _ fault: HostFault) {
    log.warning("\(session.name): refused: \(fault)")
    session.withState { $0.isClosing = true }
    session.hand(.dropEstimates)
    session.hand(.dropSamples)
    session.hand(.dropReceiver)
    session.send(.refused(fault))
    session.hand(.close)
  }

  private func acceptHello(
    _ hello: ClientHello, _ session: HostSession, _ done: @escaping @Sendable () -> Void
  ) {
    guard let version = HostProtocolVersion.common(with: hello.version) else {
      defer { done() }
      return refuse(
        session,
        HostFault(
          .version,
          "the client's protocol version \(hello.version) is not supported, only versions "
            + "\(HostProtocolVersion.oldest) to \(HostProtocolVersion.current); update the older "
            + "program"))
    }
    guard ApplicationKey.isValid(hello.application) else {
      defer { done() }
      return refuse(
        session,
        HostFault(
          .application,
          "'\(String(printable: hello.application))' is not a valid application identifier: use "
            + "letters, digits, '.', '-' and '_', with a letter or digit first"))
    }
    let key = ApplicationKey(uid: session.peer.uid, id: hello.application)
    let access = access.access(of: key, claim: session.claim)
    // Only shown: a client may send 256 KiB.
    var shown = hello
    shown.client = String(printable: hello.client)
    session.withState { [shown] in ($0.hello, $0.key, $0.access) = (shown, key, access) }
    log.info("\(session.name) is connected")
    session.send(
      .welcome(
        HostWelcome(
          version: version, pid: getpid(), source: described(source.source), access: access,
          calibration: source.calibrator.map { CalibrationReport($0) },
          lastFix: permittedLastFix(for: key, access))))
    monitoring.connect(
      key, session: session.number, peer: session.peer,
      onJournal: { session.send(.journal($0)) }, done: done)
  }

  /// The last fix at the application's accuracy; nil if it is unknown or not allowed.
  private func permittedLastFix(for key: ApplicationKey, _ access: GrantedAccess) -> Estimate? {
    guard access.authorization.isGranted, let fix = state.withLock({ $0.newestFix }) else {
      return nil
    }
    if access.accuracy == .full { return fix }
    return reducedAccuracy.withLock { $0.current(fix, now: time.now) }
  }

  // MARK: Access

  private func refusal(
    ofFullAccuracy purpose: String, _ session: HostSession, _ key: ApplicationKey
  ) -> HostFault? {
    let access = session.withState { $0.access }
    guard access.accuracy == .reduced else {
      return HostFault(.declined, "the application already has full accuracy")
    }
    guard access.authorization.isGranted,
      self.access.grants(purpose, to: key, claim: session.claim)
    else {
      let cause = access.fault.map { ": \($0)" } ?? ""
      return HostFault(
        .declined, "the policy does not grant the purpose '\(String(printable: purpose))'\(cause)")
    }
    // Lasts until this connection ends.
    session.withState { $0.hasFullAccuracyForNow = true }
    change(session, to: access)
    return nil
  }

  private func change(_ session: HostSession, to new: GrantedAccess) {
    var access = new
    if session.withState({ $0.hasFullAccuracyForNow }) { access.accuracy = .full }
    session.delivery.lock()
    defer { session.delivery.unlock() }
    let (before, key) = session.withState { state in
      defer { state.access = access }
      return (state.access, state.key)
    }
    guard before != access, let key else { return }
    let isAccuracyNew = access.accuracy != before.accuracy
    if !access.authorization.isGranted || isAccuracyNew {
      for drop in [HostDelivery.dropEstimates, .dropSamples, .dropReceiver] { session.hand(drop) }
    }
    session.send(.access(access))
    if let fix = permittedLastFix(for: key, access) { session.send(.lastFix(fix)) }
    updateDemand()
  }

  /// Applies a change of the policy or of a decision to all sessions.
  package func accessChanged() {
    monitoring.policyChanged()
    for session in sessions {
      guard let key = session.withState({ $0.key }) else { continue }
      change(session, to: access.access(of: key, claim: session.claim))
    }
  }

  // MARK: Estimates

  private func distribute(_ estimate: Estimate) {
    time.follow(estimate)
    let isFix = state.withLock { state in
      guard estimate.position != nil, let stamp = estimate.fixTimestamp,
        stamp != state.lastFixStamp
      else { return false }
      (state.lastFixStamp, state.newestFix) = (stamp, estimate)
      return true
    }
    let exact = SharedEstimate(estimate)
    let sessions = self.sessions
    // Fifty estimates a second, and most clients have full accuracy; monitoring needs each fix.
    let isReduced = isFix || sessions.contains { $0.hasReducedAccuracy }
    let reduced = isReduced ? SharedEstimate(reduce(estimate)) : nil
    for session in sessions { session.offer(exact, reduced: reduced, isFix: isFix) }
    guard isFix, let reduced else { return }
    monitoring.process(estimate, reduced: reduced.estimate, waits: isPlayed)
    store(estimate)
  }

  private func reduce(_ estimate: Estimate) -> Estimate {
    reducedAccuracy.withLock { $0.reduce(estimate, now: time.now) }
  }

  private func store(_ fix: Estimate) {
    guard let lastFix, !source.source.isSimulated else { return }
    var fix = fix
    if fix.utc == nil { fix.utc = time.now }
    let isWaiting = unstoredFix.withLock { waiting in
      defer { waiting = fix }
      return waiting != nil
    }
    // At most one operation is queued, also when the disk hangs.
    guard !isWaiting else { return }
    diskQueue.async { [unstoredFix] in
      let fix = unstoredFix.withLock { waiting in
        defer { waiting = nil }
        return waiting
      }
      if let fix { lastFix.store(fix) }
    }
  }

  private func distribute(_ row: SensorSamples) {
    guard row.inertial != nil || row.field != nil || row.pressure != nil else { return }
    let samples = SensorSamples(
      timestamp: row.timestamp, inertial: row.inertial, field: row.field, pressure: row.pressure)
    let (whole, reduced) = (SharedSamples(samples), samples.reduced.map { SharedSamples($0) })
    for session in sessions { session.offer(whole, reduced: reduced) }
  }

  private func distribute(_ output: ReceiverOutput) {
    let shared = SharedReceiverOutput(output)
    for session in sessions { session.offer(shared) }
  }

  private func setDemand(_ demand: EstimateDemand, _ session: HostSession) {
    let wasEmpty = session.withState { state in
      defer { state.demand = demand }
      return state.demand.isEmpty
    }
    if demand.isEmpty { session.hand(.dropEstimates) }
    updateDemand()
    // The newest heading is sent at once; its fix has already been delivered.
    guard wasEmpty, demand.headings, let latest = source.latest else { return }
    session.offer(
      SharedEstimate(latest).withoutPlace, reduced: SharedEstimate(reduce(latest)), isFix: false)
  }

  private func setMonitoringDemand(_ demand: FixDemand) {
    state.withLock { $0.monitoringDemand = demand }
    updateDemand()
  }

  /// Sets the source's demand to the combined demand of clients and monitoring.
  private func updateDemand() { demandUpdates.run { applyDemand() } }

  private func applyDemand() {
    var demand = state.withLock { $0.monitoringDemand }
    var (isNeeded, wantsSamples, wantsReceiver) = (demand != .none, false, false)
    var activities: Set<Activity> = []
    for session in sessions {
      session.withState { state in
        guard state.access.authorization.isGranted else { return }
        demand = FixDemand.most(demand, state.demand.fixDemand)
        if state.demand.fixes { activities.insert(state.demand.motion) }
        // A resting receiver sends nothing.
        if state.takesReceiver { demand = .continuous }
        isNeeded =
          isNeeded || !state.demand.isEmpty || state.takesSamples || state.takesReceiver
        wantsReceiver = wantsReceiver || state.takesReceiver
        wantsSamples = wantsSamples || state.takesSamples
      }
    }
    source.set(
      demand, isNeeded: isNeeded, wantsSamples: wantsSamples, wantsReceiver: wantsReceiver,
      activity: Activity.common(of: activities))
  }

  // MARK: The source

  private func sourceChanged(_ source: SourceDescription) {
    if !source.isOpen { diskQueue.async { [lastFix] in lastFix?.flush() } }
    send(.source(described(source)))
  }

  private func notify(_ text: String) { send(.notice(text)) }

  /// Sends the calibration to all clients. When two threads call it at the same time, one of them
  /// sends, and sends again for the other call. The last report therefore has the newest state.
  private func calibrationChanged() {
    calibrationReports.run { reportCalibration() }
  }

  private func reportCalibration() {
    guard let calibrator = source.calibrator else { return }
    if case .collecting = calibrator.standing {
    } else {
      // The calibration session has ended: no disconnect may cancel a later one.
      for session in sessions { session.withState { $0.hasBegunCalibration = false } }
    }
    send(.calibration(CalibrationReport(calibrator)))
  }

  private func send(_ message: HostMessage) {
    for session in sessions where session.withState({ $0.key }) != nil { session.send(message) }
  }

  private func refusal(ofCalibration session: HostSession, _ key: ApplicationKey) -> HostFault? {
    guard session.withState({ $0.access.authorization.isGranted }) else {
      return HostFault(
        .access,
        "calibration refused: the policy in /etc/corelocation/policy.d does not grant this "
          + "application access to locations; ask the administrator")
    }
    return access.calibrationFault(of: key, claim: session.claim).map {
      HostFault(.access, "calibration refused: \($0)")
    }
  }

  /// Answers a request about the stored calibrations. A change needs the permission to calibrate,
  /// reading full accuracy: a calibration contains its place.
  private func handle(
    _ order: ProfileOrder, _ id: UInt64, _ session: HostSession, _ key: ApplicationKey,
    _ done: @escaping @Sendable () -> Void
  ) {
    let changeFault = refusal(ofCalibration: session, key)
    let access = session.withState { $0.access }
    var refusal = order.isChange ? changeFault : nil
    if !access.authorization.isGranted || access.accuracy != .full {
      refusal = HostFault(
        .access,
        "calibrations are not shown: the policy in /etc/corelocation/policy.d does not grant this application "
          + "locations at full accuracy; ask the administrator")
    }
    if let refusal {
      session.send(.done(id: id, refusal))
      return done()
    }
    runOnDiskQueue(key) { [self] in
      defer { done() }
      guard let profiles = source.calibrator as? any ProfileCalibrator else {
        session.send(
          .done(
            id: id,
            HostFault(.noSensor, "no calibrations: no magnetometer is open (\(source.status))")))
        return
      }
      do throws(HostFault) {
        session.send(.profiles(id: id, try order.execute(profiles, changeFault: changeFault)))
        if order.isChange { log.notice("\(session.name) has changed the stored calibrations") }
      } catch {
        session.send(.done(id: id, error))
      }
    }
  }

  private func calibrate(
    _ command: CalibrationOrder, _ id: UInt64, _ session: HostSession, _ key: ApplicationKey,
    _ done: @escaping @Sendable () -> Void
  ) {
    let isOwnEnd = command == .cancel && session.withState { $0.hasBegunCalibration }
    if !isOwnEnd, let fault = refusal(ofCalibration: session, key) {
      session.send(.done(id: id, fault))
      return done()
    }
    switch command {
    case .begin: session.withState { $0.hasBegunCalibration = true }
    case .cancel: session.withState { $0.hasBegunCalibration = false }
    case .finish, .reset, .use: break
    }
    // Storing a calibration waits for the disk.
    runOnDiskQueue(key) { [self] in
      let fault = source.calibrator.map { $0.execute(command) }
      let answer =
        fault
        ?? HostFault(.noSensor, "calibration failed: no magnetometer is open (\(source.status))")
      session.send(.done(id: id, answer))
      done()
    }
  }
}

extension LocationHost: InProcessHost {
  package func connect(
    _ deliver: @escaping @Sendable (HostMessage) -> Void
  ) -> any HostConnection {
    let number = connect(.ofThisProcess) { delivery in
      switch delivery {
      case .message(let message): deliver(message)
      case .fix(let shared), .heading(let shared): deliver(.estimate(shared.estimate))
      case .samples(let shared): deliver(.samples(shared.samples))
      case .receiver(let shared): deliver(.receiver(shared.output))
      // In process nothing is queued.
      case .dropEstimates, .dropSamples, .dropReceiver, .lease, .close: break
      }
    }
    return InProcessConnection(host: self, number: number)
  }
}

/// A client within the host's process.
private final class InProcessConnection: HostConnection {
  private let host: LocationHost
  private let number: Int

  init(host: LocationHost, number: Int) { (self.host, self.number) = (host, number) }

  func send(_ message: ClientMessage) { host.handle(message, from: number) }
  func close() { host.disconnect(number) }
}

/// A weak reference to the host for parts that are created before it.
private final class HostReference: Sendable {
  private struct Weak { weak var host: LocationHost? }
  private let reference = Mutex(Weak())

  var host: LocationHost? { reference.withLock { $0.host } }
  func set(_ host: LocationHost) { reference.withLock { $0.host = host } }
}

/// Work that one thread does at a time. A call during the work, from any thread, has it done once
/// more after it: the last run has seen everything that came before the last call.
private final class RepeatedWork: Sendable {
  private enum Stage { case idle, running, repeating }
  private let stage = Mutex(Stage.idle)

  func run(_ work: () -> Void) {
    let isRunning = stage.withLock { stage in
      defer { stage = stage == .idle ? .running : .repeating }
      return stage != .idle
    }
    guard !isRunning else { return }
    var isDue = true
    while isDue {
      work()
      isDue = stage.withLock { stage in
        stage = stage == .repeating ? .running : .idle
        return stage == .running
      }
    }
  }
}

extension CalibrationReport {
  init(_ calibrator: any FieldCalibrator) {
    self.init()
    if case .collecting(let progress) = calibrator.standing {
      (self.progress, use) = (progress, calibrator.sessionUse.rawValue)
    }
    inUse = calibrator.inUse.map {
      CodedCalibration($0.calibration, residualMicrotesla: $0.residualMicrotesla)
    }
  }
}

extension FieldCalibrator {
  /// Executes a client's calibration command.
  /// - Returns: The reason why it failed; nil on success.
  fileprivate func execute(_ order: CalibrationOrder) -> HostFault? {
    do throws(CalibrationFault) {
      switch order {
      // A word of a newer client is not known here: the board's activity decides.
      case .begin(let use): begin(for: use.flatMap(CalibrationUse.init))
      case .finish: try finish()
      case .cancel: cancel()
      case .reset: reset()
      case .use(let coded):
        guard let calibration = coded.calibration else {
          return HostFault(
            .unusable, "the calibration is invalid: expected three matrix rows and a known quality")
        }
        try use(
          CalibrationInUse(calibration, residualMicrotesla: coded.residualMicrotesla))
      }
      return nil
    } catch {
      switch error {
      case .unusable: return HostFault(.unusable, "\(error)")
      case .notKept: return HostFault(.notKept, "\(error)")
      case .insufficient(let reason): return HostFault(.unusable, reason)
      }
    }
  }
}
