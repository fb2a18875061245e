/// The clock of the edge stamps of the kernel's first GPIO interface, which libgpiod 1 uses:
/// `CLOCK_MONOTONIC` since Linux 5.7, `CLOCK_REALTIME` before. The interface does not report which.
package enum EdgeClock {
  /// Converts a stamp of either clock.
  ///
  /// An edge is read soon after it occurs, so its clock is the one whose reading is nearer. Before
  /// a machine without an RTC has set its time, both clocks are nearly equal, and either result is
  /// accurate enough.
  /// - Parameters:
  ///   - stamp: The kernel's stamp, nanoseconds.
  ///   - monotonic: `CLOCK_MONOTONIC` as the edge was read, nanoseconds.
  ///   - realtime: `CLOCK_REALTIME` at the same time, nanoseconds.
  /// - Returns: The stamp on `CLOCK_MONOTONIC`, nanoseconds.
  package static func monotonic(_ stamp: UInt64, monotonic: UInt64, realtime: UInt64) -> UInt64 {
    if distance(stamp, monotonic) <= distance(stamp, realtime) { return stamp }
    let age = realtime >= stamp ? realtime - stamp : 0
    return monotonic >= age ? monotonic - age : 0
  }

  private static func distance(_ a: UInt64, _ b: UInt64) -> UInt64 { a > b ? a - b : b - a }
}
