/// The state of a condition.
public enum CLMonitoringState: UInt, Sendable {
  /// Nothing is known yet.
  case unknown = 0
  /// The condition holds.
  case satisfied = 1
  /// The condition does not hold.
  case unsatisfied = 2
  /// The condition is not monitored any more.
  case unmonitored = 3
}
