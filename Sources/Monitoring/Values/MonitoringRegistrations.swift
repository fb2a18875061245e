/// What an application has asked for and not taken back.
public struct MonitoringRegistrations: Codable, Equatable, Sendable {
  /// The regions, by identifier.
  public var regions: [String: MonitoredRegion] = [:]
  /// Whether visits are told.
  public var visits = false
  /// Whether significant changes are told.
  public var significantChanges = false
  /// The monitors' conditions: by name, then by identifier.
  public var monitors: [String: [String: ConditionRecord]] = [:]

  /// Makes registrations of nothing.
  public init() {}

  /// How many of the 20 regions and conditions are in use; those that are not watched take no place.
  public var conditionCount: Int {
    regions.count + monitors.values.reduce(0) { $0 + $1.values.filter { $0.fault == nil }.count }
  }
}

/// A condition of a monitor, with what was told of it last.
public struct ConditionRecord: Codable, Equatable, Sendable {
  /// What has to hold.
  public var condition: MonitoredCondition
  /// The event that the application was told last; before the first, the assumed state.
  public var lastEvent: ConditionEvent
  /// Why it is not watched, where that is so.
  public var fault: MonitoringFault?

  /// Makes a record.
  public init(condition: MonitoredCondition, lastEvent: ConditionEvent) {
    self.condition = condition
    self.lastEvent = lastEvent
  }
}
