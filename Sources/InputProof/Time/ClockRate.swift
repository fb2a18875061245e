import Quantities

/// The rate of the stamps' clock against the time of a receiver, which is right to microseconds.
struct ClockRate: Sendable {
  /// The time over which a rate is taken, s: a receiver's message may be late by a second.
  private static let span = 60.0
  /// Longest pause between fixes of a span, s.
  private static let longestPause = 10.0
  /// Spans in a row that must agree within a share.
  private static let (wanted, agreement) = (2, 0.03)

  /// True divided by stamped duration; nil before the spans agree on it.
  private(set) var factor: Double?
  private var begin: (at: Timestamp, utc: UTCTime)?
  private var newest: Timestamp?
  private var run = (newest: 0.0, count: 0)

  mutating func add(_ utc: UTCTime, at t: Timestamp) {
    defer { newest = t }
    guard let begin, let newest, t > newest, t.seconds(since: newest) < Self.longestPause else {
      begin = (t, utc)
      return
    }
    let stamped = t.seconds(since: begin.at)
    let elapsed = utc.seconds(since: begin.utc)
    // By the longer of both: with a slow clock a minute of stamps is long.
    guard max(stamped, elapsed) >= Self.span else { return }
    self.begin = (t, utc)
    guard stamped > 0, elapsed > 0 else { return run = (0, 0) }
    let ratio = elapsed / stamped
    let isNear = run.count > 0 && abs(ratio / run.newest - 1) < Self.agreement
    run = (ratio, isNear ? run.count + 1 : 1)
    if run.count >= Self.wanted { factor = ratio }
  }
}
