import Quantities

/// The states that the broker has not acknowledged, in the order of time: a bounded number of the
/// newest.
package struct MQTTBuffer: Sendable {
  /// Limit of the states.
  package static let mostStates = 600
  /// Limit of their bytes.
  package static let mostBytes = 256 << 10
  /// Limit of the states that are sent and not acknowledged: with a round trip of 1 s still 16 a
  /// second.
  package static let mostInFlight = 16

  /// The states that were dropped since the last report.
  package struct Dropped: Equatable, Sendable {
    package var count: Int
    /// The civil times of the first and the last one.
    package var first: UTCTime
    package var last: UTCTime
  }

  private struct Entry {
    let payload: [UInt8]
    let time: UTCTime
    /// The library's number; nil while it is not sent.
    var number: Int32?
  }

  private var entries: [Entry] = []
  private var bytes = 0
  /// The states at the start of `entries` that are sent.
  private var inFlight = 0
  /// The number of entries that are older than the state that was published as the current one.
  private var past = 0
  private var dropped: Dropped?

  package init() {}

  /// The number of states.
  package var count: Int { entries.count }

  /// True where a state may be sent now.
  package var hasNext: Bool { inFlight < min(entries.count, Self.mostInFlight) }

  /// Adds the newest state; the oldest ones are dropped beyond the limits.
  package mutating func append(_ payload: [UInt8], at time: UTCTime) {
    entries.append(Entry(payload: payload, time: time))
    bytes += payload.count
    var excess = 0
    while entries.count - excess > Self.mostStates || bytes > Self.mostBytes {
      let oldest = entries[excess]
      bytes -= oldest.payload.count
      dropped = Dropped(
        count: (dropped?.count ?? 0) + 1, first: dropped?.first ?? oldest.time, last: oldest.time)
      excess += 1
    }
    remove(0..<excess)
  }

  /// The oldest state that is not sent, while fewer than the limit are in flight.
  package var next: [UInt8]? { hasNext ? entries[inFlight].payload : nil }

  /// True if `next` must be sent as history: a newer state was published as the current one, or
  /// waits and is later by more than `seconds`.
  package func isNextPast(by seconds: Double) -> Bool {
    guard hasNext, let newest = entries.last else { return false }
    return inFlight < past || newest.time.seconds(since: entries[inFlight].time) > seconds
  }

  /// The newest state, unless it is sent, to publish as the current state; the other waiting
  /// entries become history.
  package mutating func showNewest() -> [UInt8]? {
    guard inFlight < entries.count else { return nil }
    past = entries.count - 1
    return entries.last?.payload
  }

  /// Records that `next` was sent.
  package mutating func sent(_ number: Int32) {
    guard hasNext else { return }
    entries[inFlight].number = number
    inFlight += 1
  }

  /// Removes the state of a number; numbers of other messages have no effect.
  /// - Returns: Whether there was one.
  @discardableResult
  package mutating func acknowledge(_ number: Int32) -> Bool {
    guard let index = entries[..<inFlight].firstIndex(where: { $0.number == number }) else {
      return false
    }
    bytes -= entries[index].payload.count
    remove(index..<index + 1)
    return true
  }

  /// Makes all states wait again: the connection is lost, and with it what was not acknowledged.
  package mutating func rewind() {
    for index in 0..<inFlight { entries[index].number = nil }
    (inFlight, past) = (0, 0)
  }

  /// The dropped states since the last call.
  package mutating func removeDropped() -> Dropped? {
    defer { dropped = nil }
    return dropped
  }

  /// Removes all states, also those that are sent and not acknowledged.
  package mutating func removeAll() {
    remove(entries.indices)
    bytes = 0
  }

  private mutating func remove(_ range: Range<Int>) {
    inFlight -= range.clamped(to: 0..<inFlight).count
    past -= range.clamped(to: 0..<past).count
    entries.removeSubrange(range)
  }
}
