import Chips
import Configuration
import LinuxIO
import Quantities
import ReceiverProtocols

/// A source of a receiver's pulses. Used from one thread.
package protocol PulseSource: AnyObject {
  /// Waits for the next edge.
  /// - Returns: The oldest edge not yet returned; nil at the deadline.
  func nextEdge(until deadline: Timestamp) throws(BusError) -> PulseEdge?
}

/// A GPIO line; the kernel stamps its edges with the monotonic clock.
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

/// A PPS source of the kernel.
final class KernelPulse: PulseSource {
  private let edges: LinuxPPSEdges

  init(path: String) throws(BusError) { edges = try LinuxPPSEdges(path: path) }

  func nextEdge(until deadline: Timestamp) throws(BusError) -> PulseEdge? {
    try edges.next(until: deadline).map {
      PulseEdge(
        instant: $0.instant, isAssert: $0.isAssert, systemUTC: $0.utc,
        systemErrorSeconds: SystemClock.errorSeconds, sequence: $0.count)
    }
  }
}
