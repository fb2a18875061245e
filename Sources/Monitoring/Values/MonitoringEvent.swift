public import Quantities

/// An event for an application, delivered until it is acknowledged.
public struct MonitoringEvent: Codable, Equatable, Sendable {
  /// Numbers the application's events from 1; never reused, also after a restart.
  public var sequence: UInt64
  /// The time of the fix, beacon report or command that made it, or of the deadline.
  public var time: UTCTime
  /// The kind with its values.
  public var kind: Kind
  /// The time of the crossing, interpolated on the track between the last fix on the old side and
  /// the first on the new one; where the track has a leap there, the time of the latter; after a gap
  /// without fixes, estimated back from its end by the speed.
  public var since: UTCTime?
  /// The fix that made the event, if any.
  public var fix: PlaceFix?

  /// The kinds of events.
  public enum Kind: Codable, Equatable, Sendable {
    /// Monitoring of the region has begun.
    case regionStarted(MonitoredRegion)
    /// The region is not monitored; nil for a fault of no particular region.
    case regionFailed(MonitoredRegion?, MonitoringFault)
    /// The region's state: on request, and at each crossing, before the crossing itself.
    case regionState(MonitoredRegion, ConditionState)
    /// The region was entered.
    case entered(MonitoredRegion)
    /// The region was left.
    case exited(MonitoredRegion)
    /// A visit began or ended.
    case visit(Visit)
    /// A significant change of place, or the first place since the service started.
    case significantChange(PlaceFix)
    /// The state of a monitor's condition differs from the last acknowledged one.
    case condition(ConditionEvent)
  }

  /// Makes an event.
  public init(sequence: UInt64, time: UTCTime, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
  }
}

/// The state of a monitor's condition as reported to the application.
public struct ConditionEvent: Codable, Equatable, Sendable {
  /// The monitor's name.
  public var monitor: String
  /// The condition's identifier within the monitor.
  public var identifier: String
  /// The new state.
  public var state: ConditionState
  /// The start of that state.
  public var time: UTCTime
  /// The received beacon, where it is more specific than the condition's pattern.
  public var refinement: MonitoredCondition?
  /// The reason where the condition is not watched.
  public var fault: MonitoringFault?

  /// Makes an event without a refinement or fault.
  public init(monitor: String, identifier: String, state: ConditionState, time: UTCTime) {
    self.monitor = monitor
    self.identifier = identifier
    self.state = state
    self.time = time
  }
}

/// The reason why a region or condition is not monitored.
public enum MonitoringFault: String, CaseIterable, Codable, Error, Sendable {
  /// The application has reached its limit of regions and conditions (20).
  case limitExceeded
  /// The area or beacon pattern is invalid, or larger than can be monitored.
  case unsupportedRegion
  /// No sensor for a condition of this kind.
  case unsupportedCondition
  /// The registrations cannot be stored over a restart.
  case persistenceUnavailable
  /// The application is not authorized.
  case denied
}
