internal import LinuxIO
internal import Monitoring

/// Monitors conditions, also those of earlier runs of the program, and reports when they become
/// satisfied or unsatisfied.
///
/// The conditions of a name are stored across restarts. The program creates the monitor again, with
/// the same name, to continue. There is one monitor of a name at a time, as on Apple's platforms: a
/// second one that is created while the first is in use shares its conditions and events.
///
/// No event is lost. An event is acknowledged once the loop requests the next one or ends. Until
/// then `record(for:)` returns the previous event, and a program that ends in between receives the
/// event again.
public actor CLMonitor {
  /// The name under which the conditions are stored.
  public nonisolated let name: String
  /// The events. Each goes to one loop. Events wait while no loop runs.
  ///
  /// Apple's declaration needs an `await`, and Apple's article has none. Here both compile; the
  /// first with a warning.
  public nonisolated let events: Events

  private let backend: MonitorBackend

  /// Opens the monitor of a name. Requests the authorization for locations where it is not
  /// determined.
  public init(_ name: String) async {
    let services = LocationServices.current
    self.name = name
    backend = services.monitoring.backend(named: name) {
      MonitorBackend(name: name, services: services)
    }
    events = Events(backend: backend)
    backend.requestAuthorization()
  }

  /// The names of the monitored conditions, sorted.
  public var identifiers: [String] { backend.identifiers }

  /// Monitors a condition whose state is unknown, and replaces the condition of that name. The
  /// first event reports its state.
  public func add(_ condition: any CLCondition, identifier: String) {
    backend.add(condition, identifier: identifier, assuming: .unknown)
  }

  /// Monitors a condition with an assumed state, and replaces the condition of that name. An event
  /// corrects the state if it differs.
  public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {
    backend.add(condition, identifier: identifier, assuming: state)
  }

  /// Stops monitoring the condition and removes it.
  public func remove(_ identifier: String) { backend.remove(identifier) }

  /// The condition of that name with the event that the program received last; nil without such a
  /// condition.
  public func record(for identifier: String) -> Record? { backend.record(for: identifier) }

  /// The events of a monitor. Each goes to one loop, so two loops share them.
  public struct Events: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = Event

    fileprivate let backend: MonitorBackend

    /// Begins to receive events.
    public func makeAsyncIterator() -> Iterator { Iterator(backend: backend) }

    /// Receives events. An event is acknowledged once the next one is requested or the iterator is
    /// released.
    public struct Iterator: AsyncIteratorProtocol {
      private let reader: MonitorReader

      fileprivate init(backend: MonitorBackend) { reader = MonitorReader(backend: backend) }

      /// Waits for the next event; nil where the task was cancelled.
      public mutating func next() async throws -> Event? { await reader.next() }
    }
  }
}

/// One loop over a monitor's events.
private final class MonitorReader: Sendable {
  private let backend: MonitorBackend
  private let taken = Locked<MonitorBackend.Item?>(nil)

  init(backend: MonitorBackend) { self.backend = backend }

  deinit { finishTaken() }

  func next() async -> CLMonitor.Event? {
    finishTaken()
    guard let item = await backend.next() else { return nil }
    taken.withLock { $0 = item }
    return backend.event(of: item)
  }

  private func finishTaken() {
    let item = taken.withLock { taken in
      defer { taken = nil }
      return taken
    }
    if let item { backend.finish(item) }
  }
}
