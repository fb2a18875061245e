package import HostClient
internal import HostProtocol
internal import LinuxIO
package import LocationHost
internal import Monitoring
package import Observers
internal import Quantities
package import Radio
internal import Synchronization

/// The connection to a location host that all managers of the process share.
///
/// Estimates are requested while a service of any manager runs. Starts and stops are serialized on
/// one queue. Estimates arrive on the connection's own thread and are passed to the managers on it.
package final class LocationServices: Sendable {
  /// The services of a manager created now: the process's, except in a test.
  @TaskLocal package static var current = LocationServices(
    environment: ProcessInfo.processInfo.environment)

  /// Seconds until the services try again to open a source that failed.
  package static let retry: TimeInterval = 5

  /// The clock of deadlines.
  package let clock: any HostClock
  /// The authorization of this program.
  package let authority: any AccessAuthority
  /// The program's monitoring, which all managers and monitors share.
  package let monitoring: MonitoringCenter

  /// The connection to the host.
  package let client: HostClient
  /// The source that the program named; nil where the host describes its source.
  let source: CLLocationSource?
  /// True where the source is the attached board: the environment names no other.
  let isAttachedBoard: Bool
  /// The ranging for beacons.
  let ranging: BeaconRanging
  /// The state of the calibration, and who displays it.
  let calibration = CalibrationStates()
  /// Starts and stops are serialized on it.
  let queue = DispatchQueue(label: "CoreLocation.services", qos: .userInitiated)
  private let queueMark: QueueMark
  private let statuses = ObserverList<Void>()
  private let activities = Locked(0)
  private let shared = Mutex(Shared())

  private struct Shared {
    // Changed on the queue only.
    var publisher: HostPublisher?
    var observation: Observation?
    var observations: [Observation] = []
    var retryAlarm: Observation?
    /// The demand that was sent last.
    var lastDemand: EstimateDemand?

    var consumers: [any EstimateConsumer] = []
    var waiting: [WeakConsumer] = []
    var announced: [WeakConsumer] = []
    var significantChangeConsumers: Set<ObjectIdentifier> = []
    var facts: Result<SourceFacts, SourceFault>?
    /// When the source was described last, by the clock that is never set.
    var askedAt: TimeInterval?
    /// The description that `facts` were derived from.
    var described: SourceDescription?
    /// False for a recording or a simulation.
    var isLive = true
    var sources: [CLLocationSource] = []
    var newest: CLLocation?
    var coarse = CoarseLocations()
    var lastFix: Timestamp?
  }

  private struct WeakConsumer {
    weak var consumer: (any EstimateConsumer)?
  }

  /// Makes services over a connection to a host.
  /// - Parameters:
  ///   - client: The connection.
  ///   - clock: The clock of deadlines.
  ///   - source: The source that the program named; nil where the host describes its source.
  ///   - isAttachedBoard: Whether the source is the attached board.
  ///   - isInBackground: Whether the program was started for an event.
  ///   - beacons: Receives beacons. The adapter is opened at the first use.
  package init(
    client: HostClient, clock: any HostClock = MachineClock(), source: CLLocationSource? = nil,
    isAttachedBoard: Bool = false, isInBackground: Bool = false,
    beacons: BeaconService = BeaconService()
  ) {
    (self.client, self.clock, self.source) = (client, clock, source)
    self.isAttachedBoard = isAttachedBoard
    ranging = BeaconRanging(beacons, queue: queue, clock: clock)
    authority = HostAuthority(client, isInBackground: isInBackground)
    monitoring = MonitoringCenter(host: client.monitoring)
    queueMark = QueueMark(queue)
    let observations = [
      authority.observe { [weak self] in self?.authorityHasChanged() },
      client.observeSource { [weak self] _ in self?.sourceHasChanged() },
      client.observeNotices { ProgramMessages.say($0) },
      client.publisher.observeCalibration { [weak self] in self?.calibrationHasChanged() },
    ]
    shared.withLock { $0.observations = observations }
  }

  /// Makes the services that the environment selects: those of the daemon where one serves this
  /// machine, else those of a host in this process. The one replaces the other when the daemon
  /// starts or stops.
  package convenience init(environment: [String: String]) {
    if let fault = ProcessHost.fault(of: environment) {
      ProgramMessages.say("\(fault)")
    }
    let value = environment[ProcessHost.sourceVariable] ?? ""
    let isAttachedBoard = value.isEmpty || value == ProcessHost.daemonChoice
    let name = ApplicationIdentity.identifier(environment: environment)
    let host = ProcessHost.make(environment: environment)
    self.init(
      client: isAttachedBoard
        ? Self.client(name, environment, standIn: host) : HostClient(application: name, host: host),
      isAttachedBoard: isAttachedBoard,
      isInBackground: ApplicationIdentity.isLaunchedForLocation(environment: environment))
  }

  private static func client(
    _ application: String, _ environment: [String: String], standIn host: LocationHost
  ) -> HostClient {
    do throws(HostError) {
      let client = try HostClient(
        application: application, environment: environment, standIn: host)
      // A running daemon has the sensors: reported before opening the board fails as busy.
      if let fault = client.daemonFault {
        ProgramMessages.say("\(fault)")
      }
      return client
    } catch {
      ProgramMessages.say("\(error)")
      return HostClient(application: application, host: host)
    }
  }

  // MARK: Managers

  /// Reports the authorization to the consumer, now and at each change.
  func announce(to consumer: any EstimateConsumer) {
    shared.withLock { $0.announced.append(WeakConsumer(consumer: consumer)) }
    queue.async { [self] in consumer.authorizationIsKnown(status) }
  }

  /// Starts the estimates for a consumer; they wait until the authorization is determined.
  package func attach(_ consumer: any EstimateConsumer) {
    queue.async { [self] in
      guard consumer.isActive else { return }
      switch authority.authorization {
      case .notDetermined:
        shared.withLock { shared in
          shared.waiting.removeAll { $0.consumer == nil || $0.consumer === consumer }
          shared.waiting.append(WeakConsumer(consumer: consumer))
        }
        serveHeadings(to: consumer)
      case .restricted, .denied: refuse(consumer, refusal)
      case .authorizedAlways, .authorizedWhenInUse:
        serve(consumer)
      }
    }
  }

  /// Ends the services of a consumer that has no access, except for magnetic headings.
  private func refuse(_ consumer: any EstimateConsumer, _ error: CLError) {
    guard givesHeadings(to: consumer), case .success = open() else {
      return consumer.sourceFailed(error)
    }
    if consumer.demand.fixes { consumer.locationFailed(error) }
    serveHeadings(to: consumer)
  }

  /// Whether a consumer receives magnetic headings without the authorization.
  private func givesHeadings(to consumer: any EstimateConsumer) -> Bool {
    authority.permitsMagneticHeadings && consumer.demand.magneticHeadings == true
  }

  private func serveHeadings(to consumer: any EstimateConsumer) {
    guard givesHeadings(to: consumer), case .success(let publisher) = open() else { return }
    add(consumer)
    consumer.headingsReady(latest: publisher.latest)
  }

  private func serve(_ consumer: any EstimateConsumer) {
    switch open() {
    case .failure(let error):
      consumer.sourceFailed(error.denial)
    case .success(let publisher):
      add(consumer)
      reportReady(consumer, publisher)
    }
  }

  private func reportReady(_ consumer: any EstimateConsumer, _ publisher: HostPublisher) {
    consumer.sourceReady(
      hasReceiver: publisher.hasReceiver,
      known: knownLocation(isCoarse: consumer.wantsCoarseLocations), latest: publisher.latest)
  }

  /// Gives a consumer the estimates of the open source.
  func add(_ consumer: any EstimateConsumer) {
    shared.withLock { shared in
      guard !shared.consumers.contains(where: { $0 === consumer }) else { return }
      shared.consumers.append(consumer)
    }
    demandHasChanged()
  }

  /// Removes a consumer whose services have ended. After the last consumer the source is released.
  package func detach(_ consumer: any EstimateConsumer) {
    queue.async { [self] in
      // The consumer may have started a service again meanwhile.
      guard !consumer.isActive else { return }
      shared.withLock { $0.consumers.removeAll { $0 === consumer } }
      demandHasChanged()
      releaseIfUnused()
    }
  }

  /// Removes a consumer that is deinitialized.
  func forget(_ consumer: any EstimateConsumer) {
    shared.withLock { shared in
      shared.announced.removeAll { $0.consumer == nil || $0.consumer === consumer }
      shared.significantChangeConsumers.remove(ObjectIdentifier(consumer))
    }
    detach(consumer)
  }

  /// Calls `body` on the queue when the status may have changed.
  func observeStatus(_ body: @escaping @Sendable () -> Void) -> Observation {
    statuses.add { _ in body() }
  }

  /// Asks the host to store fixes for the program while it is stopped.
  package func holdActivity() -> Observation {
    let held = Locked<HostLease?>(client.requestLease())
    activities.withLock { $0 += 1 }
    return Observation { [activities] in
      let lease = held.withLock { held in
        defer { held = nil }
        return held
      }
      if lease != nil { activities.withLock { $0 -= 1 } }
    }
  }

  /// True while fixes are stored for the program.
  var isActivityHeld: Bool { activities.withLock { $0 > 0 } }

  /// Runs `body` on the queue, after all earlier starts and stops, and returns after it.
  private func onQueue<Result>(_ body: () -> Result) -> Result {
    queueMark.isHere ? body() : queue.sync(execute: body)
  }

  /// True while the host's source is open, for tests.
  package var isOpen: Bool { queue.sync { client.source.isOpen } }
}

