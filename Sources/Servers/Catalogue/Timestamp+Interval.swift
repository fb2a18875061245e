import Quantities

extension Timestamp? {
  /// Whether a report is due at an instant, some seconds after the last one; then the instant is
  /// noted.
  mutating func isDue(at instant: Timestamp, every seconds: Double) -> Bool {
    if let last = self, !last.isOver(at: instant, seconds) { return false }
    self = instant
    return true
  }
}

extension Timestamp {
  /// Whether the interval that begins at this instant is over, with half an estimate's interval of
  /// tolerance. The clock of another source may start at a lower time.
  func isOver(at instant: Timestamp, _ seconds: Double) -> Bool {
    instant < self || instant.seconds(since: self) >= seconds - 0.01
  }
}
