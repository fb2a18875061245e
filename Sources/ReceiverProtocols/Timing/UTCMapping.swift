import Quantities

/// The linear relation of the monotonic clock and UTC through the last pulses.
///
/// UTC is in POSIX time: at a leap second, a mapping is correct only on the side of its anchor.
public struct UTCMapping: Equatable, Sendable {
  /// An instant on the line, near the last pulse.
  public let anchor: Timestamp
  /// The UTC of that instant.
  public let utc: UTCTime
  /// Seconds of the monotonic clock per second of UTC.
  public let clockRate: Double

  /// Makes a line through an instant.
  public init(anchor: Timestamp, utc: UTCTime, clockRate: Double) {
    self.anchor = anchor
    self.utc = utc
    self.clockRate = clockRate
  }

  /// The UTC of an instant.
  public func utc(at instant: Timestamp) -> UTCTime {
    utc.advanced(bySeconds: instant.seconds(since: anchor) / clockRate)
  }

  /// The instant of a UTC time; nil before the monotonic clock's zero and 292 years or more from
  /// the anchor.
  public func timestamp(of instant: UTCTime) -> Timestamp? {
    let (step, isBeyond) = instant.nanosecondsSince1970.subtractingReportingOverflow(
      utc.nanosecondsSince1970)
    guard !isBeyond else { return nil }
    // The step itself remains an integer: only the clock's error is computed as a Double.
    let stretched = (Double(step) * (clockRate - 1)).rounded()
    guard abs(stretched) < 9e18 else { return nil }
    let (total, isTooFar) = step.addingReportingOverflow(Int64(bounded: stretched))
    guard !isTooFar else { return nil }
    if total >= 0 {
      let (sum, isLate) = anchor.nanoseconds.addingReportingOverflow(UInt64(total))
      return isLate ? nil : Timestamp(nanoseconds: sum)
    }
    guard total.magnitude <= anchor.nanoseconds else { return nil }
    return Timestamp(nanoseconds: anchor.nanoseconds - total.magnitude)
  }
}
