import Bus
import Quantities

/// The edges of a source of pulses, one at a time, each on both clocks: the kernel stamps with the system's
/// and samples are stamped with the monotonic one.
///
/// - Source: RFC 2783, 3.2 and 3.4.3; Linux, Documentation/driver-api/pps.rst.
public final class LinuxPPSEdges {
  /// One edge.
  public struct Edge: Equatable, Sendable {
    /// When it came, on the monotonic clock.
    public let instant: Timestamp
    /// When it came, on the system's clock: the kernel's own stamp.
    public let utc: UTCTime
    /// Assert or clear.
    public let isAssert: Bool
    /// The kernel's count of such edges.
    public let count: UInt32
  }

  /// An edge is read within this of its coming; an older stamp is one of before, or the clock was set in
  /// between, ns.
  private static let oldest: Int64 = 2_000_000_000

  private let source: LinuxPPS
  private var last: LinuxPPS.Pulse?
  private var waiting: Edge?

  /// Opens a source, such as `/dev/pps0`; edges of before are not told.
  /// - Throws: `BusError` that says whether it is missing, forbidden or no source of pulses.
  public init(path: String) throws(BusError) {
    source = try LinuxPPS(path: path)
    last = try source.nextPulse(after: nil, until: MonotonicClock.now)
  }

  /// Waits for the next edge.
  /// - Returns: The edge; nil where none came before the deadline.
  /// - Throws: `BusError` where the source is gone.
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