extension LocationServices {
  /// Sends the combined demand of all running services to the host, if it has changed. The receiver
  /// saves power as far as all of them permit.
  func demandHasChanged() {
    queue.async { [self] in
      let consumers = shared.withLock { $0.consumers }.filter(\.isActive)
      var demand = EstimateDemand()
      let calibrates = calibration.isWanted
      demand.headings = calibrates || consumers.contains { $0.demand.headings }
      if consumers.contains(where: { $0.demand.magneticHeadings == true }) {
        demand.magneticHeadings = true
      }
      let fixes = consumers.reduce(FixDemand.none) { FixDemand.most($0, $1.demand.fixDemand) }
      demand.fixes = consumers.contains { $0.demand.fixes }
      if case .every(let seconds) = fixes { demand.fixInterval = seconds }
      demand.motion = Activity.common(
        of: Set(consumers.map(\.demand).filter(\.fixes).map(\.motion)))
      let publisher = shared.withLock { [demand] shared -> HostPublisher? in
        guard calibrates || !consumers.isEmpty, demand != shared.lastDemand else { return nil }
        if shared.publisher != nil { shared.lastDemand = demand }
        return shared.publisher
      }
      publisher?.setDemand(demand)
    }
  }
}

/// Estimates: requested and released on the queue, received on the connection's own thread.
extension LocationServices {
  /// Reads the description of the source. A host that opens its source on demand opens it for some
  /// seconds.
  func probe() -> Result<SourceFacts, SourceFault> { record(client.openSource()) }

