import Configuration
import Corrections
import Formats
import LinuxIO
import Quantities
import ReceiverProtocols

/// The thread that reads corrections for a receiver: whole RTCM 3 frames with a valid checksum.
struct CorrectionsThread {
  /// Interval between checks for a stop, s.
  private static let step = 0.1

  let source: Board.CorrectionSource
  let frames: CorrectionFrames
  let queue: SampleQueue
  let monitor: ReceiverMonitor

  /// Reads until the source ends or the queue is stopped.
  func run() {
    if case .file(let path) = source.origin {
      read(path)
    } else {
      CorrectionSession(source, for: self).run()
    }
  }

  private func read(_ path: String) {
    do {
      let file = try ByteReader(path: path, chunkSize: 1024)
      var reader = RTCM3Reader()
      while !queue.isStopped {
        let chunk = try file.next()
        if chunk.isEmpty { break }
        // A file is read no faster than the line sends.
        chunk.withUnsafeBytes { bytes in
          reader.push(bytes) { type, frame in
            while !queue.isStopped, !frames.hasRoom(for: frame.count, waitingAtMost: Self.step) {}
            frames.put(CorrectionFrames.Frame(type: type, bytes: Array(frame)))
          }
        }
      }
      monitor.corrections(fault: nil, hasEnded: true)
    } catch {
      monitor.corrections(fault: "\(error)", hasEnded: true)
    }
  }
}

extension CorrectionsThread: CorrectionConsumer {
  var isStopped: Bool { queue.isStopped }

  func waitForStop(atMost seconds: Double) { queue.waitForStop(atMost: seconds) }

  var newestFix: Fix? { monitor.newestPosition }

  func receive(type: Int?, frame: [UInt8]) {
    frames.put(CorrectionFrames.Frame(type: type, bytes: frame))
  }

  func report(_ state: CorrectionState) {
    if case .waiting(_, let text) = state {
      monitor.corrections(fault: text, hasEnded: false)
    } else {
      monitor.corrections(state: state.text, isReceiving: state.isReceiving)
    }
  }
}
