import Foundation
import Quantities

/// Which dates a receiver can tell that speaks now.
///
/// GPS counts weeks modulo 1024: a receiver past its time tells dates 19.6 years too early.
enum LiveDates {
  /// When this was written: a machine without a clock of its own may believe in 1970.
  private static let written = CivilDate(year: 2026, month: 11, day: 1)
  /// Nearly 1024 weeks: a date that lies farther back is one of the past count.
  private static let span = 7000

  /// The first day that a live stream can be of.
  static func earliest(today: Date) -> CivilDate {
    let secondsInDay = 86_400.0
    let now = Int((today.timeIntervalSince1970 / secondsInDay).rounded(.down))
    return CivilDate(daysSince1970: max(now, written.daysSince1970) - span)
  }
}
