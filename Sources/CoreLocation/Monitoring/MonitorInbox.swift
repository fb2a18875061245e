internal import Engine
internal import Monitoring

/// The conditions of one monitor and the events that wait for its program.
///
/// Conditions that the host cannot have, being of a type of the program's own, are kept here and told as
/// unsupported.
final class MonitorInbox: Sendable {
  /// Events that may wait for a program that does not ask. A host halts the monitoring of a condition
  /// whose event waits, so 20 conditions do not get here; what goes first stays with the host.
  static let limit = 1000

  private let name: String
  private let center: MonitoringCenter
  private let authority: any AccessAuthority
  private let waiting = WaitingLine<Item>(limit: MonitorInbox.limit)
  private let foreign = Locked<[String: CLMonitor.Record]>([:])
  private let observation = Locked<Observation?>(nil)
  private let accessObservation = Locked<Observation?>(nil)

  /// An event that waits.
  enum Item: Sendable {
    /// One of the host's, which it keeps until it is acknowledged.
    case monitored(MonitoringEvent, ConditionEvent)
    /// One of a condition that only this process knows.
    case own(CLMonitor.Event)

    var identifier: String {
      switch self {
      case .monitored(_, let condition): condition.identifier
      case .own(let event): event.identifier
      }
    }
  }

  init(name: String, center: MonitoringCenter, authority: any AccessAuthority) {
    (self.name, self.center, self.authority) = (name, center, authority)
    let waiting = self.waiting
    let listening = center.listen(toMonitor: name) { event in
      guard case .condition(let condition) = event.kind else { return }
      waiting.append(.monitored(event, condition))
    }
    observation.withLock { $0 = listening }
    let access = authority.observe { [weak self] in self?.tellObstacles() }
    accessObservation.withLock { $0 = access }
  }

  // MARK: Conditions

  var identifiers: [String] {
    let monitored = center.registrations().monitors[name]?.keys.map { $0 } ?? []
    return Set(monitored).union(foreign.withLock { $0.keys.map { $0 } }).sorted()
  }

  func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitoringState) {
    forgetEvents(of: identifier)
    guard let monitored = MonitoredCondition(condition) else {
      center.perform(.removeCondition(monitor: name, identifier: identifier))
      addForeign(condition, identifier)
      return
    }
    foreign.withLock { _ = $0.removeValue(forKey: identifier) }
    center.perform(
      .addCondition(
        monitor: name, identifier: identifier, condition: monitored, assuming: state.condition))
    tellObstacles(of: [identifier])
  }

  func remove(_ identifier: String) {
    forgetEvents(of: identifier)
    foreign.withLock { _ = $0.removeValue(forKey: identifier) }
    center.perform(.removeCondition(monitor: name, identifier: identifier))
  }

  func record(for identifier: String) -> CLMonitor.Record? {
    if let record = foreign.withLock({ $0[identifier] }) { return record }
    guard let record = center.registrations().monitors[name]?[identifier],
      let condition = record.condition.condition
    else { return nil }
    return CLMonitor.Record(
      condition: condition,
      lastEvent: CLMonitor.Event(record.lastEvent, obstacles: Obstacles(authority)))
  }

  func askForAuthorization() {
    if authority.authorization == .notDetermined { authority.request(.authorizedWhenInUse) }
  }

  /// A program that may not know its place is told so for each condition, instead of hearing nothing.
  private func tellObstacles(of identifiers: [String]? = nil) {
    let obstacles = Obstacles(authority)
    guard !obstacles.isDisjoint(with: [.denied, .deniedGlobally, .restricted]) else { return }
    for identifier in identifiers ?? self.identifiers {
      waiting.append(
        .own(
          CLMonitor.Event(
            identifier: identifier, state: .unmonitored, date: Date(), obstacles: obstacles)))
    }
  }

  private func addForeign(_ condition: any CLCondition, _ identifier: String) {
    let before = CLMonitor.Event(
      identifier: identifier, state: .unknown, date: Date(), obstacles: [])
    foreign.withLock { $0[identifier] = .init(condition: condition, lastEvent: before) }
    waiting.append(
      .own(
        CLMonitor.Event(
          identifier: identifier, state: .unmonitored, date: before.date,
          obstacles: .conditionUnsupported)))
  }

  /// What waits of a condition is not of the one that takes its name.
  private func forgetEvents(of identifier: String) {
    for item in waiting.removeAll(where: { $0.identifier == identifier }) { finish(item) }
  }

  // MARK: Events

  /// The next event, once there is one; nil where the task was cancelled.
  func next() async -> Item? { await waiting.next() }

  func event(of item: Item) -> CLMonitor.Event {
    switch item {
    case .own(let event): event
    case .monitored(_, let condition):
      CLMonitor.Event(condition, obstacles: Obstacles(authority))
    }
  }

  /// The program has been told the event.
  func finish(_ item: Item) {
    switch item {
    case .monitored(let event, _): center.delivered(event)
    case .own(let event):
      foreign.withLock { foreign in
        guard let record = foreign[event.identifier] else { return }
        foreign[event.identifier] = .init(condition: record.condition, lastEvent: event)
      }
    }
  }
}
