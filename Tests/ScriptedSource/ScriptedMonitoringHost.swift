import CoreLocation
import HostProtocol
import LocationHost
import Monitoring
import Quantities
import Synchronization

/// A monitoring host that records its commands and sends the events of a test, on its own queue.
package final class ScriptedMonitoringHost: ApplicationMonitoring {
  private let queue = DispatchQueue(label: "scripted monitoring")
  private let state: Mutex<State>

  private struct State {
    var registrations: MonitoringRegistrations
    var commands: [MonitoringCommand] = []
    var waiting: [MonitoringEvent] = []
    var receiver: (@Sendable (MonitoringEvent) -> Void)?
    var count: UInt64 = 0
    var onSettle: @Sendable () -> Void = {}

    mutating func record(_ event: MonitoringEvent) {
      guard case .condition(let condition) = event.kind else { return }
      registrations.monitors[condition.monitor]?[condition.identifier]?.lastEvent = condition
    }
  }

  package init(_ registrations: MonitoringRegistrations = MonitoringRegistrations()) {
    state = Mutex(State(registrations: registrations))
  }

  /// Every command, in order.
  package var commands: [MonitoringCommand] { state.withLock { $0.commands } }
  /// The events without an acknowledgement.
  package var unacknowledged: [MonitoringEvent] { state.withLock { $0.waiting } }
  /// True while a receiver is set.
  package var hasReceiver: Bool { state.withLock { $0.receiver != nil } }

  package var storedBytes: Int { 0 }
  package func excess(of command: MonitoringCommand) -> MonitoringBudget.Excess? { nil }

  package func registrations() -> MonitoringRegistrations { state.withLock { $0.registrations } }

  package func perform(_ command: MonitoringCommand) {
    state.withLock { state in
      state.commands.append(command)
      switch command {
      case .startRegion(let region): state.registrations.regions[region.identifier] = region
      case .stopRegion(let identifier): state.registrations.regions[identifier] = nil
      case .startVisits: state.registrations.visits = true
      case .stopVisits: state.registrations.visits = false
      case .startSignificantChanges: state.registrations.significantChanges = true
      case .stopSignificantChanges: state.registrations.significantChanges = false
      case .addCondition(let monitor, let identifier, let condition, let assumption):
        let assumed = ConditionEvent(
          monitor: monitor, identifier: identifier, state: assumption,
          time: UTCTime(nanosecondsSince1970: 0))
        state.registrations.monitors[monitor, default: [:]][identifier] = ConditionRecord(
          condition: condition, lastEvent: assumed)
      case .removeCondition(let monitor, let identifier):
        state.registrations.monitors[monitor]?[identifier] = nil
      case .acknowledge(let sequence):
        for event in state.waiting where event.sequence == sequence { state.record(event) }
        state.waiting.removeAll { $0.sequence == sequence }
      case .requestState, .openMonitor, .closeMonitor: break
      }
    }
  }

  package func deliver(to body: (@Sendable (MonitoringEvent) -> Void)?) {
    let events = state.withLock { state in
      state.receiver = body
      return state.waiting
    }
    guard let body else { return }
    queue.async { for event in events { body(event) } }
  }

  /// Sends an event with the time `seconds` since 1970.
  package func send(_ kind: MonitoringEvent.Kind, at seconds: Int64 = 1_750_000_000) {
    let (event, receiver) = state.withLock { state in
      state.count += 1
      let event = MonitoringEvent(
        sequence: state.count, time: UTCTime(nanosecondsSince1970: seconds * 1_000_000_000),
        kind: kind)
      state.waiting.append(event)
      return (event, state.receiver)
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
  package func waitUntilIdle() {
    queue.sync {}
    onSettle()
  }

  /// Called after the reported events were delivered: for the queues of a client.
  package var onSettle: @Sendable () -> Void {
    get { state.withLock { $0.onSettle } }
    set { state.withLock { $0.onSettle = newValue } }
  }

  package func use(_ configuration: MonitoringConfiguration) {}
  package func process(_ fix: PlaceFix, at arrival: UTCTime?) {}
  package func process(_ report: BeaconReport, at time: UTCTime) {}
  package func advance(to time: UTCTime) {}
  package func clockWasSet(by seconds: Double) {}
  package var nextDeadline: UTCTime? { nil }
  package var keepingFault: String? { nil }
  package var demand: FixDemand { .none }
  package var beaconPatterns: Set<BeaconPattern> { [] }
  package func close() {}
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
