import Chips
import Quantities

/// The edges of a PPS source, one at a time, on both clocks: the kernel stamps edges with the
/// system's clock, but samples have the monotonic one.
///
/// - Source: RFC 2783, 3.2 and 3.4.3; Linux, Documentation/driver-api/pps.rst.
public final class LinuxPPSEdges {
  /// One edge.
  public struct Edge: Equatable, Sendable {
    /// Its instant on the monotonic clock.
    public let instant: Timestamp
    /// Its instant on the system's clock: the kernel's stamp.
    public let utc: UTCTime
    /// True for assert, false for clear.
    public let isAssert: Bool
    /// The kernel's count of such edges.
    public let count: UInt32
  }

  /// Largest age of an edge when it is read, ns. An older stamp is of an earlier edge, or the clock
  /// was set in between.
  private static let oldest: Int64 = 2_000_000_000

  private let source: LinuxPPS
  private var last: LinuxPPS.Pulse?
  private var waiting: Edge?

  /// Opens a source, such as `/dev/pps0`; earlier edges are not reported.
  /// - Throws: `BusError`: missing, forbidden or not a PPS source.
  public init(path: String) throws(BusError) {
    source = try LinuxPPS(path: path)
    last = try source.nextPulse(after: nil, until: MonotonicClock.now)
  }

  /// Waits for the next edge.
  /// - Returns: The edge; nil at the deadline.
  /// - Throws: `BusError` if the source was removed.
  public func next(until deadline: Timestamp) throws(BusError) -> Edge? {
    if let edge = waiting {
      waiting = nil
      return edge
    }
    while let pulse = try source.nextPulse(after: last, until: deadline) {
      let (asserts, clears) = (last?.assertCount ?? 0, last?.clearCount ?? 0)
      last = pulse
      let clocks = SystemClock.reading
      let assert =
        pulse.assertCount == asserts
        ? nil : Self.edge(pulse.assertTime, true, pulse.assertCount, clocks)
      let clear =
        pulse.clearCount == clears
        ? nil : Self.edge(pulse.clearTime, false, pulse.clearCount, clocks)
      guard let assert, let clear else {
        if let edge = assert ?? clear { return edge }
        continue
      }
      let isAssertFirst = assert.instant <= clear.instant
      waiting = isAssertFirst ? clear : assert
      return isAssertFirst ? assert : clear
    }
    return nil
  }

  private static func edge(
    _ stamp: UTCTime, _ isAssert: Bool, _ count: UInt32,
    _ clocks: (monotonic: Timestamp, utc: UTCTime)
  ) -> Edge? {
    let age = clocks.utc.nanosecondsSince1970 - stamp.nanosecondsSince1970
    guard age >= 0, age < oldest, UInt64(age) <= clocks.monotonic.nanoseconds else { return nil }
    return Edge(
      instant: Timestamp(nanoseconds: clocks.monotonic.nanoseconds - UInt64(age)), utc: stamp,
      isAssert: isAssert, count: count)
  }
}
