#if canImport(Glibc)
  import Glibc
#endif

/// Seconds of `CLOCK_MONOTONIC`, the clock of all deadlines.
enum BusClock {
  static var seconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
