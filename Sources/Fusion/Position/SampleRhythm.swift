import Quantities

/// The times of samples that come at some rate, and whether they have ceased.
struct SampleRhythm: Sendable {
  /// The time of the newest sample.
  private(set) var newest: Timestamp?
  /// The newest two intervals, s. The shorter one is the rhythm: a single gap is none.
  private var intervals = (0.0, 0.0)

  /// Adds a sample; one that is older than the newest changes nothing.
  mutating func add(_ t: Timestamp) {
    if let newest {
      guard t > newest else { return }
      intervals = (t.seconds(since: newest), intervals.0)
    }
    newest = t
  }

  /// Whether samples are missing: for longer than a time, and than two and a half intervals.
  func isBroken(at t: Timestamp, after seconds: Double) -> Bool {
    guard let newest else { return false }
    return t.seconds(since: newest) > max(seconds, 2.5 * min(intervals.0, intervals.1))
  }
}
