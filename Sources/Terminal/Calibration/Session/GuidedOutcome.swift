/// The outcome of a guided session.
public enum GuidedOutcome: Equatable, Sendable {
  /// The calibration was saved; the line describes what and where.
  case saved(String)
  /// The user stopped it; nothing was saved.
  case stopped
  /// The terminal was closed; nothing was saved.
  case hungUp
}
