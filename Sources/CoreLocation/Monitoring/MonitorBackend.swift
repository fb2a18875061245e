internal import LinuxIO
internal import Monitoring
internal import Observers

/// The conditions of one monitor and its waiting events.
///
/// The host cannot store conditions of a type that the program defines. They are stored here and
/// reported as unsupported.
final class MonitorBackend: Sendable {
  /// The maximum number of waiting events. A host pauses a condition while its event waits, so 20
  /// conditions do not reach the limit. A dropped event stays unacknowledged at the host.
  static let limit = 1000

  private let name: String
  private let center: MonitoringCenter
  private let authority: any AccessAuthority
  /// Why the program's conditions are limited or not monitored now.
  private let obstacles: @Sendable () -> Obstacles
  private let queue = EventQueue<Item>(limit: MonitorBackend.limit)
  private let unsupported = Locked<[String: CLMonitor.Record]>([:])
  private let observation = Locked<Observation?>(nil)
  private let accessObservations = Locked<[Observation]>([])
  /// The conditions that were reported as unmonitored for the program's own obstacles.
  private let obstructed = Locked<Set<String>>([])

  /// A waiting event.
  enum Item: Sendable {
    /// An event of the host, which stores it until the acknowledgement.
    case monitored(MonitoringEvent, ConditionEvent)
    /// An event of a condition that only this process stores.
    case own(CLMonitor.Event)

    var identifier: String {
      switch self {
      case .monitored(_, let condition): condition.identifier
      case .own(let event): event.identifier
      }
    }
  }

  init(name: String, services: LocationServices) {
    (self.name, center, authority) = (name, services.monitoring, services.authority)
    obstacles = { [weak services] in services.map { Obstacles($0) } ?? .denied }
    let queue = self.queue
    let conditions = center.listen(toMonitor: name) { event in
      guard case .condition(let condition) = event.kind else { return }
      queue.append(.monitored(event, condition))
    }
    observation.withLock { $0 = conditions }
    let report: @Sendable () -> Void = { [weak self] in
      // Not on the connection's thread: the host is asked what is registered.
      DispatchQueue.global().async { [weak self] in self?.reportObstacles() }
    }
    let observations = [authority.observe(report), services.observeStatus(report)]
    accessObservations.withLock { $0 = observations }
  }

  // MARK: Conditions

  var identifiers: [String] {
    let monitored = center.registrations().monitors[name]?.keys.map { $0 } ?? []
    return Set(monitored).union(unsupported.withLock { $0.keys.map { $0 } }).sorted()
  }

  func add(_ condition: any CLCondition, identifier: String, assuming state: CLMonitoringState) {
    dropEvents(of: identifier)
    guard let monitored = MonitoredCondition(condition) else {
      center.perform(.removeCondition(monitor: name, identifier: identifier))
      addUnsupported(condition, identifier)
      return
    }
    unsupported.withLock { _ = $0.removeValue(forKey: identifier) }
    obstructed.withLock { _ = $0.remove(identifier) }
    center.perform(
      .addCondition(
        monitor: name, identifier: identifier, condition: monitored, assuming: state.condition))
    reportObstacles(of: [identifier: monitored])
  }

  func remove(_ identifier: String) {
    dropEvents(of: identifier)
    obstructed.withLock { _ = $0.remove(identifier) }
    unsupported.withLock { _ = $0.removeValue(forKey: identifier) }
    center.perform(.removeCondition(monitor: name, identifier: identifier))
  }

  func record(for identifier: String) -> CLMonitor.Record? {
    if let record = unsupported.withLock({ $0[identifier] }) { return record }
    guard let record = center.registrations().monitors[name]?[identifier],
      let condition = record.condition.condition
    else { return nil }
    return CLMonitor.Record(
      condition: condition,
      lastEvent: CLMonitor.Event(record.lastEvent, obstacles: obstacles()))
  }

  func requestAuthorization() {
    if authority.authorization == .notDetermined { authority.request(.authorizedWhenInUse) }
  }

  /// Reports each condition as unmonitored where the program has no authorization or no source, or
  /// no full accuracy for a condition that needs it; after that its last state again.
  /// - Parameter added: New conditions; nil where the obstacles may have changed.
  private func reportObstacles(of added: [String: MonitoredCondition]? = nil) {
    let obstacles = self.obstacles()
    let records = center.registrations().monitors[name] ?? [:]
    let conditions = added ?? records.mapValues(\.condition)
    let blocked: Set<String>
    if !obstacles.isDisjoint(with: [.denied, .deniedGlobally, .restricted]) {
      blocked = Set(added.map { Array($0.keys) } ?? identifiers)
    } else if obstacles.contains(.accuracyLimited) {
      let limited = conditions.filter {
        !$0.value.isDecidable(accuracyMetres: ReducedAccuracyGrid.radiusMetres)
      }
      blocked = Set(limited.keys)
    } else {
      blocked = []
    }
    let (begun, ended) = obstructed.withLock { obstructed in
      let begun = blocked.subtracting(obstructed)
      let ended = added == nil ? obstructed.subtracting(blocked) : []
      obstructed = obstructed.union(begun).subtracting(ended)
      return (begun.sorted(), ended.sorted())
    }
    for identifier in begun {
      queue.append(
        .own(
          CLMonitor.Event(
            identifier: identifier, state: .unmonitored, date: Date(), obstacles: obstacles)))
    }
    for identifier in ended {
      guard let last = records[identifier]?.lastEvent, last.state != .unknown else { continue }
      queue.append(.own(CLMonitor.Event(last, obstacles: obstacles)))
    }
  }

  private func addUnsupported(_ condition: any CLCondition, _ identifier: String) {
    let before = CLMonitor.Event(
      identifier: identifier, state: .unknown, date: Date(), obstacles: [])
    unsupported.withLock { $0[identifier] = .init(condition: condition, lastEvent: before) }
    queue.append(
      .own(
        CLMonitor.Event(
          identifier: identifier, state: .unmonitored, date: before.date,
          obstacles: .conditionUnsupported)))
  }

  /// Drops the waiting events of a condition that is replaced or removed.
  private func dropEvents(of identifier: String) {
    for item in queue.removeAll(where: { $0.identifier == identifier }) { finish(item) }
  }

  // MARK: Events

  /// Waits for the next event; nil where the task was cancelled.
  func next() async -> Item? { await queue.next() }

  func event(of item: Item) -> CLMonitor.Event {
    switch item {
    case .own(let event): event
    case .monitored(_, let condition):
      CLMonitor.Event(condition, obstacles: obstacles())
    }
  }

  /// The program has received the event: acknowledges it.
  func finish(_ item: Item) {
    switch item {
    case .monitored(let event, _): center.delivered(event)
    case .own(let event):
      unsupported.withLock { unsupported in
        guard let record = unsupported[event.identifier] else { return }
        unsupported[event.identifier] = .init(condition: record.condition, lastEvent: event)
      }
    }
  }
}
