/// A receiver's time of day in UTC.
public struct TimeOfDay: Equatable, Sendable {
  /// Nanoseconds since midnight; 86 400 seconds and more within second 60 of the day's last minute.
  public let nanoseconds: Int64

  /// Reads `hhmmss.sss`; second 60 is a leap second.
  /// - Returns: nil for an impossible time.
  init?(_ number: DecimalNumber) {
    let second = DecimalNumber.powerOfTen(number.decimals)
    let wholes = number.digits / second
    let fraction = number.digits % second
    let (h, m, s) = (wholes / 10_000, wholes / 100 % 100, wholes % 100)
    guard number.digits >= 0, h < 24, m < 60, s <= 60 else { return nil }
    let subsecond =
      number.decimals <= 9
      ? fraction * DecimalNumber.powerOfTen(9 - number.decimals)
      : fraction / DecimalNumber.powerOfTen(number.decimals - 9)
    nanoseconds = (h * 3600 + m * 60 + s) * 1_000_000_000 + subsecond
  }

  /// The time one second later, over midnight too.
  var nextSecond: TimeOfDay {
    TimeOfDay(nanoseconds: (nanoseconds + 1_000_000_000) % Self.day)
  }

  /// True where `other` is within the half day before.
  func isLater(than other: TimeOfDay) -> Bool {
    let ahead = nanoseconds(since: other)
    return ahead > 0 && ahead < Self.day / 2
  }

  /// The nanoseconds from `other` to this time, over midnight too: less than a day.
  func nanoseconds(since other: TimeOfDay) -> Int64 {
    (nanoseconds - other.nanoseconds + Self.day) % Self.day
  }

  private static let day: Int64 = 86_400_000_000_000
}
