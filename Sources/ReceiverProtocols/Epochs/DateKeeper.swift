import Quantities

/// Gives a date to times of day: receivers tell the date in some sentences only.
struct DateKeeper: Sendable {
  /// The first day that the stream can be of; nil leaves dates as they are.
  let notBefore: CivilDate?
  private var last: (day: Int, nanoseconds: Int64)?

  /// GPS counts weeks modulo 1024: a receiver past its time tells dates so many days too early.
  /// - Source: IS-GPS-200, 20.3.3.3.1.1 (ten-bit week number).
  private static let rolloverDays = 1024 * 7
  /// A time of day that steps back by more than this went past midnight.
  private static let halfDay: Int64 = 43_200_000_000_000
  /// Days whose every nanosecond since 1970 an `Int64` holds, second 60 among them: 1677 to 2262.
  private static let tellableDays = -106_751...106_750

  init(notBefore: CivilDate?) { self.notBefore = notBefore }

  /// The instant of a time; `date` is what the receiver said along with it, `doubtful` what it said
  /// without a fix: that counts only where no day is known.
  mutating func instant(_ time: TimeOfDay, date: CivilDate?, doubtful: CivilDate? = nil) -> UTCTime?
  {
    guard
      let day = date.map({ repaired($0) }) ?? followingDay(time.nanoseconds)
        ?? doubtful.map({ repaired($0) }),
      Self.tellableDays.contains(day)
    else { return nil }
    last = (day, time.nanoseconds)
    return UTCTime(nanosecondsSince1970: Int64(day) * 86_400_000_000_000 + time.nanoseconds)
  }

  /// The instant that the receiver told whole, its date repaired.
  mutating func instant(_ utc: UTCTime) -> UTCTime? {
    let (day, time) = (repaired(utc.date), utc.nanosecondsOfDay)
    guard Self.tellableDays.contains(day) else { return nil }
    last = (day, time)
    return UTCTime(nanosecondsSince1970: Int64(day) * 86_400_000_000_000 + time)
  }

  private func repaired(_ date: CivilDate) -> Int {
    let day = date.daysSince1970
    guard let first = notBefore?.daysSince1970, day < first else { return day }
    let weeks = (first - day + Self.rolloverDays - 1) / Self.rolloverDays
    return day + weeks * Self.rolloverDays
  }

  private func followingDay(_ nanoseconds: Int64) -> Int? {
    guard let last else { return nil }
    if nanoseconds < last.nanoseconds - Self.halfDay { return last.day + 1 }
    if nanoseconds > last.nanoseconds + Self.halfDay { return last.day - 1 }
    return last.day
  }
}
