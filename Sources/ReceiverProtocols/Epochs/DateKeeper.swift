import Quantities

/// How the dates of a receiver are corrected by multiples of 1024 weeks, the period in which GPS
/// counts weeks: an old receiver states dates of another period.
public enum DateCorrection: Equatable, Sendable {
  /// Dates stay as they are.
  case none
  /// Earlier dates are moved to this date or later, for a live stream.
  case notBefore(CivilDate)
  /// Dates are moved to the period around this date, for a recording.
  case near(CivilDate)

  /// GPS counts weeks modulo 1024.
  /// - Source: IS-GPS-200, 20.3.3.3.1.1 (ten-bit week number).
  static let periodDays = 1024 * 7

  /// The corrected day, in days since 1970.
  func callAsFunction(_ date: CivilDate) -> Int {
    let (day, period) = (date.daysSince1970, Self.periodDays)
    let periods =
      switch self {
      case .none: 0
      case .notBefore(let first): max(0, first.daysSince1970 - day + period - 1) / period
      case .near(let date):
        Int(bounded: (Double(date.daysSince1970 - day) / Double(period)).rounded())
      }
    return day + periods * period
  }
}

extension CivilDate {
  /// The date one period of GPS weeks later, which an old receiver may mean by this date.
  package var afterRollover: CivilDate {
    CivilDate(daysSince1970: daysSince1970 + DateCorrection.periodDays)
  }
}

/// Adds the date to times of day: receivers send the date in some sentences only.
struct DateKeeper: Sendable {
  let correction: DateCorrection
  private var last: (day: Int, nanoseconds: Int64)?

  /// A step back of the time of day by more than this means that midnight has passed, ns.
  private static let halfDay: Int64 = 43_200_000_000_000
  /// Days since 1970 that are representable as nanoseconds in an `Int64`, second 60 included: 1677
  /// to 2262.
  private static let representableDays = -106_751...106_750

  init(_ correction: DateCorrection) { self.correction = correction }

  /// The instant of a time of day. `date` is the date that the receiver sent with it, `doubtful` a
  /// date without a fix, which is used where no other day is known, and where it follows the last
  /// instant: after a pause of half a day the time of day alone would mean the day before.
  mutating func instant(_ time: TimeOfDay, date: CivilDate?, doubtful: CivilDate? = nil) -> UTCTime?
  {
    guard
      let day = date.map({ correction($0) }) ?? doubtful.flatMap({ next($0, time) })
        ?? followingDay(time.nanoseconds) ?? doubtful.map({ correction($0) }),
      Self.representableDays.contains(day)
    else { return nil }
    last = (day, time.nanoseconds)
    return UTCTime(nanosecondsSince1970: Int64(day) * 86_400_000_000_000 + time.nanoseconds)
  }

  /// The instant of a message with date and time, after repair of the date.
  mutating func instant(_ utc: UTCTime) -> UTCTime? {
    let (day, time) = (correction(utc.date), utc.nanosecondsOfDay)
    guard Self.representableDays.contains(day) else { return nil }
    last = (day, time)
    return UTCTime(nanosecondsSince1970: Int64(day) * 86_400_000_000_000 + time)
  }

  /// The day of a doubtful date if it follows the last instant: its day with a later time, or the
  /// day after it; else nil.
  private func next(_ doubtful: CivilDate, _ time: TimeOfDay) -> Int? {
    guard let last else { return nil }
    let day = correction(doubtful)
    return day == last.day + 1 || day == last.day && time.nanoseconds >= last.nanoseconds
      ? day : nil
  }

  private func followingDay(_ nanoseconds: Int64) -> Int? {
    guard let last else { return nil }
    if nanoseconds < last.nanoseconds - Self.halfDay { return last.day + 1 }
    if nanoseconds > last.nanoseconds + Self.halfDay { return last.day - 1 }
    return last.day
  }
}
