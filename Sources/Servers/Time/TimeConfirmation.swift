import Board
import Quantities

/// Decides whether a receiver's time is confirmed: fixes, known leap seconds, and for some seconds
/// times that advance with the machine's monotonic clock. A receiver may first report the time of
/// its own clock, another date or other leap seconds.
struct TimeConfirmation {
  /// Seconds in which all times must agree. Large values delay the first sample, small ones accept
  /// a time that the receiver corrects soon after its first fix.
  private static let agreement = 10.0
  /// Limit of the difference between the advance of the times and of their arrivals, seconds: less
  /// than a whole second, more than the jitter of a line.
  private static let tolerance = 0.5
  /// Seconds without a time after which the agreement begins again.
  private static let gap = 5.0

  /// Seconds of agreement for a receiver that does not report whether it knows the leap seconds.
  let unresolvedWait: Double
  private var agreesSince: Timestamp?
  private var last: ReceiverTime?

  init(unresolvedWait: Double) { self.unresolvedWait = unresolvedWait }

  /// Adds the next time of the receiver.
  /// - Returns: True if it is confirmed.
  mutating func add(_ time: ReceiverTime) -> Bool {
    guard time.hasFix, time.isResolved != false else {
      (agreesSince, last) = (nil, nil)
      return false
    }
    if let last {
      let elapsed = time.arrival.seconds(since: last.arrival)
      let difference = time.utc.seconds(since: last.utc) - elapsed
      if !(0...Self.gap).contains(elapsed) || abs(difference) > Self.tolerance { agreesSince = nil }
    }
    last = time
    agreesSince = agreesSince ?? time.arrival
    return isConfirmed(at: time.arrival)
  }

  /// Whether the newest time is confirmed and recent.
  func isConfirmed(at now: Timestamp) -> Bool {
    guard let last, let agreesSince, now.seconds(since: last.arrival) <= Self.gap else {
      return false
    }
    let wait = last.isResolved == true ? Self.agreement : max(Self.agreement, unresolvedWait)
    return last.arrival.seconds(since: agreesSince) >= wait
  }
}
