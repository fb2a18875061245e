import Quantities

/// Adds the date to times of day: receivers send the date in some sentences only.
struct DateKeeper: Sendable {
  /// Lower limit of the dates in the stream; nil leaves dates unchanged.
  let notBefore: CivilDate?
  private var last: (day: Int, nanoseconds: Int64)?

  /// GPS counts weeks modulo 1024: after a rollover, an old receiver reports dates so many days too
  /// early.
  /// - Source: IS-GPS-200, 20.3.3.3.1.1 (ten-bit week number).
  private static let rolloverDays = 1024 * 7
  /// A step back of the time of day by more than this means that midnight has passed, ns.
  private static let halfDay: Int64 = 43_200_000_000_000
  /// Days since 1970 that are representable as nanoseconds in an `Int64`, second 60 included: 1677
  /// to 2262.
  private static let representableDays = -106_751...106_750

  init(notBefore: CivilDate?) { self.notBefore = notBefore }

  /// The instant of a time of day. `date` is the date that the receiver sent with it, `doubtful` a
  /// date without a fix, which is used only where no other day is known.
  mutating func instant(_ time: TimeOfDay, date: CivilDate?, doubtful: CivilDate? = nil) -> UTCTime?
  {
    guard
      let day = date.map({ repaired($0) }) ?? followingDay(time.nanoseconds)
        ?? doubtful.map({ repaired($0) }),
      Self.representableDays.contains(day)
    else { return nil }
    last = (day, time.nanoseconds)
    return UTCTime(nanosecondsSince1970: Int64(day) * 86_400_000_000_000 + time.nanoseconds)
  }

  /// The instant of a message with date and time, after repair of the date.
  mutating func instant(_ utc: UTCTime) -> UTCTime? {
    let (day, time) = (repaired(utc.date), utc.nanosecondsOfDay)
    guard Self.representableDays.contains(day) else { return nil }
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
