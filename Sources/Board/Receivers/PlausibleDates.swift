import FoundationEssentials
import Quantities

/// The plausible dates of a receiver.
///
/// GPS counts weeks modulo 1024: an outdated receiver reports dates 19.6 years too early.
package enum PlausibleDates {
  /// The date of this source: the clock of a machine without an RTC may stand at 1970.
  private static let written = CivilDate(year: 2026, month: 11, day: 1)
  /// Days, nearly 1024 weeks: an earlier date is of the previous count.
  private static let span = 7000

  /// The first plausible day of a live stream.
  static func earliest(today: Date) -> CivilDate {
    CivilDate(daysSince1970: max(days(today), written.daysSince1970) - span)
  }

  /// Describes that a recording's dates may be of another period, with the option that corrects
  /// them.
  /// - Parameters:
  ///   - first: The recording's first date, as the receiver states it.
  ///   - today: The present date.
  /// - Returns: A sentence; nil where the next period has not been yet.
  package static func doubt(_ first: CivilDate?, today: Date = Date()) -> String? {
    guard let first, first.afterRollover.daysSince1970 <= days(today) else { return nil }
    let later = text(first.afterRollover)
    return "the receiver states \(text(first)); if its count of weeks has rolled over that day "
      + "was \(later): give --date \(later)"
  }

  private static func text(_ date: CivilDate) -> String {
    var bytes: [UInt8] = []
    bytes.append(integer: Int64(date.year), width: 4)
    for number in [date.month, date.day] {
      bytes.append(ascii: "-")
      bytes.append(integer: Int64(number), width: 2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func days(_ today: Date) -> Int {
    let secondsInDay = 86_400.0
    return Int(bounded: (today.timeIntervalSince1970 / secondsInDay).rounded(.down))
  }
}
