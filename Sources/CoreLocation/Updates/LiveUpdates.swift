internal import Engine
package import Quantities

/// The service behind one loop over live updates.
///
/// It belongs to the services while it runs and to nobody afterwards: the loop holds only the stream, and
/// its end closes the service.
package final class LiveUpdates: ServiceUser, @unchecked Sendable {
  /// What the motion model is to take the device for.
  package let activity: CLActivityType
  private let services: LocationServices
  private let state: Locked<State>
  private let waiting: Waiting

  /// Updates that may wait for a slow loop; the oldest go first.
  static let backlog = 16
  /// The same while an activity is held: the program may be stopped, and the daemon keeps as many for it.
  static let leasedBacklog = 3600

  /// Updates that wait for the loop.
  private typealias Waiting = Locked<[CLLocationUpdate]>

  /// What a loop holds.
  struct Loop {
    fileprivate let waiting: Locked<[CLLocationUpdate]>
    /// Rings where something waits; its end closes the service.
    fileprivate var bell: AsyncStream<Void>.Iterator

    /// The next update, once there is one; nil where the task was cancelled.
    mutating func next() async -> CLLocationUpdate? {
      while true {
        let first = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let first, !Task.isCancelled { return first }
        // In a cancelled task this ends the bell, and with it the service.
        guard await bell.next() != nil, !Task.isCancelled else { return nil }
      }
    }
  }

  private struct State {
    var rules: LiveUpdateRules
    var isOpen = true
    var bell: AsyncStream<Void>.Continuation
    var observation: Observation?
    var dryAlarm: Observation?
    var retryAlarm: Observation?
  }

  /// Starts a service.
  /// - Returns: What hands its updates out, the newest of which wait for a slow reader.
  static func start(
    _ configuration: CLLocationUpdate.LiveConfiguration, _ services: LocationServices
  ) -> Loop {
    let (stream, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let updates = LiveUpdates(configuration, services, bell)
    // The stream's end, not the loop's reference, keeps the service until then.
    bell.onTermination = { _ in updates.close() }
    updates.begin()
    return Loop(waiting: updates.waiting, bell: stream.makeAsyncIterator())
  }

  private init(
    _ configuration: CLLocationUpdate.LiveConfiguration, _ services: LocationServices,
    _ bell: AsyncStream<Void>.Continuation
  ) {
    activity = configuration.activity
    self.services = services
    state = Locked(State(rules: LiveUpdateRules(configuration), bell: bell))
    waiting = Waiting([])
  }

  /// True while the loop goes on and the program may know locations.
  package var isActive: Bool {
    state.withLock { $0.isOpen && $0.rules.isAuthorized }
  }

  private func begin() {
    let authority = services.authority
    let observation = authority.observe { [weak self] in self?.authorityHasChanged() }
    state.withLock { $0.observation = observation }
    if authority.authorization == .notDetermined { authority.request(.authorizedWhenInUse) }
    authorityHasChanged()
    services.attach(self)
    setDryAlarm(after: LocationDelivery.updatePatience)
  }

  private func close() {
    // The references leave the lock before they can be the last ones.
    let held = state.withLock { state in
      state.isOpen = false
      defer { (state.observation, state.dryAlarm, state.retryAlarm) = (nil, nil, nil) }
      return [state.observation, state.dryAlarm, state.retryAlarm]
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
    let now = services.clock.now()
    yield { rules in
      rules.sourceReady(hasReceiver: hasReceiver, known: known, at: now)
    }
  }

  package func sourceFailed(_ error: CLError) {
    // What the authority decides it tells itself.
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
    yield { $0.receive(fix, at: now) }
  }

  // MARK: Deadlines

  private func setDryAlarm(after seconds: TimeInterval) {
    let alarm = services.clock.alarm(after: seconds) { [weak self] in self?.dryIsDue() }
    state.withLock { if $0.isOpen { $0.dryAlarm = alarm } }
  }

  private func dryIsDue() {
    let now = services.clock.now()
    yield { $0.timeHasPassed(at: now) }
    let next = state.withLock { $0.rules.nextDeadline(after: now) }
    setDryAlarm(after: next.timeIntervalSince(now))
  }

  /// Changes the rules' state and hands over what comes of it, in that order for every thread.
  private func yield(_ change: (inout LiveUpdateRules) -> CLLocationUpdate?) {
    state.withLock { state in
      guard state.isOpen, let update = change(&state.rules) else { return }
      let most = services.isActivityHeld ? Self.leasedBacklog : Self.backlog
      waiting.withLock { waiting in
        waiting.append(update)
        if waiting.count > most { waiting.removeFirst(waiting.count - most) }
      }
      state.bell.yield()
    }
  }
}

extension CLLocationUpdate.LiveConfiguration {
  /// What the motion model is to take the device for.
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
