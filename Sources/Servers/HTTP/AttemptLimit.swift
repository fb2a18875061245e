import Quantities

/// Limits failed attempts of each address.
package struct AttemptLimit {
  /// Failed attempts of one address in the interval, seconds.
  package static let (mostFailures, interval) = (10, 60.0)
  /// Limit of the addresses with failures; while it is reached, further ones are refused.
  package static let mostAddresses = 256

  private var failures: [String: (since: Timestamp, count: Int)] = [:]

  package init() {}

  /// Whether an address may try.
  package mutating func admits(_ address: String, at now: Timestamp) -> Bool {
    if let known = failures[address], now.seconds(since: known.since) < Self.interval {
      return known.count < Self.mostFailures
    }
    guard failures.count >= Self.mostAddresses else { return true }
    failures = failures.filter { now.seconds(since: $0.value.since) < Self.interval }
    return failures.count < Self.mostAddresses
  }

  /// Records a failed attempt.
  package mutating func recordFailure(_ address: String, at now: Timestamp) {
    let known = failures[address] ?? (since: now, count: 0)
    let isOld = now.seconds(since: known.since) >= Self.interval
    failures[address] = isOld ? (now, 1) : (known.since, known.count + 1)
  }
}
