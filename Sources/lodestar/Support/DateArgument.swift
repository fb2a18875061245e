import ArgumentParser
import FoundationEssentials
import Quantities

/// A date on the command line: a decimal year (2026.5) or an ISO 8601 date with or without a time.
struct DateArgument: ExpressibleByArgument {
  let utc: UTCTime
  /// The decimal year; the typed value if it was one, without a conversion through the calendar.
  let decimalYear: Double

  init?(argument: String) {
    if let year = Double(argument), (1000...3000).contains(year) {
      let whole = Int(bounded: year)
      guard let first = UTCTime(year: max(whole, 1678), month: 1, day: 1) else { return nil }
      let days = CivilDate.isLeap(whole) ? 366.0 : 365.0
      utc = first.advanced(bySeconds: (year - Double(whole)) * days * 86_400)
      decimalYear = year
      return
    }
    guard let utc = UTCTime(iso8601: argument, isAbbreviated: true) else {
      RefusedValue.explain(
        "expected an existing day from 1678 to 2262 or a decimal year, such as 2026-07-01 or 2026.5"
      )
      return nil
    }
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
}
