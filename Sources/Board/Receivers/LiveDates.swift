import Foundation
import Quantities

/// The plausible dates of a live receiver.
///
/// GPS counts weeks modulo 1024: an outdated receiver reports dates 19.6 years too early.
enum LiveDates {
  /// The date of this source: the clock of a machine without an RTC may stand at 1970.
  private static let written = CivilDate(year: 2026, month: 11, day: 1)
  /// Days, nearly 1024 weeks: an earlier date is of the previous count.
  private static let span = 7000

  /// The first plausible day of a live stream.
  static func earliest(today: Date) -> CivilDate {
    let secondsInDay = 86_400.0
    let now = Int(bounded: (today.timeIntervalSince1970 / secondsInDay).rounded(.down))
    return CivilDate(daysSince1970: max(now, written.daysSince1970) - span)
  }
}
