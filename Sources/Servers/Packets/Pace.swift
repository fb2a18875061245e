import Quantities

/// The greatest rate of a message, by the times of the estimates.
struct Pace: Sendable {
  /// The tolerance of the due time, half an estimate's interval, s.
  private static let slack = 0.005

  /// Seconds between two messages.
  let interval: Double
  private var last: Timestamp?

  init(interval: Double) { self.interval = interval }

  /// True where a message is due, which is then counted as sent.
  mutating func isDue(at time: Timestamp) -> Bool {
    // The clock of a restarted daemon may start again at a lower time.
    if let last, (0..<interval - Self.slack).contains(time.seconds(since: last)) { return false }
    last = time
    return true
  }
}
