import FoundationEssentials
import Monitoring
import Quantities

extension MonitoringRegistrations {
  /// The commands that register the same conditions and services with another host.
  var starts: [MonitoringCommand] {
    var commands = regions.values.map { MonitoringCommand.startRegion($0) }
    if visits { commands.append(.startVisits) }
    if significantChanges { commands.append(.startSignificantChanges) }
    for (monitor, records) in monitors {
      for (identifier, record) in records {
        commands.append(
          .addCondition(
            monitor: monitor, identifier: identifier, condition: record.condition,
            assuming: record.lastEvent.state))
      }
    }
    return commands
  }

  /// The commands that remove all registrations.
  var stops: [MonitoringCommand] {
    starts.compactMap { command in
      switch command {
      case .startRegion(let region): .stopRegion(identifier: region.identifier)
      case .startVisits: .stopVisits
      case .startSignificantChanges: .stopSignificantChanges
      case .addCondition(let monitor, let identifier, _, _):
        .removeCondition(monitor: monitor, identifier: identifier)
      default: nil
      }
    }
  }

  /// Applies a command as if the host accepts it.
  mutating func apply(_ command: MonitoringCommand) {
    switch command {
    case .startRegion(let region): regions[region.identifier] = region
    case .stopRegion(let identifier): regions[identifier] = nil
    case .startVisits: visits = true
    case .stopVisits: visits = false
    case .startSignificantChanges: significantChanges = true
    case .stopSignificantChanges: significantChanges = false
    case .removeCondition(let monitor, let identifier): monitors[monitor]?[identifier] = nil
    case .addCondition(let monitor, let identifier, let condition, let state):
      let now = UTCTime(secondsSince1970: Date().timeIntervalSince1970)
      let event = ConditionEvent(
        monitor: monitor, identifier: identifier, state: state,
        time: now ?? UTCTime(nanosecondsSince1970: 0))
      monitors[monitor, default: [:]][identifier] = ConditionRecord(
        condition: condition, lastEvent: event)
    case .openMonitor, .closeMonitor, .requestState, .acknowledge: break
    }
  }

  /// Applies an event: a failed region is removed.
  mutating func apply(_ event: MonitoringEvent) {
    switch event.kind {
    case .regionFailed(let region?, _): regions[region.identifier] = nil
    default: break
    }
  }

  /// True if the host has executed a command whose repetition would have an effect: a second event,
  /// or a known state replaced by an assumed one. Other commands may be repeated.
  func holds(_ command: MonitoringCommand) -> Bool {
    switch command {
    case .startRegion(let region): regions[region.identifier].map { region.isAlmost($0) } ?? false
    case .addCondition(let monitor, let identifier, let condition, _):
      monitors[monitor]?[identifier].map { condition.isAlmost($0.condition) } ?? false
    default: false
    }
  }
}

// Messages and files contain degrees, which rounds the last bits of radians.

extension MonitoredRegion {
  fileprivate func isAlmost(_ other: MonitoredRegion) -> Bool {
    (identifier, notifiesOnEntry, notifiesOnExit)
      == (other.identifier, other.notifiesOnEntry, other.notifiesOnExit)
      && condition.isAlmost(other.condition)
  }
}

extension MonitoredCondition {
  fileprivate func isAlmost(_ other: MonitoredCondition) -> Bool {
    switch (self, other) {
    case (.circle(let a, let x), .circle(let b, let y)): x == y && a.isAlmost(b)
    case (.polygon(let a), .polygon(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isAlmost($1) }
    default: self == other
    }
  }
}

extension GeodeticPosition {
  /// Equal within micrometres.
  fileprivate func isAlmost(_ other: GeodeticPosition) -> Bool {
    abs(latitude.radians - other.latitude.radians) < 1e-12
      && abs(longitude.radians - other.longitude.radians) < 1e-12
  }
}
