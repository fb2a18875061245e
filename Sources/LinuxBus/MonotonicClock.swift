import CLinuxBus
import Quantities

/// The kernel's `CLOCK_MONOTONIC`: the clock that samples, edges and deadlines are counted on. It counts
/// from boot, is never set, and stands while the machine is suspended.
public enum MonotonicClock {
  /// The present instant.
  public static var now: Timestamp { Timestamp(nanoseconds: linuxbus_monotonic()) }

  /// Returns no earlier than the deadline; signals do not shorten it.
  public static func sleep(until deadline: Timestamp) {
    linuxbus_sleep_until(deadline.nanoseconds)
  }
}
