import Quantities

/// Relates GPS time of week to the time of day, for messages that tell only the former.
struct WeekTime: Sendable {
  /// GPS time less UTC, as far as the receiver told it.
  private(set) var leapSeconds: Int?
  /// What a receiver that has not told them is taken to mean.
  /// - Source: IERS Bulletin C: 18 s since 2017-01-01.
  private static var usualLeapSeconds: Int { 18 }
  private static var day: Int64 { 86_400_000 }

  /// What the receiver counts with, right or not: its UTC beside its time of week shows it.
  private var shownLeapSeconds: Int?

  /// The leap seconds to count with.
  var assumedLeapSeconds: Int { shownLeapSeconds ?? leapSeconds ?? Self.usualLeapSeconds }

  /// Takes note of a message that tells one instant both ways.
  mutating func learn(_ timeOfWeek: UInt32, _ time: UBXTime) {
    guard let shown = time.timeOfDay else { return }
    let apart = Int64(timeOfWeek) % Self.day - shown.nanoseconds / 1_000_000
    // To the nearest second: the fraction of a navigation epoch is told in one of the two only.
    let seconds = Int(((apart + Self.day + 500) % Self.day) / 1000)
    // UTC began beside GPS time and has lost a second every two years or so.
    let most = 60
    if seconds <= most { shownLeapSeconds = seconds }
  }

  mutating func learn(leapSeconds: Int?) { self.leapSeconds = leapSeconds ?? self.leapSeconds }

  /// The time of day in UTC of a time of week, to the millisecond.
  func timeOfDay(_ timeOfWeek: UInt32) -> TimeOfDay? {
    let utc = Int64(timeOfWeek) - Int64(assumedLeapSeconds) * 1000
    return TimeOfDay(nanoseconds: (utc % Self.day + Self.day) % Self.day * 1_000_000)
  }

  /// True where a time of week and a time of day mean one navigation epoch: receivers round either to
  /// hundredths of a second.
  func isSame(_ timeOfWeek: UInt32, _ time: TimeOfDay) -> Bool {
    guard let own = timeOfDay(timeOfWeek) else { return false }
    let apart = abs(own.nanoseconds - time.nanoseconds)
    let tolerance: Int64 = 10_000_000
    return min(apart, Self.day * 1_000_000 - apart) <= tolerance
  }
}
