import Quantities

/// Converts GPS time of week to the time of day, for messages that contain only the former.
struct WeekTime: Sendable {
  /// GPS time minus UTC, s; nil until the receiver has reported it.
  private(set) var leapSeconds: Int?
  /// Whether a message that states their validity has reported them: others may contain a default
  /// of the receiver.
  private(set) var isConfirmed = false
  /// The default for a receiver that has not reported them, s.
  /// - Source: IERS Bulletin C: 18 s since 2017-01-01.
  private static var usualLeapSeconds: Int { 18 }
  private static var day: Int64 { 86_400_000 }

  /// The leap seconds that the receiver applies, correct or not: the difference of its UTC and its
  /// time of week.
  private var shownLeapSeconds: Int?

  /// The leap seconds for conversions.
  var assumedLeapSeconds: Int { shownLeapSeconds ?? leapSeconds ?? Self.usualLeapSeconds }

  /// Learns the applied leap seconds from a message with both times of one instant.
  mutating func learn(_ timeOfWeek: UInt32, _ time: UBXTime) {
    guard let shown = time.timeOfDay else { return }
    let apart = Int64(timeOfWeek) % Self.day - shown.nanoseconds / 1_000_000
    // Rounded to seconds: only one of the two contains the fraction of a navigation epoch.
    let seconds = Int(((apart + Self.day + 500) % Self.day) / 1000)
    // The difference was zero in 1980 and has grown by a second about every two years.
    let most = 60
    if seconds <= most { shownLeapSeconds = seconds }
  }

  mutating func learn(leapSeconds: Int?, isConfirmed: Bool = true) {
    guard let leapSeconds else { return }
    self.leapSeconds = leapSeconds
    self.isConfirmed = self.isConfirmed || isConfirmed
  }

  /// The time of day in UTC of a time of week, to the millisecond.
  func timeOfDay(_ timeOfWeek: UInt32) -> TimeOfDay? {
    let utc = Int64(timeOfWeek) - Int64(assumedLeapSeconds) * 1000
    return TimeOfDay(nanoseconds: (utc % Self.day + Self.day) % Self.day * 1_000_000)
  }

  /// True where a time of week and a time of day denote the same navigation epoch; receivers round
  /// either of them to hundredths of a second.
  func isSame(_ timeOfWeek: UInt32, _ time: TimeOfDay) -> Bool {
    guard let own = timeOfDay(timeOfWeek) else { return false }
    let apart = abs(own.nanoseconds - time.nanoseconds)
    let tolerance: Int64 = 10_000_000
    return min(apart, Self.day * 1_000_000 - apart) <= tolerance
  }
}
