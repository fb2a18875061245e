import Quantities

/// Estimates when a chip measured its samples from when they were read. The chip's oscillator is
/// some percent off its nominal rate, but steady; the samples are read late.
///
/// Two polls bound the newest sample's instant: it was absent at the first and present at the
/// second. The timeline advances by the learnt period while that stays within the bounds, and is
/// set to the bound where it leaves them. Stamps never decrease.
package struct SampleTimeline: Sendable {
  /// The share of a correction that is applied to the learnt period. Small: a wrong nominal rate is
  /// learnt slowly; large: the jitter of the reads shows in the stamps.
  private static let periodGain = 0.05
  /// Largest deviation of an oscillator, as a share of the nominal rate.
  package static let tolerance = 0.12

  private let nominal: Double
  /// The learnt time between samples, nanoseconds.
  package private(set) var period: Double
  private var newest: Timestamp?
  private var earliest: Timestamp?

  package init(rateHertz: Double) {
    nominal = 1e9 / rateHertz
    period = nominal
  }

  /// Records a poll without a new sample.
  package mutating func foundNothing(at instant: Timestamp) { earliest = instant }

  /// The stamps of samples that were read together.
  /// - Parameters:
  ///   - count: The number of samples, at least 1.
  ///   - keepsAll: True for a FIFO, in which no sample is overwritten by the next.
  ///   - instant: The start of the transfer that returned the samples; for a FIFO, of the check
  ///     after which it was read completely, or the end of the reading if samples are left. None of
  ///     the samples was measured after it.
  ///   - isEmptied: False for a FIFO in which younger samples are left: the newest one may be older
  ///     than a period.
  ///   - lost: The number of older samples that the chip dropped.
  /// - Returns: The first stamp and the nanoseconds from one to the next.
  package mutating func stamps(
    count: Int, keepsAll: Bool = false, foundAt instant: Timestamp, isEmptied: Bool = true,
    lost: Int = 0
  ) -> (first: Timestamp, step: UInt64) {
    // A FIFO's newest sample is less than a period old; a single register's is younger than the
    // last empty poll.
    var low = instant.nanoseconds - min(instant.nanoseconds, UInt64(bounded: period))
    if let earliest { low = max(low, min(earliest.nanoseconds, instant.nanoseconds)) }
    if isEmptied { earliest = instant } else { low = 0 }
    guard let last = newest, lost == 0, last < instant else {
      newest = max(instant, newest ?? instant)
      let step = UInt64(bounded: period)
      let span = UInt64(count - 1) * step
      let begin = instant.nanoseconds - min(instant.nanoseconds, span)
      return (Timestamp(nanoseconds: begin), step)
    }
    // A register holds the newest sample only: overwritten samples count as intervals too.
    let elapsed = Double(instant.nanoseconds - last.nanoseconds)
    let intervals = keepsAll ? count : max(count, Int(bounded: (elapsed / period).rounded()))
    let predicted = last.nanoseconds + UInt64(bounded: Double(intervals) * period)
    let bounded = min(max(predicted, low), instant.nanoseconds)
    let error = Double(Int64(bounded) - Int64(predicted)) / Double(intervals)
    period += Self.periodGain * error
    period = min(max(period, nominal * (1 - Self.tolerance)), nominal * (1 + Self.tolerance))
    // Later than the last stamp even where the bounds allow no time.
    let now = max(bounded, last.nanoseconds + UInt64(count))
    newest = Timestamp(nanoseconds: now)
    let step = (now - last.nanoseconds) / UInt64(count)
    // After a gap (a late thread without a FIFO) the samples lie together at its end.
    let usual = min(step, UInt64(bounded: period * 1.5))
    return (Timestamp(nanoseconds: now - UInt64(count - 1) * usual), usual)
  }

  /// The stamp of one sample whose instant is known by a data-ready edge.
  package mutating func sample(at edge: Timestamp) -> Timestamp {
    let stamp = newest.map { max(edge, $0.advanced(byNanoseconds: 1)) } ?? edge
    (newest, earliest) = (stamp, stamp)
    return stamp
  }
}
