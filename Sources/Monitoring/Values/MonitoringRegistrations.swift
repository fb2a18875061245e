/// The services, regions and conditions that an application has started and not stopped.
public struct MonitoringRegistrations: Codable, Equatable, Sendable {
  /// The regions, by identifier.
  public var regions: [String: MonitoredRegion] = [:]
  /// True while visits are monitored.
  public var visits = false
  /// True while significant changes are monitored.
  public var significantChanges = false
  /// The monitors' conditions: by name, then by identifier.
  public var monitors: [String: [String: ConditionRecord]] = [:]

  /// Makes empty registrations.
  public init() {}

  /// The number of regions and conditions that count for the limit; conditions with a fault do not.
  public var conditionCount: Int {
    regions.count + monitors.values.reduce(0) { $0 + $1.values.filter { $0.fault == nil }.count }
  }
}

/// A condition of a monitor, with its last acknowledged event.
public struct ConditionRecord: Codable, Equatable, Sendable {
  /// The area or beacon.
  public var condition: MonitoredCondition
  /// The last event that the application acknowledged; before the first, the assumed state.
  public var lastEvent: ConditionEvent
  /// The reason where the condition is not watched.
  public var fault: MonitoringFault?

  /// Makes a record.
  public init(condition: MonitoredCondition, lastEvent: ConditionEvent) {
    self.condition = condition
    self.lastEvent = lastEvent
  }
}
