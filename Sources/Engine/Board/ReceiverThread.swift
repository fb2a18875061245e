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
  /// How long one speed is listened to, ns: a receiver speaks once a second.
  private static let listening: UInt64 = 1_300_000_000
  /// A read returns within this, ns, so that a stop is seen.
  private static let longestWait: UInt64 = 200_000_000
  /// The speeds of receivers, the usual ones first.
  private static let speeds = [
    9600, 38_400, 115_200, 4800, 57_600, 19_200, 230_400, 460_800, 921_600,
  ]
  /// Sentences with a right checksum that settle a speed.
  private static let convincing = 2

  let receiver: Board.Receiver
  let hardware: any BoardHardware
  let queue: RowQueue
  let monitor: BoardMonitor

  /// Serves the port until the queue is stopped.
  func run() {
    var baud = receiver.baud
    while !queue.isStopped {
      do throws(BusError) {
        let port = try hardware.serialPort(receiver.port, baud: baud ?? Self.speeds[0])
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

  /// Tries each speed until sentences come.
  private func listen(to port: any SerialPort) throws(BusError) -> Int? {
    for speed in Self.speeds where !queue.isStopped {
      try port.setBaud(speed)
      var stream = ReceiverStream()
      let end = hardware.now.advanced(byNanoseconds: Self.listening)
      while hardware.now < end, !queue.isStopped {
        try receive(port, into: &stream, until: end) { _ in }
        if stream.counts.accepted >= Self.convincing { return speed }
      }
    }
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
      try receive(port, into: &stream, until: deadline) { rows.append($0) }
      queue.put(rows)
    }
  }

  private func receive(
    _ port: any SerialPort, into stream: inout ReceiverStream, until deadline: Timestamp,
    _ deliver: (SensorRow) -> Void
  ) throws(BusError) {
    var failure: BusError?
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { bytes in
      do throws(BusError) {
        let count = try port.read(into: bytes, until: deadline)
        guard count > 0 else { return }
        stream.push(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: hardware.now, deliver)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
