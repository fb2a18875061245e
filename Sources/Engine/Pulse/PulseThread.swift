import Chips
import Configuration
import Quantities

/// The thread of a receiver's pulse: waits for edges, adds them to the pairing, and opens a removed source
/// again when it returns.
struct PulseThread {
  /// Interval between attempts to open the source, s.
  private static let retryInterval = 0.5
  /// Timeout of a wait, ns: bounds the delay of a stop and of the report of a silent line.
  private static let longestWait: UInt64 = 200_000_000

  let pulse: Board.Pulse
  let hardware: any BoardHardware
  let clock: PulseClock
  let queue: SampleQueue
  let monitor: BoardMonitor

  /// Reads edges until the queue is stopped.
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
        queue.waitForStop(atMost: Self.retryInterval)
      }
    }
  }
}
