package import Quantities

extension Date {
  /// Converts from the engine's UTC time.
  package init(_ time: UTCTime) {
    // In two parts: one Double would lose some hundred nanoseconds.
    let (seconds, rest) = time.nanosecondsSince1970.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    self = Date(timeIntervalSince1970: Double(seconds)).addingTimeInterval(Double(rest) * 1e-9)
  }
}

extension UTCTime {
  /// The time of a date; nil beyond the range of 64-bit nanoseconds.
  package init?(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }
}
