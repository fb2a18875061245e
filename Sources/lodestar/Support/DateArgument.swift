import ArgumentParser
import Foundation
import Quantities

/// A date on the command line: a decimal year (2026.5) or an ISO 8601 date with or without a time.
struct DateArgument: ExpressibleByArgument {
  let utc: UTCTime
  /// The decimal year; the typed value where it was one, without a conversion through the calendar.
  let decimalYear: Double

  init?(argument: String) {
    if let year = Double(argument), (1000...3000).contains(year) {
      let whole = Int(year)
      guard let first = UTCTime(year: max(whole, 1678), month: 1, day: 1) else { return nil }
      let days = CivilDate.isLeap(whole) ? 366.0 : 365.0
      utc = first.advanced(bySeconds: (year - Double(whole)) * days * 86_400)
      decimalYear = year
      return
    }
    guard let utc = Self.iso(argument) else { return nil }
    self.utc = utc
    decimalYear = utc.decimalYear
  }

  /// The present time.
  static var now: DateArgument? {
    UTCTime(secondsSince1970: Date().timeIntervalSince1970).map { DateArgument($0) }
  }

  private init(_ utc: UTCTime) {
    self.utc = utc
    decimalYear = utc.decimalYear
  }

  /// `YYYY-MM-DD`, `YYYY-MM-DDThh:mm`, `YYYY-MM-DDThh:mm:ss`, with or without `Z`.
  private static func iso(_ text: String) -> UTCTime? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard let day = parts.first, parts.count <= 2 else { return nil }
    let date = day.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 3, let y = date[0], let m = date[1], let d = date[2] else { return nil }
    guard parts.count == 2 else { return UTCTime(year: y, month: m, day: d) }
    let clock = parts[1].hasSuffix("Z") ? parts[1].dropLast() : parts[1]
    let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(time.count), let hour = time[0], let minute = time[1] else { return nil }
    guard let second = time.count == 3 ? time[2] : 0 else { return nil }
    return UTCTime(year: y, month: m, day: d, hour: hour, minute: minute, second: second)
  }
}