  private var publisher: HostPublisher? { shared.withLock { $0.publisher } }

  /// Requests estimates.
  func open() -> Result<HostPublisher, SourceFault> {
    if let publisher { return .success(publisher) }
    let publisher = client.publisher
    shared.withLock { $0.lastFix = nil }
    // The first observer sends the publisher's demand to the host.
    let observation = publisher.observe { [weak self] in self?.receive($0) }
    switch record(client.source) {
    case .failure(let fault):
      observation.cancel()
      return .failure(fault)
    case .success:
      shared.withLock { ($0.publisher, $0.observation) = (publisher, observation) }
      return .success(publisher)
    }
  }

  /// Retries while a manager or session exists, to find a board that is plugged in.
  private func scheduleRetry() {
    let alarm = clock.alarm(after: Self.retry) { [weak self] in
      guard let self else { return }
      queue.async { [self] in
        let hasManagers = shared.withLock { $0.announced.contains { $0.consumer != nil } }
        let hasConsumers = hasManagers || statuses.count > 0
        if publisher == nil, hasConsumers { _ = probe() }
      }
    }
    shared.withLock { $0.retryAlarm = alarm }
  }

  /// The source of the estimates has changed: a board was plugged in or removed, or another host
  /// serves.
  private func sourceHasChanged() {
    queue.async { [self] in
      calibrationHasChanged()
      // A host that opens its source on demand also reports the closed source, which is no change.
      guard let publisher, client.source.isOpen || client.source.failure == nil,
        client.source != shared.withLock({ $0.described })
      else { return }
      _ = record(client.source)
      let isAuthorized = authority.authorization.isAuthorized
      for consumer in shared.withLock({ $0.consumers }) {
        if isAuthorized {
          reportReady(consumer, publisher)
        } else {
          consumer.headingsReady(latest: publisher.latest)
        }
      }
    }
  }

