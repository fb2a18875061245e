/// What an application asks of monitoring.
public enum MonitoringCommand: Codable, Equatable, Sendable {
  /// Monitor a region; one of the same identifier is replaced.
  case startRegion(MonitoredRegion)
  /// Forget a region.
  case stopRegion(identifier: String)
  /// Tell how a region stands: answered by one `regionState`, `unknown` where nothing tells.
  case requestState(MonitoredRegion)
  /// Tell of visits from now on.
  case startVisits
  /// Tell of visits no more.
  case stopVisits
  /// Tell of significant changes from now on, the last known place first.
  case startSignificantChanges
  /// Tell of significant changes no more.
  case stopSignificantChanges
  /// Somebody takes the monitor's events.
  case openMonitor(name: String)
  /// Nobody takes the monitor's events any more; the conditions stay.
  case closeMonitor(name: String)
  /// Watch a condition; one of the same identifier is replaced. `assuming` is the state that the
  /// application takes it to have: an event corrects it where it is wrong.
  case addCondition(
    monitor: String, identifier: String, condition: MonitoredCondition, assuming: ConditionState)
  /// Forget a condition.
  case removeCondition(monitor: String, identifier: String)
  /// The application has been told the event of this number.
  case acknowledge(sequence: UInt64)
}
