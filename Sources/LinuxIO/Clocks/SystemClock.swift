import CLinuxIO
import Quantities

/// The kernel's `CLOCK_REALTIME`: UTC, as accurate as its synchronisation.
public enum SystemClock {
  /// Both clocks at one instant.
  ///
  /// The monotonic clock is read before and after, and the closest of three such pairs is used: an
  /// interrupt between the readings increases their distance.
  public static var reading: (monotonic: Timestamp, utc: UTCTime) {
    var narrowest = UInt64.max
    var best = (Timestamp(nanoseconds: 0), UTCTime(nanosecondsSince1970: 0))
    for _ in 0..<3 {
      let before = linuxbus_monotonic()
      let utc = linuxbus_realtime()
      let width = linuxbus_monotonic() &- before
      guard width < narrowest else { continue }
      narrowest = width
      best = (
        Timestamp(nanoseconds: before + width / 2),
        UTCTime(nanosecondsSince1970: Int64(clamping: utc))
      )
    }
    return best
  }

  /// The time of `reading`; nil where the clock has never been set: it shows a time before 2025, as
  /// on a board without a battery clock after a start without a network.
  public static var civilTime: UTCTime? {
    let now = reading.utc
    return now >= earliestTime ? now : nil
  }

  /// The begin of the magnetic model's validity, 2025-01-01, which is older than this program.
  private static let earliestTime = UTCTime(nanosecondsSince1970: 1_735_689_600_000_000_000)

  /// The kernel's estimate of the clock's largest error, seconds; nil if it is not synchronised.
  ///
  /// - Source: adjtimex(2), `maxerror` and `STA_UNSYNC`.
  public static var errorSeconds: Double? {
    let microseconds = linuxbus_realtime_error()
    return microseconds < 0 ? nil : Double(microseconds) * 1e-6
  }
}
