public import Quantities

/// Something that an application is to be told, once.
public struct MonitoringEvent: Codable, Equatable, Sendable {
  /// Counts the application's events from 1; never used twice, also after a restart.
  public var sequence: UInt64
  /// The time of the fix, sighting or command that made it; the deadline, where time alone did.
  public var time: UTCTime
  /// What happened.
  public var kind: Kind
  /// When a crossing began to show: the first fix of the dwell beyond the boundary. The crossing itself
  /// lies between the fix before that one and it.
  public var since: UTCTime?
  /// The fix that decided it, where one did.
  public var fix: PlaceFix?

  /// What happened.
  public enum Kind: Codable, Equatable, Sendable {
    /// Monitoring of the region has begun.
    case regionStarted(MonitoredRegion)
    /// The region (nil: none in particular) is not monitored.
    case regionFailed(MonitoredRegion?, MonitoringFault)
    /// The region's state: on request, and at each crossing, before the crossing itself.
    case regionState(MonitoredRegion, ConditionState)
    /// The region was entered.
    case entered(MonitoredRegion)
    /// The region was left.
    case exited(MonitoredRegion)
    /// A visit began or ended.
    case visit(Visit)
    /// The place has changed significantly, or the first one since the service started.
    case significantChange(PlaceFix)
    /// A condition of a monitor has another state than was told last.
    case condition(ConditionEvent)
  }

  /// Makes an event.
  public init(sequence: UInt64, time: UTCTime, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.kind = kind
  }
}

/// The state of a monitor's condition, as its application is told it.
public struct ConditionEvent: Codable, Equatable, Sendable {
  /// The monitor's name.
  public var monitor: String
  /// The condition's identifier within the monitor.
  public var identifier: String
  /// The state that it came to.
  public var state: ConditionState
  /// When it came to it.
  public var time: UTCTime
  /// What the condition turned out to be: the beacon that was heard, of a pattern that leaves it open.
  public var refinement: MonitoredCondition?
  /// Why it is not watched, where that is so.
  public var fault: MonitoringFault?

  /// Makes an event without a refinement or fault.
  public init(monitor: String, identifier: String, state: ConditionState, time: UTCTime) {
    self.monitor = monitor
    self.identifier = identifier
    self.state = state
    self.time = time
  }
}

/// Why something is not monitored.
public enum MonitoringFault: String, Codable, Error, Sendable {
  /// The application has as many regions and conditions as it may: 20.
  case limitExceeded
  /// The radius is above the longest that can be monitored, or no number.
  case unsupportedRegion
  /// No sensor stands behind a condition of this kind.
  case unsupportedCondition
  /// What is monitored cannot be kept over a restart.
  case persistenceUnavailable
  /// The application may not.
  case denied
}
