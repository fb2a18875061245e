import CoreLocation
import HostProtocol
import LocationHost
import Monitoring
import Quantities

/// A monitoring host that records its commands and sends the events of a test, on its own queue.
package final class ScriptedMonitoringHost: ApplicationMonitoring, @unchecked Sendable {
  private let queue = DispatchQueue(label: "scripted monitoring")
  private let lock = NSLock()
  private var asked = MonitoringRegistrations()
  private var log: [MonitoringCommand] = []
  private var waiting: [MonitoringEvent] = []
  private var receiver: (@Sendable (MonitoringEvent) -> Void)?
  private var count: UInt64 = 0

  package init(_ registrations: MonitoringRegistrations = MonitoringRegistrations()) {
    asked = registrations
  }

  /// Every command, in order.
  package var commands: [MonitoringCommand] { lock.withLock { log } }
  /// The events without an acknowledgement.
  package var unacknowledged: [MonitoringEvent] { lock.withLock { waiting } }
  /// True while a receiver is set.
  package var hasReceiver: Bool { lock.withLock { receiver != nil } }

  package func registrations() -> MonitoringRegistrations { lock.withLock { asked } }

  package func perform(_ command: MonitoringCommand) {
    lock.withLock {
      log.append(command)
      switch command {
      case .startRegion(let region): asked.regions[region.identifier] = region
      case .stopRegion(let identifier): asked.regions[identifier] = nil
      case .startVisits: asked.visits = true
      case .stopVisits: asked.visits = false
      case .startSignificantChanges: asked.significantChanges = true
      case .stopSignificantChanges: asked.significantChanges = false
      case .addCondition(let monitor, let identifier, let condition, let state):
        let assumed = ConditionEvent(
          monitor: monitor, identifier: identifier, state: state,
          time: UTCTime(nanosecondsSince1970: 0))
        asked.monitors[monitor, default: [:]][identifier] = ConditionRecord(
          condition: condition, lastEvent: assumed)
      case .removeCondition(let monitor, let identifier):
        asked.monitors[monitor]?[identifier] = nil
      case .acknowledge(let sequence):
        for event in waiting where event.sequence == sequence { note(event) }
        waiting.removeAll { $0.sequence == sequence }
      case .requestState, .openMonitor, .closeMonitor: break
      }
    }
  }

  package func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    let events = lock.withLock {
      receiver = body
      return waiting
    }
    guard let body else { return }
    queue.async { for event in events { body(event) } }
  }

  /// Sends an event with the time `seconds` since 1970.
  package func send(_ kind: MonitoringEvent.Kind, at seconds: Int64 = 1_750_000_000) {
    let (event, receiver) = lock.withLock {
      count += 1
      let event = MonitoringEvent(
        sequence: count, time: UTCTime(nanosecondsSince1970: seconds * 1_000_000_000), kind: kind)
      waiting.append(event)
      return (event, self.receiver)
    }
    if let receiver { queue.async { receiver(event) } }
  }

  /// Sends the state of a monitor's condition.
  package func send(
    _ identifier: String, of monitor: String, _ state: ConditionState,
    refinement: MonitoredCondition? = nil, fault: MonitoringFault? = nil
  ) {
    var condition = ConditionEvent(
      monitor: monitor, identifier: identifier, state: state,
      time: UTCTime(nanosecondsSince1970: 1_750_000_000_000_000_000))
    (condition.refinement, condition.fault) = (refinement, fault)
    send(.condition(condition))
  }

  package var pending: [MonitoringEvent] { unacknowledged }

  /// Waits until the events sent so far have been received.
  package func settle() {
    queue.sync {}
    onSettle()
  }

  /// Called after what was reported has been delivered: for the queues of a client.
  package var onSettle: @Sendable () -> Void = {}

  package func use(_ configuration: MonitoringConfiguration) {}
  package func process(_ fix: PlaceFix) {}
  package func process(_ report: BeaconReport, at time: UTCTime) {}
  package func advance(to time: UTCTime) {}
  package var keepingFault: String? { nil }
  package var demand: FixDemand { .none }
  package var beaconPatterns: Set<BeaconPattern> { [] }
  package func close() {}

  private func note(_ event: MonitoringEvent) {
    guard case .condition(let condition) = event.kind else { return }
    asked.monitors[condition.monitor]?[condition.identifier]?.lastEvent = condition
  }
}

/// The journals of one application with scripted monitoring.
package struct ScriptedJournals: MonitoringJournals {
  private let host: ScriptedMonitoringHost

  package init(_ host: ScriptedMonitoringHost) { self.host = host }

  package func journal(of key: ApplicationKey) -> UInt64 { 1 }
  package func applications() -> [ApplicationKey] { [ScriptedHost.key] }
  package func remove(_ key: ApplicationKey) {}
  package func monitoring(
    of key: ApplicationKey, configuration: MonitoringConfiguration,
    clock: @escaping @Sendable () -> UTCTime
  ) throws(HostFault) -> any ApplicationMonitoring { host }
}
