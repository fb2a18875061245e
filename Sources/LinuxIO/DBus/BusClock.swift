/// Seconds of `CLOCK_MONOTONIC`, the clock of all deadlines.
enum BusClock {
  static var seconds: Double { Double(MonotonicClock.now.nanoseconds) * 1e-9 }
}
