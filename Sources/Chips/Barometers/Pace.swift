import Quantities

/// The schedule of a chip that measures on demand: on average never more often than its rate.
///
/// A late call is compensated by at most one period, so that a thread that wakes about once a
/// period neither loses every second sample nor gets two at once.
struct Pace: Sendable {
  private let period: UInt64
  private var next: Timestamp?

  /// The longest period, seconds, also for a rate that is not above zero, or none.
  private static var longestPeriod: Double { 10 }

  init(hertz: Double) {
    let seconds = hertz * Self.longestPeriod > 1 ? 1 / hertz : Self.longestPeriod
    period = UInt64(nanosecondsIn: seconds)
  }

  /// The period, seconds.
  var seconds: Double { Double(period) * 1e-9 }

  /// Whether the next measurement may begin.
  func isDue(at now: Timestamp) -> Bool {
    guard let next else { return true }
    return now >= next
  }

  /// A measurement began.
  mutating func began(at now: Timestamp) {
    let following = (next ?? now).advanced(byNanoseconds: period)
    next = following.advanced(byNanoseconds: period) < now ? now : following
  }

  /// Nothing has been measured yet.
  mutating func reset() { next = nil }
}
