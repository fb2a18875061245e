import Dispatch
import Glibc
import HostClient
import HostProtocol
import LinuxIO
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
  private let sessions = HostSessions()
  private let demand: SourceDemand
  private let distribution: EstimateDistribution
  private let calibration: CalibrationRequests
  private let monitoring: MonitoringKeeper
  private let beacons: BeaconFeed
  private let lastFix: LastFixFile?
  private let log: HostLog
  private let health: StateHealth
  private let healthChanges = Locked<Observation?>(nil)
  private let sourceReports = RepeatedWork()
  /// Runs operations that wait for the disk.
  private let diskQueue: DispatchQueue
  private let fairDiskQueue: FairQueue

  /// Makes a host; `start` starts it.
  package init(_ configuration: HostConfiguration, _ parts: Parts) {
    self.configuration = configuration
    (access, log, health) = (parts.access, parts.log, parts.health)
    diskQueue = DispatchQueue(label: "lodestar-orders")
    fairDiskQueue = FairQueue(diskQueue, isInProcess: configuration.isInProcess)
    let time = HostTime(clock: parts.clock, isPlayed: parts.isPlayed)
    let clock = parts.clock
    lastFix =
      parts.isLive
      ? configuration.stateFolder.map { folder in
        LastFixFile(stateFolder: folder, health: parts.health) { clock.uptime }
      } : nil
    let back = HostReference()
    source = parts.source(
      SourceEvents(
        estimate: { back.host?.distribution.distribute($0) },
        row: { back.host?.distribution.distribute($0) },
        receiver: { back.host?.distribution.distribute($0) },
        source: { back.host?.sourceChanged($0) },
        calibration: { back.host?.calibration.report() },
        notice: { back.host?.sessions.send(.notice($0)) }))
    beacons = BeaconFeed(
      beacons: parts.beacons, reports: { back.host?.monitoring.process($0) })
    beacons.onNotice { [log = parts.log] in log.warning($0) }
    monitoring = MonitoringKeeper(
      parts, configuration, time: time,
      onDemand: { back.host?.demand.set(monitoring: $0) },
      onBeacons: { back.host?.beacons.follow($0) })
    demand = SourceDemand(sessions, source)
    distribution = EstimateDistribution(
      sessions, source, monitoring, time: time, lastFix: lastFix, on: diskQueue)
    calibration = CalibrationRequests(sessions, source, access: access, on: fairDiskQueue, log: log)
    back.set(self)
    let changes = parts.health.observe { [weak self] _ in
      self?.reportSource()
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

  /// Sends the source to all clients. When two threads call it at the same time, one of them sends
  /// for both, so that the last report has the newest state.
  private func reportSource() {
    sourceReports.run { [self] in sessions.send(.source(described(source.source))) }
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
    for session in sessions.all {
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

  /// The receiver's own fixes, while a client has samples. The caller delivers them only to clients
  /// that may have the exact place.
  package func observeReceiverFixes(_ body: @escaping @Sendable (Fix) -> Void) -> Observation {
    distribution.receiverFixes.add(body)
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
    sessions.add(peer, deliver: deliver)
  }

  /// Removes the session of a client whose connection has ended.
  /// - Parameters:
  ///   - number: The session's number.
  ///   - done: Called once, on any thread, after the work for it is done.
  package func disconnect(_ number: Int, done: @escaping @Sendable () -> Void = {}) {
    guard let session = sessions.remove(number) else { return done() }
    if let key = session.withState({ $0.key }) {
      monitoring.disconnect(session, key, done: done)
      log.info("\(session.name) is disconnected")
      calibration.cancel(of: session, key)
    } else {
      done()
    }
    demand.update()
  }

  /// Handles a client's message.
  /// - Parameters:
  ///   - message: The message.
  ///   - number: The session's number.
  ///   - done: Called once, on any thread, after the message is handled completely.
  package func handle(
    _ message: ClientMessage, from number: Int, done: @escaping @Sendable () -> Void = {}
  ) {
    guard let session = sessions[number] else { return done() }
    if case .hello(let hello) = message {
      guard session.withState({ $0.hello }) == nil else {
        return refuse(
          session, HostFault(.order, "received a second 'hello'; send it once for each connection"),
          done)
      }
      return acceptHello(hello, session, done)
    }
    guard let key = session.withState({ $0.key }) else {
      return refuse(
        session, HostFault(.order, "received a message before 'hello'; send 'hello' first"), done)
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
    case .demand(let wanted):
      setDemand(wanted, session)
      done()
    case .samples(let isOn):
      session.withState { $0.wantsSamples = isOn }
      if !isOn { session.hand(.dropSamples) }
      demand.update()
      done()
    case .receiver(let isOn):
      session.withState { $0.wantsReceiver = isOn }
      if !isOn { session.hand(.dropReceiver) }
      demand.update()
      done()
    case .lease(let isOn):
      session.hand(.lease(isOn))
      done()
    case .listen(let isOn): monitoring.listen(session, key, isOn, done: done)
    case .monitor(let id, let command):
      monitoring.perform(command, session, key) { fault in
        session.send(.done(id: id, fault))
        done()
      }
    case .registrations(let id):
      monitoring.registrations(of: key) { registrations in
        session.send(.registrations(id: id, registrations))
        done()
      }
    case .authorize(let wanted):
      fairDiskQueue.add(key) { [self] in
        access.request(wanted, of: key, claim: session.claim)
        for other in sessions.all where other.withState({ $0.key }) == key {
          updateAccess(of: other, key)
        }
        monitoring.accessChanged()
        done()
      }
    case .fullAccuracy(let id, let purpose):
      session.send(.done(id: id, refusal(ofFullAccuracy: purpose, session, key)))
      done()
    case .calibrate(let id, let command): calibration.handle(command, id, session, key, done)
    case .profiles(let id, let order): calibration.handle(order, id, session, key, done)
    }
  }

  private func refuse(_ session: HostSession, _ fault: HostFault, _ done: @Sendable () -> Void) {
    defer { done() }
    log.warning("\(session.name): refused: \(fault)")
    session.withState { $0.isClosing = true }
    session.dropQueued()
    session.send(.refused(fault))
    session.hand(.close)
  }

  private func acceptHello(
    _ hello: ClientHello, _ session: HostSession, _ done: @escaping @Sendable () -> Void
  ) {
    guard let version = HostProtocolVersion.common(with: hello.version) else {
      return refuse(
        session,
        HostFault(
          .version,
          "the client's protocol version \(hello.version) is not supported, only versions "
            + "\(HostProtocolVersion.oldest) to \(HostProtocolVersion.current); update the older "
            + "program"), done)
    }
    guard ApplicationKey.isValid(hello.application) else {
      return refuse(
        session,
        HostFault(
          .application,
          "'\(String(printable: hello.application))' is not a valid application identifier: use "
            + "letters, digits, '.', '-' and '_', with a letter or digit first"), done)
    }
    let key = ApplicationKey(uid: session.peer.uid, id: hello.application)
    let (source, calibration) = (described(source.source), calibrationReport)
    // Only shown: a client may send 256 KiB.
    var shown = hello
    shown.client = String(printable: hello.client)
    var revision: Int
    var isWelcome: Bool
    repeat {
      revision = access.revision
      let found = access.access(of: key, claim: session.claim)
      isWelcome = session.delivery.withLock {
        // An access that was found by older rules may show a place that is not allowed any more.
        guard revision == access.revision else { return false }
        session.withState { [shown, revision] in
          ($0.hello, $0.key, $0.access, $0.accessRevision) = (shown, key, found, revision)
        }
        session.send(
          .welcome(
            HostWelcome(
              version: version, pid: getpid(), source: source, access: found,
              calibration: calibration, lastFix: distribution.newestFix(by: found))))
        session.withState { $0.isWelcome = true }
        return true
      }
    } while !isWelcome
    log.info("\(session.name) is connected")
    // These may have changed between being read and the session's first change message.
    if access.revision != revision { updateAccess(of: session, key) }
    if described(self.source.source) != source { reportSource() }
    if calibrationReport != calibration { self.calibration.report() }
    monitoring.connect(session, key, done: done)
  }

  /// The state of the calibration; nil without a magnetometer.
  private var calibrationReport: CalibrationReport? {
    source.calibrator.map { CalibrationReport($0) }
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
    session.withState { $0.purpose = purpose }
    updateAccess(of: session, key)
    // The policy may have been read again meanwhile.
    let given = session.withState { $0.access }
    guard given.authorization.isGranted, given.accuracy == .full else {
      return HostFault(.declined, "the policy has changed: \(given.refusal)")
    }
    return nil
  }

  /// Gives a session the access that it has by the rules in force.
  private func updateAccess(of session: HostSession, _ key: ApplicationKey) {
    var (revision, purpose): (Int, String?)
    repeat {
      (revision, purpose) = (access.revision, session.withState { $0.purpose })
      var found = access.access(of: key, claim: session.claim)
      if found.accuracy != .full, let purpose,
        access.grants(purpose, to: key, claim: session.claim)
      {
        found.accuracy = .full
      }
      change(session, to: found, revision)
    } while revision != access.revision || purpose != session.withState { $0.purpose }
  }

  /// Applies an access that was found by the rules of a revision, unless another thread has applied
  /// that of newer rules.
  private func change(_ session: HostSession, to access: GrantedAccess, _ revision: Int) {
    let hasChanged = session.delivery.withLock {
      let before: GrantedAccess? = session.withState { state in
        guard revision >= state.accessRevision else { return nil }
        defer { (state.access, state.accessRevision) = (access, revision) }
        return state.access
      }
      guard let before, before != access else { return false }
      let isAccuracyNew = access.accuracy != before.accuracy
      if !access.authorization.isGranted || isAccuracyNew { session.dropQueued() }
      session.send(.access(access))
      if let fix = distribution.newestFix(by: access) { session.send(.lastFix(fix)) }
      return true
    }
    // Without the lock, because a source that opens delivers under its own lock.
    if hasChanged { demand.update() }
  }

  /// Applies a change of the policy or of a decision to all sessions.
  package func accessChanged() {
    monitoring.policyChanged()
    for session in sessions.all {
      guard let key = session.withState({ $0.key }) else { continue }
      updateAccess(of: session, key)
    }
  }

  // MARK: Demand and source

  private func setDemand(_ wanted: EstimateDemand, _ session: HostSession) {
    let wasEmpty = session.withState { state in
      defer { state.demand = wanted }
      return state.demand.isEmpty
    }
    if wanted.isEmpty { session.hand(.dropEstimates) }
    demand.update()
    if wasEmpty, wanted.headings { distribution.deliverHeading(to: session) }
  }

  private func sourceChanged(_ source: SourceDescription) {
    if !source.isOpen { diskQueue.async { [lastFix] in lastFix?.flush() } }
    reportSource()
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
