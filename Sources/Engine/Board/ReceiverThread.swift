import BoardFile
import Bus
import Foundation
import Quantities
import ReceiverProtocols

/// The thread of the receiver's port: finds the speed by listening where the board file does not say it,
/// sets the receiver up where that is wanted, reads, and opens the port again when it comes back.
struct ReceiverThread {
  /// How often a port that is gone is looked for, s: it has to be back within two seconds.
  private static let retryInterval = 0.5
  let receiver: Board.Receiver
  /// What the receiver is told; nil where it is left as it is.
  let wish: UBXWish?
  let hardware: any BoardHardware
  let queue: RowQueue
  let monitor: BoardMonitor
  let corrections: CorrectionFrames?
  let output: CorrectionFrames?
  let rest: SharedReceiverRest

  /// Serves the port until the queue is stopped.
  func run() {
    var baud = receiver.baud
    var originals = UBXOriginals()
    while !queue.isStopped {
      do throws(BusError) {
        let port = try hardware.serialPort(receiver.port, baud: baud ?? ReceiverEar.speeds[0])
        if baud == nil || wish?.baud != nil { baud = try listen(to: port, first: baud) }
        guard let speed = baud else { continue }
        monitor.receiver(fault: nil)
        var service = ReceiverService(
          port: port, hardware: hardware, queue: queue, monitor: monitor,
          session: wish.map {
            ReceiverSession($0, path: receiver.port, speed: speed, originals: originals)
          }, corrections: corrections, output: output, rest: rest, asker: asker(speed))
        defer {
          // An unplugged cable may leave the receiver as it was told.
          originals = service.session?.originals ?? originals
          baud = wish?.baud == nil ? baud : port.baud
        }
        if try service.serve() == .deaf { baud = nil }
      } catch {
        monitor.receiver(fault: error.description)
        Thread.sleep(forTimeInterval: Self.retryInterval)
      }
    }
  }

  /// A session that asks which receiver it is and tells it nothing; nil where the board file forbids that.
  private func asker(_ speed: Int) -> (() -> ReceiverSession)? {
    guard receiver.setUp.manner != .no else { return nil }
    return { [path = receiver.port] in
      ReceiverSession(UBXWish(), path: path, speed: speed, originals: UBXOriginals())
    }
  }

  private func listen(to port: any SerialPort, first: Int?) throws(BusError) -> Int? {
    let ear = ReceiverEar(hardware: hardware, isStopped: { queue.isStopped })
    // A service that ended badly leaves the line at the speed that it had asked for.
    let likely = [first, receiver.baud, wish?.baud].compactMap { $0 }
    let speeds = (likely + ReceiverEar.speeds).reduce(into: [Int]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    if let speed = try ear.speed(of: port, trying: speeds) { return speed }
    guard !queue.isStopped else { return nil }
    monitor.receiver(
      fault: "\(receiver.port): no sentence at any speed from 4800 to 921600; check that the "
        + "receiver's TX is wired to the board's RX and that it has power")
    return nil
  }
}