  /// Stores the description of the source and reports the authorization that follows from it.
  private func record(_ source: SourceDescription) -> Result<SourceFacts, SourceFault> {
    let facts: Result<SourceFacts, SourceFault>
    if let failure = source.failure {
      let fault = SourceFault(source.fault ?? "", mayPass: failure == .passing, client.daemonFault)
      facts = .failure(fault)
      if fault.mayPass { scheduleRetry() }
    } else {
      facts = .success(SourceFacts(source))
    }
    let sources = sources(of: source)
    let now = clock.uptime
    let consumers = shared.withLock { shared in
      (shared.isLive, shared.sources) = (source.isLive, sources)
      (shared.facts, shared.askedAt, shared.described) = (facts, now, source)
      return shared.announced.compactMap(\.consumer)
    }
    let status = self.status
    for consumer in consumers { consumer.authorizationIsKnown(status) }
    statuses.notify(())
    return facts
  }

  /// The origins of the positions of a source.
  func sources(of description: SourceDescription) -> [CLLocationSource] {
    if let source { return [source] }
    return description.position.map { [CLLocationSource($0)] } ?? []
  }

  func releaseIfUnused() {
    guard !calibration.isWanted else { return }
    let observation = shared.withLock { shared -> Observation? in
      guard shared.consumers.isEmpty else { return nil }
      defer { (shared.observation, shared.publisher, shared.lastDemand) = (nil, nil, nil) }
      return shared.observation
    }
    observation?.cancel()
  }

  // MARK: On the connection's thread

  private func receive(_ estimate: Estimate) {
    let now = clock.now()
    // The first estimate may come before the source is described.
    let named = source.map { [$0] }
    let (fix, consumers) = shared.withLock { shared in
      var fix: CLLocation?
      if let stamp = estimate.fixTimestamp, stamp != shared.lastFix,
        let values = LocationValues(
          estimate, receivedAt: now, isLive: shared.isLive, sources: named ?? shared.sources)
      {
        fix = CLLocation(values)
        (shared.lastFix, shared.newest) = (stamp, fix)
      }
      return (fix, shared.consumers)
    }
    for consumer in consumers {
      let isCoarse = consumer.wantsCoarseLocations
      consumer.receive(estimate, fix: fix.map { isCoarse ? coarse($0) : $0 }, at: now)
    }
  }
}

