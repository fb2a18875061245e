package import HostProtocol
internal import LinuxIO
internal import Observers
package import Quantities

/// The service behind one loop over live updates.
///
/// The services own it while it runs. The loop owns only the stream, whose end closes the service.
package final class LiveUpdates: EstimateConsumer {
  /// The kind of motion for the motion model.
  package let activity: CLActivityType
  private let services: LocationServices
  private let state: Locked<State>
  private let waiting: Waiting

  /// The maximum number of updates that wait for a slow loop; the oldest are dropped.
  static let backlog = 16
  /// The same while a lease is held: the program may be stopped, and the daemon stores as many.
  static let leasedBacklog = 3600

  /// Updates that wait for the loop.
  private typealias Waiting = Locked<[CLLocationUpdate]>

  /// The part that a loop owns.
  struct Loop {
    fileprivate let waiting: Locked<[CLLocationUpdate]>
    /// Yields after an update was added; its end closes the service.
    fileprivate var signal: AsyncStream<Void>.Iterator

    /// The next update, once there is one; nil where the task was cancelled.
    mutating func next() async -> CLLocationUpdate? {
      while true {
        let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let first, !Task.isCancelled { return first }
        // In a cancelled task this ends the signal stream, and with it the service.
        guard await signal.next() != nil, !Task.isCancelled else { return nil }
      }
    }
  }

  private struct State {
    var rules: LiveUpdateRules
    var isOpen = true
    var signal: AsyncStream<Void>.Continuation
    var observation: Observation?
    var fixTimeoutAlarm: Observation?
    var retryAlarm: Observation?
  }

  /// Starts a service.
  /// - Returns: The loop's part. The newest updates wait for a slow reader.
  static func start(
    _ configuration: CLLocationUpdate.LiveConfiguration, _ services: LocationServices
  ) -> Loop {
    let (stream, signal) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let updates = LiveUpdates(configuration, services, signal)
    // The stream owns the service until it ends.
    signal.onTermination = { _ in updates.close() }
    updates.begin()
    return Loop(waiting: updates.waiting, signal: stream.makeAsyncIterator())
  }

  private init(
    _ configuration: CLLocationUpdate.LiveConfiguration, _ services: LocationServices,
    _ signal: AsyncStream<Void>.Continuation
  ) {
    activity = configuration.activity
    self.services = services
    state = Locked(State(rules: LiveUpdateRules(configuration), signal: signal))
    waiting = Waiting([])
  }

  /// True while the loop runs and the program is authorized for locations.
  package var isActive: Bool {
    state.withLock { $0.isOpen && $0.rules.isAuthorized }
  }

  /// Every fix, for the kind of motion.
  package var demand: EstimateDemand {
    var demand = EstimateDemand(fixes: true)
    demand.motion = Activity(activity)
    return demand
  }

  private func begin() {
    let authority = services.authority
    let observation = authority.observe { [weak self] in self?.authorityHasChanged() }
    state.withLock { $0.observation = observation }
    if authority.authorization == .notDetermined { authority.request(.authorizedWhenInUse) }
    authorityHasChanged()
    services.attach(self)
    setFixTimeoutAlarm(after: LocationDelivery.updateTimeout)
  }

  private func close() {
    // Released outside the lock: the end of an observation takes other locks.
    let held = state.withLock { state in
      state.isOpen = false
      defer { (state.observation, state.fixTimeoutAlarm, state.retryAlarm) = (nil, nil, nil) }
      return [state.observation, state.fixTimeoutAlarm, state.retryAlarm]
    }
    for observation in held { observation?.cancel() }
    services.forget(self)
  }

  // MARK: From the authority

  private func authorityHasChanged() {
    let obstacles = Obstacles(services.authority)
    let wasAuthorized = isActive
    yield { $0.authorityDecided(obstacles) }
    guard wasAuthorized != isActive else { return }
    if wasAuthorized { services.detach(self) } else { services.attach(self) }
  }

  // MARK: From the services

  package func authorizationIsKnown(_ status: CLAuthorizationStatus) { authorityHasChanged() }

  package func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {
    let (now, steadyNow) = (services.clock.now(), services.clock.steadyNow)
    yield { rules in
      rules.sourceReady(
        hasReceiver: hasReceiver, known: known, at: steadyNow, civilTime: now)
    }
  }

  package func sourceFailed(_ error: CLError) {
    // The authority reports its own decisions.
    guard services.authority.authorization.isAuthorized else { return }
    yield { $0.sourceFailed() }
    let retry = services.clock.alarm(after: LocationServices.retry) { [weak self] in
      guard let self else { return }
      services.attach(self)
    }
    state.withLock { if $0.isOpen { $0.retryAlarm = retry } }
  }

  package func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
    guard let fix else { return }
    let steadyNow = services.clock.steadyNow
    yield { $0.receive(fix, at: steadyNow) }
  }

  // MARK: Deadlines

  private func setFixTimeoutAlarm(after seconds: TimeInterval) {
    let alarm = services.clock.alarm(after: seconds) { [weak self] in self?.fixTimeoutIsDue() }
    state.withLock { if $0.isOpen { $0.fixTimeoutAlarm = alarm } }
  }

  private func fixTimeoutIsDue() {
    let now = services.clock.steadyNow
    yield { $0.timeHasPassed(at: now) }
    let next = state.withLock { $0.rules.nextDeadline(after: now) }
    setFixTimeoutAlarm(after: next.timeIntervalSince(now))
  }

  /// Changes the rules' state and adds the resulting update, under one lock to preserve the order.
  private func yield(_ change: (inout LiveUpdateRules) -> CLLocationUpdate?) {
    state.withLock { state in
      guard state.isOpen, let update = change(&state.rules) else { return }
      let most = services.isActivityHeld ? Self.leasedBacklog : Self.backlog
      waiting.withLock { waiting in
        waiting.append(update)
        if waiting.count > most { waiting.removeFirst(waiting.count - most) }
      }
      state.signal.yield()
    }
  }
}

extension CLLocationUpdate.LiveConfiguration {
  /// The kind of motion for the motion model.
  package var activity: CLActivityType {
    switch self {
    case .default: .other
    case .automotiveNavigation: .automotiveNavigation
    case .otherNavigation, .maritime: .otherNavigation
    case .fitness: .fitness
    case .airborne: .airborne
    }
  }
}
