import Formats
import Quantities

/// Compares the estimates of a replay with the recorded ones, to the last bit.
struct EstimateComparison {
  /// Recorded estimates.
  private(set) var count = 0
  /// Those that are equal.
  private(set) var equal = 0
  /// The first that is not: its time and what differs.
  private(set) var first: String?

  mutating func add(_ recorded: EstimateMessage, _ estimate: Estimate) {
    count += 1
    let names = recorded.differences(from: EstimateMessage(estimate, nanoseconds: 0))
    if names.isEmpty {
      equal += 1
    } else if first == nil {
      let seconds = FieldText.fixed(Timestamp(nanoseconds: recorded.clock).seconds, 3)
      first = "at \(seconds) s: \(names.joined(separator: ", "))"
    }
  }

  /// One line.
  var text: String {
    if count == 0 { return "no recorded estimates to compare with" }
    guard let first else { return "\(count) recorded estimates: all equal to the last bit" }
    return "\(count) recorded estimates: \(count - equal) differ, the first \(first)"
  }
}