/// The facts of the source, the authorization and the last location.
extension LocationServices {
  /// The capabilities of the source, or why there is none. The first call opens the source.
  package func facts() -> Result<SourceFacts, SourceFault> {
    let now = clock.uptime
    let known = shared.withLock { shared -> Result<SourceFacts, SourceFault>? in
      if case .failure? = shared.facts, shared.askedAt.map({ now - $0 >= Self.retry }) ?? true {
        return nil
      }
      return shared.facts
    }
    if let known { return known }
    // The authority calls this from the queue as well.
    return onQueue { probe() }
  }

  /// The authorization of this program; `denied` without a source.
  package var status: CLAuthorizationStatus {
    let allowed = authority.authorization
    // A source is opened only for an authorized program.
    return allowed.isAuthorized && !hasSource ? .denied : allowed
  }

  /// Whether there is a source; an authorized program opens it.
  var hasSource: Bool { if case .success = facts() { true } else { false } }

  /// The newest fix of this process, else the last one of this machine; nil for a program without
  /// authorization.
  package func lastKnownLocation() -> CLLocation? {
    guard authority.authorization.isAuthorized else { return nil }
    if let newest = shared.withLock({ $0.newest }) { return newest }
    guard let fix = client.lastFix,
      // With a named source, the stored fix is of that source.
      let values = LocationValues(
        fix, receivedAt: clock.now(), isLive: client.source.isLive,
        sources: source.map { [$0] } ?? [])
    else { return nil }
    return shared.withLock { shared in
      // The same object for the same fix.
      if shared.newest == nil { shared.newest = CLLocation(values) }
      return shared.newest
    }
  }
}

// Locations of managers that ask for reduced accuracy.
extension LocationServices {
  /// The newest location.
  /// - Parameter isCoarse: Whether it is for a manager that asks for reduced accuracy.
  /// - Returns: nil without a location.
  func knownLocation(isCoarse: Bool) -> CLLocation? {
    lastKnownLocation().map { location($0, isCoarse: isCoarse) }
  }

  /// A location from before for a manager: in reduced accuracy where it asks for that.
  func location(_ known: CLLocation, isCoarse: Bool) -> CLLocation {
    guard isCoarse, authority.accuracy == .fullAccuracy else { return known }
    return shared.withLock { $0.coarse.known(known) }
  }

  /// The location of a new fix; under reduced accuracy the host has given a coarse one.
  private func coarse(_ fix: CLLocation) -> CLLocation {
    guard authority.accuracy == .fullAccuracy else { return fix }
    return shared.withLock { $0.coarse.process(fix) }
  }
}

extension LocationServices {
  /// The authorization has changed: starts the waiting consumers, or ends all with an error.
  func authorityHasChanged() {
    queue.async { [self] in
      let status = self.status
      let (announced, waiting, consumers) = shared.withLock { shared in
        defer { if status != .notDetermined { shared.waiting = [] } }
        // The host reports the last fix according to the new access.
        (shared.newest, shared.lastFix) = (nil, nil)
        return (shared.announced, shared.waiting, shared.consumers)
      }
      for weak in announced { weak.consumer?.authorizationIsKnown(status) }
      statuses.notify(())
      guard status != .notDetermined else {
        for weak in waiting { if let consumer = weak.consumer { serveHeadings(to: consumer) } }
        return
      }
      for weak in waiting { if let consumer = weak.consumer { attach(consumer) } }
      ranging.accessHasChanged()
      guard !status.isAuthorized else { return }
      shared.withLock { $0.consumers = [] }
      for consumer in consumers { refuse(consumer, refusal) }
      releaseIfUnused()
    }
  }

  /// Requests an authorization. The observers of the authority receive the decision.
  func requestAuthorization(_ wanted: CLAuthorizationStatus) {
    queue.async { [self] in authority.request(wanted) }
  }

  /// The error of a program that the administrator has restricted.
  var restriction: CLError {
    refusal(authority.restriction ?? "the policy restricts location services for this program")
  }

