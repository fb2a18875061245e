package import Engine
package import Monitoring

/// Shares one host of monitoring between the monitors and managers of a process.
///
/// The events of a monitor's conditions go to the listener of that name, those of regions and visits, and
/// significant changes, to every listener for these. An event that nobody listens for stays with the host,
/// which hands it over again once a listener appears; each listener hears an event once.
package final class MonitoringCenter: Sendable {
  /// Events that a listener may leave unacknowledged before the oldest are forgotten: above what a host
  /// keeps of one application.
  static let remembered = 4096

  private let host: any MonitoringHost
  private let shared = Locked(Shared())
  /// Held while the host's receiver is changed, so that the newest is the one that stays.
  private let changing = NSLock()
  private let open = Locked<[String: WeakInbox]>([:])

  private struct Shared {
    var generation = 0
    var nextKey = 0
    var regions: [Int: Listener] = [:]
    var monitors: [String: (key: Int, listener: Listener)] = [:]

    var isEmpty: Bool { regions.isEmpty && monitors.isEmpty }
  }

  private enum Audience { case regionsAndVisits, significantChanges }

  private struct Listener {
    var audience = Audience.regionsAndVisits
    var body: @Sendable (MonitoringEvent) -> Void
    /// Events that it was told and that were not acknowledged yet.
    var told: Set<UInt64> = []

    /// Notes that it is told the event; false where it was before.
    mutating func takes(_ event: MonitoringEvent) -> Bool {
      guard told.insert(event.sequence).inserted else { return false }
      // The host forgets what it cannot keep; so is it here, oldest first.
      if told.count > MonitoringCenter.remembered {
        told = Set(told.sorted().suffix(MonitoringCenter.remembered / 2))
      }
      return true
    }
  }

  private struct WeakInbox {
    weak var inbox: MonitorInbox?
  }

  /// Makes the center of a host.
  package init(host: any MonitoringHost) { self.host = host }

  /// What is asked for now.
  package func registrations() -> MonitoringRegistrations { host.registrations() }

  /// Asks for something.
  package func perform(_ command: MonitoringCommand) { host.perform(command) }

  /// The program has been told the event; the host forgets it. A second call does nothing.
  package func delivered(_ event: MonitoringEvent) {
    // The host first: who begins to listen meanwhile must not be told it again.
    let wasTold = shared.withLock { shared in
      shared.regions.values.contains { $0.told.contains(event.sequence) }
        || shared.monitors.values.contains { $0.listener.told.contains(event.sequence) }
    }
    guard wasTold else { return }
    host.perform(.acknowledge(sequence: event.sequence))
    shared.withLock { shared in
      for key in shared.regions.keys { shared.regions[key]?.told.remove(event.sequence) }
      for name in shared.monitors.keys {
        shared.monitors[name]?.listener.told.remove(event.sequence)
      }
    }
  }

  /// Hands the events of regions and visits to `body`, on the host's thread.
  package func listenForRegions(
    _ body: @escaping @Sendable (MonitoringEvent) -> Void
  ) -> Observation { listen(as: .regionsAndVisits, body) }

  /// Hands significant changes to `body`, on the host's thread. They wait for whoever has started them, as
  /// after a relaunch on an iPhone.
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

  /// Hands the events of a monitor's conditions to `body`, on the host's thread, in place of the
  /// listener of that name before.
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

  /// The inbox of the monitor of that name: the one that is open, else a new one.
  func inbox(named name: String, _ make: () -> MonitorInbox) -> MonitorInbox {
    open.withLock { open in
      if let inbox = open[name]?.inbox { return inbox }
      let inbox = make()
      open = open.filter { $0.value.inbox != nil }
      open[name] = WeakInbox(inbox: inbox)
      return inbox
    }
  }

  // MARK: Receiving

  private func add(
    _ command: MonitoringCommand? = nil, _ listener: (inout Shared, Int) -> Void
  ) -> Int {
    changing.withLock {
      if let command { host.perform(command) }
      let (key, generation) = shared.withLock { shared in
        shared.nextKey += 1
        shared.generation += 1
        listener(&shared, shared.nextKey)
        return (shared.nextKey, shared.generation)
      }
      // From the beginning, for the new listener; the others skip what they know.
      host.deliver { [weak self] in self?.route($0, generation) }
      return key
    }
  }

  /// Takes a listener out; where it was still there, the command follows.
  private func remove(
    _ command: MonitoringCommand? = nil, _ take: (inout Shared) -> Bool
  ) {
    changing.withLock {
      let (wasThere, isEmpty) = shared.withLock { (take(&$0), $0.isEmpty) }
      guard wasThere else { return }
      if isEmpty { host.deliver(to: nil) }
      if let command { host.perform(command) }
    }
  }

  private func route(_ event: MonitoringEvent, _ generation: Int) {
    let bodies = shared.withLock { shared -> [@Sendable (MonitoringEvent) -> Void] in
      // A receiver that was replaced would hand a new listener late events before early ones.
      guard generation == shared.generation else { return [] }
      if case .condition(let condition) = event.kind {
        let name = condition.monitor
        guard shared.monitors[name]?.listener.takes(event) == true else { return [] }
        return [shared.monitors[name]?.listener.body].compactMap { $0 }
      }
      let audience: Audience =
        if case .significantChange = event.kind { .significantChanges } else { .regionsAndVisits }
      return shared.regions.keys.sorted().compactMap { key in
        guard shared.regions[key]?.audience == audience,
          shared.regions[key]?.takes(event) == true
        else { return nil }
        return shared.regions[key]?.body
      }
    }
    for body in bodies { body(event) }
  }
}
