/// How a guided session ended.
public enum GuidedOutcome: Equatable, Sendable {
  /// The calibration was saved; the line tells what and where.
  case saved(String)
  /// The person stopped it; nothing was saved.
  case stopped
  /// The terminal was closed; nothing was saved.
  case hungUp
}
