import Chips
import Configuration
import Quantities
import ReceiverProtocols

/// The thread of the receiver's port: detects the speed if the board file has none, sets the
/// receiver up if the board file asks for it, reads, and opens a removed port again when it
/// returns.
struct ReceiverThread {
  let receiver: Board.Receiver
  /// The settings to send; nil for none.
  let settings: ReceiverSettings?
  let hardware: any BoardHardware
  let queue: SampleQueue
  let monitor: ReceiverMonitor
  let corrections: CorrectionFrames?
  let output: CorrectionFrames?
  let rest: SharedReceiverRest
  let headings: LineHeadings
  let input: ReceiverInput
  /// Chooses one of the headings from outside, this receiver's at `headingIndex`.
  let selection: HeadingSelection
  let headingIndex: Int
  /// Where the receiver's aid is stored; nil where none is given.
  let aid: ReceiverAidSettings?

  /// Serves the port until the queue is stopped.
  func run() {
    // A feed in the network and an I2C bus have no speed.
    var baud = receiver.hasSpeed ? receiver.baud : 0
    var delay = ReopeningDelay()
    var originals = ReceiverOriginals()
    while !queue.isStopped {
      do throws(BusError) {
        let port = try hardware.serialPort(receiver.port, baud: baud ?? BaudRateDetector.speeds[0])
        if baud == nil || settings?.baud != nil { baud = try listen(to: port, first: baud) }
        guard let speed = baud else { continue }
        // A server may accept a connection and send nothing, so the fault of a feed is cleared only
        // by its first data.
        if receiver.feed == nil { monitor.receiver(fault: nil) }
        var service = ReceiverService(
          port: port, hardware: hardware, queue: queue, monitor: monitor,
          session: settings.map {
            ReceiverSession(
              $0, path: receiver.port, speed: speed, originals: originals, followsActivity: true)
          }, corrections: corrections, output: output, rest: rest,
          order: receiver.talkers.compactMap { Talker(text: $0) }, headings: headings,
          assistance: aid.map {
            AssistanceSession($0, port: receiver.port, monitor: monitor, at: hardware.now)
          }, asksForAid: receiver.assists == true,
          input: input, selection: selection, headingIndex: headingIndex,
          makeIdentification: makeIdentification(speed))
        defer {
          // A receiver whose cable was unplugged may still hold the settings.
          originals = service.session?.originals ?? originals
          baud = settings?.baud == nil ? baud : port.baud
          if service.hasReceived { delay.reset() }
        }
        if try service.serve() == .lostSpeed { baud = nil }
      } catch {
        monitor.receiver(fault: error.description)
        delay.wait(for: receiver.port, hardware, queue)
      }
    }
  }

  /// A session that only identifies the receiver; nil if the board file forbids commands.
  private func makeIdentification(_ speed: Int) -> (() -> ReceiverSession)? {
    guard receiver.setUp.manner != .no, receiver.feed == nil else { return nil }
    return { [path = receiver.port] in
      // Only a u-blox receiver is put to sleep.
      ReceiverSession(
        ReceiverSettings(), path: path, speed: speed, originals: ReceiverOriginals(),
        makers: [.ublox])
    }
  }

  private func listen(to port: any SerialPort, first: Int?) throws(BusError) -> Int? {
    let ear = BaudRateDetector(hardware: hardware, isStopped: { queue.isStopped })
    // After a crash the receiver is still at the speed that was set.
    let likely = [first, receiver.baud, settings?.baud].compactMap { $0 }
    let speeds = (likely + BaudRateDetector.speeds).reduce(into: [Int]()) {
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
