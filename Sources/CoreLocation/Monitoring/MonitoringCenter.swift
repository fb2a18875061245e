internal import LinuxIO
package import Monitoring
package import Observers
internal import Synchronization

/// Shares one monitoring host between the monitors and managers of a process.
///
/// Events of a monitor's conditions go to the listener of that monitor's name. Events of regions
/// and visits, and significant changes, go to every listener of that kind. An event without a
/// listener stays at the host, which sends it again when a listener is added. Each listener
/// receives an event once.
package final class MonitoringCenter: Sendable {
  /// The maximum number of unacknowledged events for each listener; the oldest half is removed
  /// beyond it. A host stores fewer events of one application.
  static let unacknowledgedLimit = 4096

  private let host: any MonitoringHost
  private let shared = Mutex(Shared())
  /// Serializes changes of the host's receiver, so that the newest one remains.
  private let changing = Mutex(())
  private let open = Locked<[String: WeakBackend]>([:])

  private struct Shared {
    var generation = 0
    var nextKey = 0
    var regions: [Int: Listener] = [:]
    var monitors: [String: (key: Int, listener: Listener)] = [:]
    /// Every listener's events together. It outlasts a listener, which a program may replace while it
    /// handles an event.
    var unacknowledged = EventNumbers()

    var isEmpty: Bool { regions.isEmpty && monitors.isEmpty }
  }

  private enum Audience { case regionsAndVisits, significantChanges }

  private struct Listener {
    var audience = Audience.regionsAndVisits
    var body: @Sendable (MonitoringEvent) -> Void
    var unacknowledged = EventNumbers()
  }

  /// The sequence numbers of events that were received and are not acknowledged.
  private struct EventNumbers {
    private var numbers: Set<UInt64> = []

    func contains(_ event: MonitoringEvent) -> Bool { numbers.contains(event.sequence) }

    /// Adds an event; false if it was added before.
    mutating func add(_ event: MonitoringEvent) -> Bool {
      guard numbers.insert(event.sequence).inserted else { return false }
      // The host drops old events as well.
      if numbers.count > MonitoringCenter.unacknowledgedLimit {
        numbers = Set(numbers.sorted().suffix(MonitoringCenter.unacknowledgedLimit / 2))
      }
      return true
    }

    mutating func remove(_ event: MonitoringEvent) { numbers.remove(event.sequence) }
  }

  private struct WeakBackend {
    weak var backend: MonitorBackend?
  }

  /// Makes the center of a host.
  package init(host: any MonitoringHost) { self.host = host }

  /// The current registrations.
  package func registrations() -> MonitoringRegistrations { host.registrations() }

  /// Sends a command to the host.
  package func perform(_ command: MonitoringCommand) { host.perform(command) }

  /// Acknowledges an event that the program has received; the host removes it. A second call does
  /// nothing.
  package func delivered(_ event: MonitoringEvent) {
    // The host first: a listener that is added meanwhile must not receive the event again.
    guard shared.withLock({ $0.unacknowledged.contains(event) }) else { return }
    host.perform(.acknowledge(sequence: event.sequence))
    shared.withLock { shared in
      shared.unacknowledged.remove(event)
      for key in shared.regions.keys { shared.regions[key]?.unacknowledged.remove(event) }
      for name in shared.monitors.keys {
        shared.monitors[name]?.listener.unacknowledged.remove(event)
      }
    }
  }

  /// Passes the events of regions and visits to `body`, on the host's thread.
  package func listenForRegions(
    _ body: @escaping @Sendable (MonitoringEvent) -> Void
  ) -> Observation { listen(as: .regionsAndVisits, body) }

  /// Passes significant changes to `body`, on the host's thread. They wait at the host until a
  /// manager starts the service, as after a relaunch on an iPhone.
  package func listenForSignificantChanges(
    _ body: @escaping @Sendable (MonitoringEvent) -> Void
  ) -> Observation { listen(as: .significantChanges, body) }

  private func listen(
    as audience: Audience, _ body: @escaping @Sendable (MonitoringEvent) -> Void
  ) -> Observation {
    let key = add { shared, key in
      shared.regions[key] = Listener(audience: audience, body: body)
    }
    return Observation { [weak self] in
      self?.remove { $0.regions.removeValue(forKey: key) != nil }
    }
  }

  /// Passes the events of a monitor's conditions to `body`, on the host's thread. It replaces the
  /// previous listener of that name.
  package func listen(
    toMonitor name: String, _ body: @escaping @Sendable (MonitoringEvent) -> Void
  ) -> Observation {
    let key = add(.openMonitor(name: name)) { shared, key in
      shared.monitors[name] = (key, Listener(body: body))
    }
    return Observation { [weak self] in
      self?.remove(.closeMonitor(name: name)) { shared in
        guard shared.monitors[name]?.key == key else { return false }
        return shared.monitors.removeValue(forKey: name) != nil
      }
    }
  }

  /// The open backend of the monitor of that name, else a new one.
  func backend(named name: String, _ make: () -> MonitorBackend) -> MonitorBackend {
    open.withLock { open in
      if let backend = open[name]?.backend { return backend }
      let backend = make()
      open = open.filter { $0.value.backend != nil }
      open[name] = WeakBackend(backend: backend)
      return backend
    }
  }

  // MARK: Receiving

  private func add(
    _ command: MonitoringCommand? = nil, _ listener: (inout Shared, Int) -> Void
  ) -> Int {
    changing.withLock { _ in
      if let command { host.perform(command) }
      let (key, generation) = shared.withLock { shared in
        shared.nextKey += 1
        shared.generation += 1
        listener(&shared, shared.nextKey)
        return (shared.nextKey, shared.generation)
      }
      // The host sends all events again for the new listener. The others skip those they have
      // received.
      host.deliver { [weak self] in self?.route($0, generation) }
      return key
    }
  }

  /// Removes a listener. If it was registered, performs the command.
  private func remove(
    _ command: MonitoringCommand? = nil, _ take: (inout Shared) -> Bool
  ) {
    changing.withLock { _ in
      let (wasThere, isEmpty) = shared.withLock { (take(&$0), $0.isEmpty) }
      guard wasThere else { return }
      if isEmpty { host.deliver(to: nil) }
      if let command { host.perform(command) }
    }
  }

  private func route(_ event: MonitoringEvent, _ generation: Int) {
    let bodies = shared.withLock { shared -> [@Sendable (MonitoringEvent) -> Void] in
      // A replaced receiver would pass late events to a new listener before early ones.
      guard generation == shared.generation else { return [] }
      if case .condition(let condition) = event.kind {
        let name = condition.monitor
        guard shared.monitors[name]?.listener.unacknowledged.add(event) == true else { return [] }
        _ = shared.unacknowledged.add(event)
        return [shared.monitors[name]?.listener.body].compactMap { $0 }
      }
      let audience: Audience =
        if case .significantChange = event.kind { .significantChanges } else { .regionsAndVisits }
      return shared.regions.keys.sorted().compactMap { key in
        guard shared.regions[key]?.audience == audience,
          shared.regions[key]?.unacknowledged.add(event) == true
        else { return nil }
        _ = shared.unacknowledged.add(event)
        return shared.regions[key]?.body
      }
    }
    for body in bodies { body(event) }
  }
}
