import BoardFile
import Bus
import Foundation
import Quantities
import Recording

/// The thread of the receiver's port: finds the speed by listening where the board file does not say it,
/// reads, and opens the port again when it comes back.
struct ReceiverThread {
  /// How often a port that is gone is looked for, s: it has to be back within two seconds.
  private static let retryInterval = 0.5
  /// A read returns within this, ns, so that a stop is seen.
  private static let longestWait: UInt64 = 200_000_000
  let receiver: Board.Receiver
  let hardware: any BoardHardware
  let queue: RowQueue
  let monitor: BoardMonitor

  /// Serves the port until the queue is stopped.
  func run() {
    var baud = receiver.baud
    while !queue.isStopped {
      do throws(BusError) {
        let port = try hardware.serialPort(receiver.port, baud: baud ?? ReceiverEar.speeds[0])
        if baud == nil { baud = try listen(to: port) }
        guard baud != nil else { continue }
        monitor.receiver(fault: nil)
        try read(port)
      } catch {
        monitor.receiver(fault: error.description)
        Thread.sleep(forTimeInterval: Self.retryInterval)
      }
    }
  }

  private func listen(to port: any SerialPort) throws(BusError) -> Int? {
    let ear = ReceiverEar(hardware: hardware, isStopped: { queue.isStopped })
    if let speed = try ear.speed(of: port, trying: ReceiverEar.speeds) { return speed }
    guard !queue.isStopped else { return nil }
    monitor.receiver(
      fault: "\(receiver.port): no sentence at any speed from 4800 to 921600; check that the "
        + "receiver's TX is wired to the board's RX and that it has power")
    return nil
  }

  private func read(_ port: any SerialPort) throws(BusError) {
    var stream = ReceiverStream()
    var rows: [SensorRow] = []
    while !queue.isStopped {
      rows.removeAll(keepingCapacity: true)
      let deadline = hardware.now.advanced(byNanoseconds: Self.longestWait)
      if try stream.receive(from: port, until: deadline, hardware, { rows.append($0) }) == 0 {
        stream.fellSilent(at: hardware.now) { rows.append($0) }
      }
      queue.put(rows)
    }
  }
}
