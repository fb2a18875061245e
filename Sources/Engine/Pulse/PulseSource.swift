import BoardFile
import Bus
import LinuxBus
import Quantities
import ReceiverProtocols

/// What a receiver's pulse comes in on. One thread uses it.
package protocol PulseSource: AnyObject {
  /// Waits for the next edge.
  /// - Returns: The oldest edge that nobody has taken; nil where none came before the deadline.
  func nextEdge(until deadline: Timestamp) throws(BusError) -> PulseEdge?
}

/// A GPIO line: the kernel stamps its edges on the monotonic clock.
final class LinePulse: PulseSource {
  private let line: LinuxGPIOLine

  init(name: String, edge: Board.Pulse.Edge) throws(BusError) {
    let edges: LinuxGPIOLine.Edges =
      switch edge {
      case .automatic: .both
      case .rising: .rising
      case .falling: .falling
      }
    line = try LinuxGPIOLine(name: name, direction: .edges(edges))
  }

  func nextEdge(until deadline: Timestamp) throws(BusError) -> PulseEdge? {
    guard let edge = try line.nextEdge(until: deadline) else { return nil }
    let clocks = SystemClock.reading
    return PulseEdge(
      instant: edge.timestamp, isAssert: edge.isRising,
      systemUTC: clocks.utc.advanced(bySeconds: edge.timestamp.seconds(since: clocks.monotonic)),
      systemErrorSeconds: SystemClock.errorSeconds)
  }
}

/// A source of the kernel: LinuxPPS stamps with the system's clock, and counts.
///
/// - Source: RFC 2783, 3.2 and 3.4.3; Linux, Documentation/driver-api/pps.rst.
final class KernelPulse: PulseSource {
  /// A pulse is taken within this of its coming; an older stamp is one of before, or the clock was set in
  /// between, s.
  private static let oldest = 2.0

  private let source: LinuxPPS
  private var last: LinuxPPS.Pulse?
  private var waiting: PulseEdge?

  init(path: String) throws(BusError) {
    source = try LinuxPPS(path: path)
    // What came before nobody was there to see.
    last = try source.nextPulse(after: nil, until: MonotonicClock.now)
  }

  func nextEdge(until deadline: Timestamp) throws(BusError) -> PulseEdge? {
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
  ) -> PulseEdge? {
    let age = clocks.utc.nanosecondsSince1970 - stamp.nanosecondsSince1970
    guard age >= 0, Double(age) * 1e-9 < oldest, UInt64(age) <= clocks.monotonic.nanoseconds else {
      return nil
    }
    return PulseEdge(
      instant: Timestamp(nanoseconds: clocks.monotonic.nanoseconds - UInt64(age)),
      isAssert: isAssert, systemUTC: stamp, systemErrorSeconds: SystemClock.errorSeconds,
      sequence: count)
  }
}
