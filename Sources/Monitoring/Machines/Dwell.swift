import Quantities

/// Consistent fixes over a time. Only fixes extend it; a gap without fixes is no evidence.
struct Dwell: Codable, Equatable, Sendable {
  /// The time of the first fix.
  private(set) var first: UTCTime
  /// The time of the newest fix.
  private(set) var last: UTCTime
  private(set) var count = 1
  /// True where at least one fix lies beyond a leap that no vehicle can make, or that the
  /// receiver's speed contradicts.
  private var hasLeap: Bool

  init(_ fix: MonitoredFix) {
    (first, last) = (fix.fix.time, fix.fix.time)
    hasLeap = fix.isBeyondLeap
  }

  /// Adds a fix; restarts the dwell after too long a gap.
  mutating func add(_ fix: MonitoredFix, _ tuning: MonitoringConfiguration) {
    guard fix.fix.time.seconds(since: last) <= tuning.longestDwellGapSeconds else {
      self = Dwell(fix)
      return
    }
    last = fix.fix.time
    count += 1
    if fix.isBeyondLeap { hasLeap = true }
  }

  var seconds: Double { last.seconds(since: first) }

  /// True for at least `least` seconds with `dwellFixes` fixes, or for the longer sparse dwell with
  /// two.
  func isLong(_ least: Double, _ tuning: MonitoringConfiguration) -> Bool {
    let least = hasLeap ? max(least, tuning.leapDwellSeconds) : least
    return seconds >= least && count >= tuning.dwellFixes
      || seconds >= max(least, tuning.sparseDwellSeconds) && count >= 2
  }
}
