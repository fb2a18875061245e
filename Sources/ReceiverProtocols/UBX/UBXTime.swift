import Quantities

/// A receiver's UTC with its validity.
///
/// u-blox rounds to the nearest second and adds a fraction that may be negative. Here the fraction
/// is included, so that the date may be the day before the one in the message.
/// - Source: u-blox M8 receiver description UBX-13003221, NAV-PVT and "Navigation epochs and time".
public struct UBXTime: Equatable, Sendable {
  /// The day; nil where the receiver marks its date as invalid or the calendar has no such day.
  public private(set) var date: CivilDate?
  /// The time of day; nil where the receiver marks it as invalid. Second 60 is kept.
  public private(set) var timeOfDay: TimeOfDay?
  /// True where the leap seconds are known, so that the seconds are certain.
  public let isFullyResolved: Bool

  /// Reads year (two bytes), month, day, hour, minute and second (one byte each) from `offset`.
  init(_ fields: UBXFields, at offset: Int, valid: UInt8, nanoseconds: Int32) {
    isFullyResolved = valid.bit(Self.resolvedBit)
    if valid.bit(Self.dateBit) {
      let day = CivilDate(
        year: Int(fields.u2(offset)), month: Int(fields.u1(offset + 2)),
        day: Int(fields.u1(offset + 3)))
      if (1...12).contains(day.month), day.day >= 1,
        day.day <= CivilDate.days(inMonth: day.month, of: day.year)
      {
        date = day
      }
    }
    guard valid.bit(Self.timeBit) else { return }
    let (hour, minute, second) = (
      fields.u1(offset + 4), fields.u1(offset + 5), fields.u1(offset + 6)
    )
    guard hour < 24, minute < 60, second <= 60,
      (-Self.second...Self.second).contains(Int64(nanoseconds))
    else { return }
    let whole = Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    let sum = whole * Self.second + Int64(nanoseconds)
    timeOfDay = TimeOfDay(nanoseconds: sum < 0 ? sum + Self.day : sum)
    if sum < 0, let printed = date {
      date = CivilDate(daysSince1970: printed.daysSince1970 - 1)
    }
  }

  /// The instant, where date and time of day are both valid; second 60 is the next minute's 0.
  public var utc: UTCTime? {
    guard let date, let timeOfDay else { return nil }
    return UTCTime(year: date.year, month: date.month, day: date.day).map {
      UTCTime(nanosecondsSince1970: $0.nanosecondsSince1970 + timeOfDay.nanoseconds)
    }
  }

  private static var dateBit: Int { 0 }
  private static var timeBit: Int { 1 }
  private static var resolvedBit: Int { 2 }
  private static var second: Int64 { 1_000_000_000 }
  private static var day: Int64 { 86_400 * second }
}

extension TimeOfDay {
  /// Makes a time of day; `nanoseconds` must lie within a day.
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
}

extension UTCTime {
  /// Makes an instant from GPS time and the leap seconds since 1980-01-06.
  /// - Returns: nil for weeks whose nanoseconds an `Int64` cannot represent.
  init?(gpsWeek week: Int, nanosecondsOfWeek: Int64, leapSeconds: Int) {
    // Week 14 000 is in the year 2248.
    let lastWeek = 14_000
    guard (0...lastWeek).contains(week) else { return nil }
    // 1980-01-06T00:00:00Z, where GPS time began.
    let epoch: Int64 = 315_964_800
    let seconds = epoch + Int64(week) * 604_800 - Int64(leapSeconds)
    self.init(nanosecondsSince1970: seconds * 1_000_000_000 + nanosecondsOfWeek)
  }
}
