import BoardFile
import Foundation
import LinuxBus
import ReceiverProtocols

/// The thread that fetches corrections for a receiver: whole RTCM 3 frames with a good checksum, out of a
/// file or from a program on the network.
struct CorrectionsThread {
  /// The pause before a second try, s, and the longest one: it doubles from one to the other.
  static let firstPause = 1.0
  private static let longestPause = 30.0
  /// A connection is given so long to be made, ns.
  private static let connecting: UInt64 = 10_000_000_000
  /// Corrections come at least every half minute; a connection that is silent for longer is dead.
  private static let longestSilence = 60.0
  /// A stop is seen within this, s.
  private static let step = 0.1

  let source: Board.Stream
  let frames: CorrectionFrames
  let queue: RowQueue
  let monitor: BoardMonitor
  var firstPause = CorrectionsThread.firstPause

  /// Fetches until the source ends or the queue is stopped.
  func run() {
    switch source {
    case .file(let path): read(path)
    case .tcp(let host, let port): listen(host, port)
    }
  }

  // MARK: A file

  private func read(_ path: String) {
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      var reader = RTCM3Reader()
      while !queue.isStopped {
        guard let data = try file.read(upToCount: 1024), !data.isEmpty else { break }
        // A file has no pace of its own: it waits for the line.
        data.withUnsafeBytes { bytes in
          reader.push(bytes) { type, frame in
            while !queue.isStopped, !frames.hasRoom(for: frame.count, waitingAtMost: Self.step) {}
            frames.put(CorrectionFrames.Frame(type: type, bytes: Array(frame)))
          }
        }
      }
      monitor.corrections(fault: nil, hasEnded: true)
    } catch {
      monitor.corrections(
        fault: "\(path): \(error.localizedDescription)", hasEnded: true)
    }
  }

  // MARK: The network

  private func listen(_ host: String, _ port: Int) {
    var pause = firstPause
    while !queue.isStopped {
      do throws(ConnectionError) {
        let connection = try TCPConnection(
          host: host, port: port, until: MonotonicClock.now.advanced(byNanoseconds: Self.connecting)
        )
        if try follow(connection) > 0 { pause = firstPause }
        monitor.corrections(
          fault: "tcp://\(host):\(port): the other end closed, trying again", hasEnded: false)
      } catch {
        monitor.corrections(fault: "\(error), trying again", hasEnded: false)
      }
      rest(pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Passes on what comes until the other end closes; how many frames came.
  private func follow(_ connection: TCPConnection) throws(ConnectionError) -> Int {
    var reader = RTCM3Reader()
    var count = 0
    var heard = MonotonicClock.now
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { bytes.deallocate() }
    while !queue.isStopped {
      let now = MonotonicClock.now
      let end = now.advanced(byNanoseconds: UInt64(Self.step * 1e9))
      guard let read = try connection.read(into: bytes, until: end) else { return count }
      if read == 0 {
        if now.seconds(since: heard) > Self.longestSilence { return count }
        continue
      }
      heard = now
      reader.push(UnsafeRawBufferPointer(rebasing: bytes[..<read])) { type, frame in
        frames.put(CorrectionFrames.Frame(type: type, bytes: Array(frame)))
        count += 1
      }
      if count > 0 { monitor.corrections(fault: nil, hasEnded: false) }
    }
    return count
  }

  private func rest(_ seconds: Double) {
    let end = MonotonicClock.now.advanced(byNanoseconds: UInt64(seconds * 1e9))
    while !queue.isStopped, MonotonicClock.now < end { Thread.sleep(forTimeInterval: Self.step) }
  }
}
