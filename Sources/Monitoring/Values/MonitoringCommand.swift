/// A command of an application to monitoring.
public enum MonitoringCommand: Codable, Equatable, Sendable {
  /// Monitor a region; one of the same identifier is replaced.
  case startRegion(MonitoredRegion)
  /// Stop monitoring a region.
  case stopRegion(identifier: String)
  /// Report a region's state: answered by one `regionState`, `unknown` where it cannot be
  /// determined.
  case requestState(MonitoredRegion)
  /// Report visits from now on.
  case startVisits
  /// Stop reporting visits.
  case stopVisits
  /// Report significant changes from now on, the last known place first.
  case startSignificantChanges
  /// Stop reporting significant changes.
  case stopSignificantChanges
  /// Start the delivery of the monitor's events.
  case openMonitor(name: String)
  /// Stop the delivery of the monitor's events; the conditions stay registered.
  case closeMonitor(name: String)
  /// Watch a condition; one of the same identifier is replaced. `assuming` is the state that the
  /// application assumes: a different state makes an event.
  case addCondition(
    monitor: String, identifier: String, condition: MonitoredCondition, assuming: ConditionState)
  /// Stop watching a condition.
  case removeCondition(monitor: String, identifier: String)
  /// The application has received the event with this number.
  case acknowledge(sequence: UInt64)
}
