import Quantities

/// Evidence that has to last: how long fixes have said the same, told by the fixes and not by their absence.
struct Dwell: Codable, Equatable, Sendable {
  /// The first fix that said so.
  private(set) var first: UTCTime
  /// The newest.
  private(set) var last: UTCTime
  private(set) var count = 1
  /// True where some of them lie after a leap that nothing could make.
  private var hasLeap: Bool

  init(_ fix: MonitoredFix) {
    (first, last) = (fix.fix.time, fix.fix.time)
    hasLeap = fix.verdict == .suspect
  }

  /// Counts one more; starts anew where the last is too long ago.
  mutating func add(_ fix: MonitoredFix, _ tuning: MonitoringConfiguration) {
    guard fix.fix.time.seconds(since: last) <= tuning.longestDwellGapSeconds else {
      self = Dwell(fix)
      return
    }
    last = fix.fix.time
    count += 1
    if fix.verdict == .suspect { hasLeap = true }
  }

  var seconds: Double { last.seconds(since: first) }

  /// True where it has lasted for `least` seconds in many fixes, or for longer in two.
  func isLong(_ least: Double, _ tuning: MonitoringConfiguration) -> Bool {
    let least = hasLeap ? max(least, tuning.leapDwellSeconds) : least
    return seconds >= least && count >= tuning.dwellFixes
      || seconds >= max(least, tuning.sparseDwellSeconds) && count >= 2
  }
}
