package import Quantities

extension Date {
  /// The civil time of a time of the house.
  package init(_ time: UTCTime) {
    // In two parts: one double of nanoseconds would lose some hundred of them.
    let (seconds, rest) = time.nanosecondsSince1970.quotientAndRemainder(
      dividingBy: 1_000_000_000)
    self = Date(timeIntervalSince1970: Double(seconds)).addingTimeInterval(Double(rest) * 1e-9)
  }
}

extension UTCTime {
  /// The time of a date; nil where it is too far from now to be counted in nanoseconds.
  package init?(_ date: Date) { self.init(secondsSince1970: date.timeIntervalSince1970) }
}
