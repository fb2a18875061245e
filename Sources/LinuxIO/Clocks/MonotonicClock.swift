import CLinuxIO
import Quantities

/// The kernel's `CLOCK_MONOTONIC`, the clock of samples, edges and deadlines. It counts from boot,
/// is never set, and stops while the machine is suspended.
public enum MonotonicClock {
  /// The present instant.
  public static var now: Timestamp { Timestamp(nanoseconds: linuxbus_monotonic()) }

  /// Returns no earlier than the deadline; signals do not shorten it.
  public static func sleep(until deadline: Timestamp) {
    linuxbus_sleep_until(deadline.nanoseconds)
  }

  /// Returns no earlier than so many seconds after the call.
  package static func sleep(seconds: Double) {
    sleep(until: now.advanced(bySeconds: seconds))
  }
}
