import Chips
import Configuration
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// The thread of another compass: reads its sentences, or the reports of a gpsd daemon, a Signal K
/// server or an NMEA 2000 bus, uses their headings only, and opens a lost line again.
struct CompassThread {
  /// Timeout of a read, ns: bounds the delay of a stop.
  private static let longestWait: UInt64 = 200_000_000

  let compass: Board.Compass
  let port: String
  /// Its place among the compasses with a port.
  let index: Int
  /// Chooses one of the headings from outside.
  let selection: HeadingSelection
  let hardware: any BoardHardware
  let queue: SampleQueue
  let monitor: BoardMonitor

  /// Reads until the queue is stopped.
  func run() {
    if let address = GPSDAddress(port) { return follow(address, GPSDSession.self) }
    if let address = SignalKAddress(port) { return follow(address, SignalKSession.self) }
    if let address = CANAddress(port) { return follow(address, NMEA2000Session.self) }
    var delay = ReopeningDelay()
    while !queue.isStopped {
      do throws(BusError) {
        let line = try hardware.serialPort(port, baud: compass.baud)
        var stream = ReceiverStream(headings: LineHeadings(of: compass))
        var watch = LineWatch(port, for: .compass, at: hardware.now)
        while !queue.isStopped {
          if try read(line, &stream, &watch) { delay.reset() }
        }
      } catch {
        monitor.compass(index, fault: error.description)
        delay.wait(for: port, hardware, queue)
      }
    }
  }

  /// Uses the headings of another program until the queue is stopped.
  private func follow<Session: PeerSession>(_ address: Session.Address, _: Session.Type) {
    let link = PeerLink<Session>(address: address, hardware: hardware, queue: queue)
    var delay = RetryDelay()
    while !queue.isStopped {
      var session = Session(
        address: address, startedAt: hardware.now, headings: LineHeadings(of: compass)
      ) { $0 }
      do throws(NetworkError) {
        let stream = try link.connect()
        var bytes = PeerLink<Session>.buffer
        try link.keepAlive(stream, &session)
        var watch = LineWatch(port, for: .compass, at: hardware.now)
        while !queue.isStopped {
          var rows: [SensorSamples] = []
          let came = try link.receive(from: stream, &bytes, &session, &rows)
          if came, session.hasAnswered { delay.reset() }
          rows.removeAll { $0.heading == nil }
          if !rows.isEmpty { monitor.compass(index, newHeadings: rows.count, rejected: 0) }
          watch.add(
            bytes: came ? 1 : 0, isSentence: came, isUseful: !rows.isEmpty, at: hardware.now)
          publish(&rows, watch.lack(at: hardware.now))
          for notice in session.removeNotices() { monitor.notice(ofPeer: notice) }
          try link.keepAlive(stream, &session)
        }
      } catch {
        guard error.kind != .stopped else { return }
        monitor.compass(index, fault: link.fault(session, error))
        queue.waitForStop(atMost: delay.next())
      }
    }
  }

  /// Hands the headings over, if they are used.
  private func publish(_ rows: inout [SensorSamples], _ lack: BoardStatus.Lack?) {
    // An open line is no proof: an older fault ends with the first heading, or with what the line
    // lacks.
    if !rows.isEmpty || lack != nil { monitor.compass(index, fault: nil, lack: lack) }
    selection.filter(&rows, of: index, at: hardware.now, monitor)
    queue.put(rows)
  }

  /// Reads once.
  /// - Returns: Whether a heading came.
  private func read(
    _ line: any SerialPort, _ stream: inout ReceiverStream, _ watch: inout LineWatch
  ) throws(BusError) -> Bool {
    var rows: [SensorSamples] = []
    let before = stream.counts
    let deadline = hardware.now.advanced(byNanoseconds: Self.longestWait)
    let bytes = try stream.receive(from: line, until: deadline, hardware) { row in
      // A position on this line is that of another receiver.
      if row.heading != nil { rows.append(row) }
    }
    let rejected = stream.counts.rejected - before.rejected
    if !rows.isEmpty || rejected > 0 {
      monitor.compass(index, newHeadings: rows.count, rejected: Int(rejected))
    }
    let now = hardware.now
    watch.add(
      bytes: bytes, isSentence: stream.counts.valid > before.valid, isUseful: !rows.isEmpty, at: now
    )
    let hasHeading = !rows.isEmpty
    publish(&rows, watch.lack(at: now))
    return hasHeading
  }
}
