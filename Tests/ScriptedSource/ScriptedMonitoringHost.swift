import CoreLocation
import Monitoring
import Quantities

/// A host of monitoring that keeps what it is asked and tells what a test hands it, on a queue of its own.
package final class ScriptedMonitoringHost: MonitoringHost, @unchecked Sendable {
  private let queue = DispatchQueue(label: "scripted monitoring")
  private let lock = NSLock()
  private var asked = MonitoringRegistrations()
  private var log: [MonitoringCommand] = []
  private var pending: [MonitoringEvent] = []
  private var receiver: (@Sendable (MonitoringEvent) -> Void)?
  private var count: UInt64 = 0

  package init(_ registrations: MonitoringRegistrations = MonitoringRegistrations()) {
    asked = registrations
  }

  /// Every command, in order.
  package var commands: [MonitoringCommand] { lock.withLock { log } }
  /// The events that were not acknowledged.
  package var unacknowledged: [MonitoringEvent] { lock.withLock { pending } }
  /// True while somebody takes events.
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
        for event in pending where event.sequence == sequence { note(event) }
        pending.removeAll { $0.sequence == sequence }
      case .requestState, .openMonitor, .closeMonitor: break
      }
    }
  }

  package func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    let waiting = lock.withLock {
      receiver = body
      return pending
    }
    guard let body else { return }
    queue.async { for event in waiting { body(event) } }
  }

  /// Tells an event at `seconds` since 1970.
  package func tell(_ kind: MonitoringEvent.Kind, at seconds: Int64 = 1_750_000_000) {
    let (event, receiver) = lock.withLock {
      count += 1
      let event = MonitoringEvent(
        sequence: count, time: UTCTime(nanosecondsSince1970: seconds * 1_000_000_000), kind: kind)
      pending.append(event)
      return (event, self.receiver)
    }
    if let receiver { queue.async { receiver(event) } }
  }

  /// Tells the state of a monitor's condition.
  package func tell(
    _ identifier: String, of monitor: String, _ state: ConditionState,
    refinement: MonitoredCondition? = nil, fault: MonitoringFault? = nil
  ) {
    var condition = ConditionEvent(
      monitor: monitor, identifier: identifier, state: state,
      time: UTCTime(nanosecondsSince1970: 1_750_000_000_000_000_000))
    (condition.refinement, condition.fault) = (refinement, fault)
    tell(.condition(condition))
  }

  /// Waits until what was told so far has been heard.
  package func settle() { queue.sync {} }

  private func note(_ event: MonitoringEvent) {
    guard case .condition(let condition) = event.kind else { return }
    asked.monitors[condition.monitor]?[condition.identifier]?.lastEvent = condition
  }
}
