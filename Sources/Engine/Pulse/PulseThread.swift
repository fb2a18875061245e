import BoardFile
import Bus
import Foundation
import Quantities

/// The thread of a receiver's pulse: waits for edges, hands them to the pairing, and opens the source again
/// when it comes back.
struct PulseThread {
  /// How often a source that is gone is looked for, s.
  private static let retryInterval = 0.5
  /// A wait ends within this, ns, so that a stop is seen and a silent line is told.
  private static let longestWait: UInt64 = 200_000_000

  let pulse: Board.Pulse
  let hardware: any BoardHardware
  let clock: PulseClock
  let queue: RowQueue
  let monitor: BoardMonitor

  /// Serves the source until the queue is stopped.
  func run() {
    while !queue.isStopped {
      do throws(BusError) {
        let source = try hardware.pulse(pulse)
        monitor.pulse(fault: nil)
        while !queue.isStopped {
          let deadline = hardware.now.advanced(byNanoseconds: Self.longestWait)
          if let edge = try source.nextEdge(until: deadline) { clock.add(edge) }
          monitor.pulse(clock.timing(at: hardware.now))
        }
      } catch {
        monitor.pulse(clock.timing(at: hardware.now))
        monitor.pulse(fault: error.description)
        Thread.sleep(forTimeInterval: Self.retryInterval)
      }
    }
  }
}
