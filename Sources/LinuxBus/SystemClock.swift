import CLinuxBus
import Quantities

/// The kernel's `CLOCK_REALTIME`: civil time, as right as whatever sets it.
public enum SystemClock {
  /// Both clocks at one instant.
  ///
  /// The monotonic clock is read before and after, and the narrowest of three such pairs is taken: whoever
  /// interrupts the reading makes it wide.
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

  /// How far the clock can be off by the kernel's account, seconds; nil where nothing sets it.
  ///
  /// - Source: adjtimex(2), `maxerror` and `STA_UNSYNC`.
  public static var errorSeconds: Double? {
    let microseconds = linuxbus_realtime_error()
    return microseconds < 0 ? nil : Double(microseconds) * 1e-6
  }
}