  /// The error of a program that is denied, with the reason of the source where there is one.
  package var denial: CLError {
    if let reason = authority.restriction { return refusal(reason) }
    guard authority.isEnabled else {
      return refusal("location services are switched off by the policy")
    }
    if case .failure(let error) = facts() { return error.denial }
    return refusal("the policy denies this program its location")
  }

  /// The error of a program that is restricted or denied.
  var refusal: CLError { status == .restricted ? restriction : denial }

  func refusal(_ reason: String, _ code: CLError.Code = .denied) -> CLError {
    CLError(code, userInfo: [NSLocalizedDescriptionKey: reason])
  }
}

// The interface of the program's monitoring for its managers.
extension LocationServices {
  /// Subscribes a session to events of regions and visits. Waiting events are delivered at once.
  func listen(_ session: ManagerSession) {
    queue.async { [self, weak session] in
      let observation = monitoring.listenForRegions { [weak session] event in
        session?.receive(event)
      }
      session?.store(observation)
    }
  }

  /// Subscribes a session to significant changes.
  func joinSignificantChanges(_ session: ManagerSession) {
    let key = ObjectIdentifier(session)
    shared.withLock { _ = $0.significantChangeConsumers.insert(key) }
    queue.async { [self, weak session] in
      // A service that runs already does not report its first place again.
      // A delegate that is set later joins again.
      if monitoring.registrations().significantChanges, let session,
        let known = knownLocation(isCoarse: session.wantsCoarseLocations)
      {
        session.post { state in
          if state.hasDelegate { state.delegateQueue.post(.locations([known])) }
        }
      }
      let observation = monitoring.listenForSignificantChanges { [weak session] event in
        session?.receive(event)
      }
      session?.storeSignificantChanges(observation)
    }
  }

  /// Removes a session from the users of significant changes.
  /// - Returns: True where no session uses them any more.
  func leaveSignificantChanges(_ session: ManagerSession) -> Bool {
    let key = ObjectIdentifier(session)
    return shared.withLock { shared in
      shared.significantChangeConsumers.remove(key)
      return shared.significantChangeConsumers.isEmpty
    }
  }

  /// Performs a command of monitoring, once the authorization is determined, after all earlier
  /// starts and stops. A change is stored when this returns.
  /// - Parameters:
  ///   - command: The command.
  ///   - refused: Called with the reason where the program is not authorized, or the command can
  ///     never be executed.
  func monitor(_ command: MonitoringCommand, refused: @escaping @Sendable (CLError) -> Void) {
    onQueue {
      if let error = missingSource(for: command) { return refused(error) }
      client.monitoring.perform(command) { fault in
        let code: CLError.Code = fault.code == .access ? .denied : .regionMonitoringFailure
        refused(
          CLError(
            code,
            userInfo: [NSLocalizedDescriptionKey: fault.message, NSUnderlyingErrorKey: fault]))
      }
    }
  }

  /// Why a service cannot begin on this machine, as `status` and `isMonitoringAvailable` say; nil
  /// where it can, and where the access decides.
  private func missingSource(for command: MonitoringCommand) -> CLError? {
    guard authority.authorization.isAuthorized else { return nil }
    switch command {
    case .startRegion, .requestState, .startVisits, .startSignificantChanges: break
    default: return nil
    }
    switch facts() {
    case .failure(let fault): return fault.denial
    case .success(let facts):
      guard case .startRegion(let region) = command, case .circle = region.condition,
        !facts.hasReceiver
      else { return nil }
      return refusal(
        "the region cannot be monitored: this machine has no source of positions; add a receiver to "
          + "the board file", .regionMonitoringFailure)
    }
  }

  /// The monitored regions, those of earlier runs included.
  var monitoredRegions: Set<CLRegion> {
    // On the queue, after all earlier commands.
    let regions = queue.sync { monitoring.registrations().regions }
    return Set(regions.values.map(CLRegion.make))
  }
}
