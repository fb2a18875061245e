import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// `CLOCK_MONOTONIC`, the clock of sightings and reports.
public enum BeaconClock {
  /// The present instant.
  public static var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Timestamp(
      nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
  }
}
