/// A time in UTC without leap seconds, as in POSIX.
public struct UTCTime: Equatable, Comparable, Hashable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z; negative before.
  public var nanosecondsSince1970: Int64

  /// Makes a time from nanoseconds since 1970.
  public init(nanosecondsSince1970: Int64) { self.nanosecondsSince1970 = nanosecondsSince1970 }

  /// Makes a time from seconds since 1970, to the nearest nanosecond.
  /// - Returns: nil outside the years 1678 to 2261, and for NaN.
  public init?(secondsSince1970 seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    guard abs(scaled) < 9.22e18 else { return nil }
    nanosecondsSince1970 = Int64(bounded: scaled)
  }

  /// Makes a time from a civil date and time.
  /// - Returns: nil if the date does not exist. Second 60, a leap second, is the next minute's 0.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    nanosecond: Int = 0
  ) {
    guard (1678...2261).contains(year), (1...12).contains(month),
      day >= 1, day <= CivilDate.days(inMonth: month, of: year),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0...999_999_999).contains(nanosecond)
    else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    nanosecondsSince1970 = seconds * 1_000_000_000 + Int64(nanosecond)
  }

  /// Seconds since 1970; a `Double` has a resolution of about a quarter of a microsecond.
  public var secondsSince1970: Double { Double(nanosecondsSince1970) * 1e-9 }

  /// Whole seconds since 1970 and the nanoseconds after them.
  public var parts: (seconds: Int64, nanoseconds: Int64) {
    let seconds = Self.floorDivide(nanosecondsSince1970, 1_000_000_000)
    return (seconds, nanosecondsSince1970 &- seconds &* 1_000_000_000)
  }

  /// Seconds since `earlier`, exact to the nanosecond within 100 days.
  public func seconds(since earlier: UTCTime) -> Double {
    Double(nanosecondsSince1970 &- earlier.nanosecondsSince1970) * 1e-9
  }

  /// The time so many seconds later, limited to the representable range.
  public func advanced(bySeconds s: Double) -> UTCTime {
    let step = Int64(bounded: max(-9.2e18, min(9.2e18, (s * 1e9).rounded())))
    let (sum, isBeyond) = nanosecondsSince1970.addingReportingOverflow(step)
    return UTCTime(nanosecondsSince1970: isBeyond ? (step < 0 ? .min : .max) : sum)
  }

  /// The nearest multiple of a unit, with a carry into the date. Every output with fewer digits
  /// rounds with this function, so that two formats never differ by a digit.
  public func rounded(toNanoseconds unit: Int64) -> UTCTime {
    let (sum, isBeyond) = nanosecondsSince1970.addingReportingOverflow(unit / 2)
    guard !isBeyond else { return self }
    let count = Self.floorDivide(sum, unit)
    let (product, overflow) = count.multipliedReportingOverflow(by: unit)
    return overflow ? self : UTCTime(nanosecondsSince1970: product)
  }

  /// The civil date.
  public var date: CivilDate {
    CivilDate(daysSince1970: Int(Self.floorDivide(nanosecondsSince1970, Self.day)))
  }

  /// Nanoseconds since midnight.
  public var nanosecondsOfDay: Int64 {
    // From the remainder: the first midnight of the range is not representable in an Int64.
    let passed = nanosecondsSince1970 % Self.day
    return passed < 0 ? passed + Self.day : passed
  }

  /// The year with its elapsed fraction: 2025.5 is the middle of 2025.
  public var decimalYear: Double {
    let date = self.date
    let first = CivilDate(year: date.year, month: 1, day: 1).daysSince1970
    let passed = Double(date.daysSince1970 - first) + Double(nanosecondsOfDay) / Double(Self.day)
    return Double(date.year) + passed / (CivilDate.isLeap(date.year) ? 366 : 365)
  }

  /// The order in time.
  public static func < (a: UTCTime, b: UTCTime) -> Bool {
    a.nanosecondsSince1970 < b.nanosecondsSince1970
  }

  private static var day: Int64 { 86_400_000_000_000 }

  private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let q = a / b
    return a % b < 0 ? q - 1 : q
  }
}

/// A day of the proleptic Gregorian calendar.
public struct CivilDate: Equatable, Hashable, Sendable {
  /// The year, 1 BC being 0.
  public var year: Int
  /// The month, 1 to 12.
  public var month: Int
  /// The day of the month, from 1.
  public var day: Int

  /// Makes a day without a check.
  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day at a number of days after 1970-01-01.
  /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
  public init(daysSince1970: Int) {
    let z = daysSince1970 + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01; negative before.
  /// - Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
  public var daysSince1970: Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// True for a year with a 29 February.
  public static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  /// The number of days of a month, 1 to 12.
  public static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
