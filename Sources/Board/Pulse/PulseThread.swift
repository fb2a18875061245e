import Chips
import Configuration
import Quantities
import ReceiverProtocols

/// The thread of a receiver's pulse: waits for edges, adds them to the pairing, and opens a removed
/// source again when it returns.
struct PulseThread {
  /// Timeout of a wait, ns: bounds the delay of a stop and of the report of a silent line.
  private static let longestWait: UInt64 = 200_000_000

  let pulse: Board.Pulse
  let hardware: any BoardHardware
  let clock: PulseClock
  let queue: SampleQueue
  let monitor: ReceiverMonitor
  let input: ReceiverInput

  /// Reads edges until the queue is stopped.
  func run() {
    var last: Timestamp?
    var delay = ReopeningDelay()
    while !queue.isStopped {
      do throws(BusError) {
        let source = try hardware.pulse(pulse)
        monitor.pulse(fault: nil)
        while !queue.isStopped {
          let deadline = hardware.now.advanced(byNanoseconds: Self.longestWait)
          if let edge = try source.nextEdge(until: deadline) {
            clock.add(edge)
            delay.reset()
          } else if !hardware.isPresent(pulse.source) {
            // The kernel reports no error of a removed PPS source.
            throw BusError(.disconnected, device: pulse.source)
          }
          let timing = clock.timing(at: hardware.now)
          monitor.pulse(timing)
          if let pulse = timing.lastPulse, pulse.instant != last {
            last = pulse.instant
            publish(pulse, timing)
          }
        }
      } catch {
        monitor.pulse(clock.timing(at: hardware.now))
        monitor.pulse(fault: error.description)
        delay.wait(for: pulse.source, hardware, queue)
      }
    }
  }

  private func publish(_ pulse: MarkedPulse, _ timing: PulseTiming) {
    input.publish(
      PulseReport(pulse, isPaired: timing.state == .paired, jitterSeconds: timing.jitterSeconds))
  }
}
