/// The clock behind the edges' stamps of the kernel's first GPIO interface, which libgpiod 1 uses: since
/// Linux 5.7 `CLOCK_MONOTONIC`, before that `CLOCK_REALTIME`, and neither says which.
package enum EdgeClock {
  /// Converts a stamp of whichever clock.
  ///
  /// An edge is young when it is read, so its clock is the one that it is nearer to. Before a machine
  /// without a battery learns the time, both show nearly the same and either is right within that.
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
