import Chips
import Configuration
import Formats
import Foundation
import Quantities
import ReceiverProtocols

/// The thread of another compass: reads its sentences, uses their headings only, and opens a lost
/// line again.
struct CompassThread {
  /// Timeout of a read, ns: bounds the delay of a stop.
  private static let longestWait: UInt64 = 200_000_000

  let compass: Board.Compass
  let port: String
  let hardware: any BoardHardware
  let queue: SampleQueue
  let monitor: BoardMonitor

  /// Reads until the queue is stopped.
  func run() {
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
        monitor.compass(fault: error.description)
        delay.wait(for: port, hardware, queue)
      }
    }
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
      monitor.compass(newHeadings: rows.count, rejected: Int(rejected))
    }
    let now = hardware.now
    watch.add(
      bytes: bytes, isSentence: stream.counts.valid > before.valid, isUseful: !rows.isEmpty, at: now
    )
    let lack = watch.lack(at: now)
    // An open line is no proof: an older fault ends with the first heading, or with what the line
    // lacks.
    if !rows.isEmpty || lack != nil { monitor.compass(fault: nil, lack: lack) }
    queue.put(rows)
    return !rows.isEmpty
  }
}
