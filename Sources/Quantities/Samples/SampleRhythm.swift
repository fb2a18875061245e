/// The times of samples that come at some rate, and whether they have ceased.
package struct SampleRhythm: Sendable {
  /// The time of the newest sample.
  package private(set) var newest: Timestamp?
  /// The newest two intervals, s. The shorter one counts, so that a single gap changes nothing.
  private var intervals = (first: 0.0, second: 0.0)

  package init() {}

  /// Adds a sample; one that is older than the newest changes nothing.
  package mutating func add(_ t: Timestamp) {
    if let newest {
      guard t > newest else { return }
      intervals = (t.seconds(since: newest), intervals.first)
    }
    newest = t
  }

  /// The age of the newest sample from which samples are missing, s: two and a half intervals, or
  /// `seconds` where that is longer.
  package func longestAge(atLeast seconds: Double) -> Double {
    max(seconds, 2.5 * min(intervals.first, intervals.second))
  }

  /// Whether samples are missing at an instant.
  package func isBroken(at t: Timestamp, after seconds: Double) -> Bool {
    newest.map { t.seconds(since: $0) > longestAge(atLeast: seconds) } ?? false
  }
}
