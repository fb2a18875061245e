import Configuration
import Formats
import LinuxIO
import ReceiverProtocols

/// The thread that reads corrections for a receiver from a file or a TCP server: whole RTCM 3
/// frames with a valid checksum.
struct CorrectionsThread {
  /// The pause before the second attempt, s; each further pause is twice as long, up to
  /// `longestPause`.
  static let firstPause = 1.0
  private static let longestPause = 30.0
  /// Timeout of an attempt to connect, ns.
  private static let connectTimeout: UInt64 = 10_000_000_000
  /// Corrections arrive at least every 30 s; a connection without data for this long is closed, s.
  private static let longestSilence = 60.0
  /// Interval between checks for a stop, s.
  private static let step = 0.1

  let source: Board.Stream
  let frames: CorrectionFrames
  let queue: SampleQueue
  let monitor: BoardMonitor
  var firstPause = CorrectionsThread.firstPause

  /// Reads until the source ends or the queue is stopped.
  func run() {
    switch source {
    case .file(let path): read(path)
    case .tcp(let host, let port): listen(host, port)
    }
  }

  // MARK: A file

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

  // MARK: The network

  private func listen(_ host: String, _ port: Int) {
    var pause = firstPause
    while !queue.isStopped {
      do throws(NetworkError) {
        let socket = try StreamSocket(
          host: host, port: port,
          until: MonotonicClock.now.advanced(byNanoseconds: Self.connectTimeout)
        )
        if try follow(socket) > 0 { pause = firstPause }
        monitor.corrections(
          fault: "tcp://\(host):\(port): the other end closed, trying again", hasEnded: false)
      } catch {
        monitor.corrections(fault: "tcp://\(error), trying again", hasEnded: false)
      }
      queue.waitForStop(atMost: pause)
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Forwards frames until the server closes the connection.
  /// - Returns: The number of frames.
  private func follow(_ socket: StreamSocket) throws(NetworkError) -> Int {
    var reader = RTCM3Reader()
    var count = 0
    var lastRead = MonotonicClock.now
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !queue.isStopped {
      let now = MonotonicClock.now
      let end = now.advanced(bySeconds: Self.step)
      let read: Int
      do throws(NetworkError) {
        read = try socket.read(into: &bytes, until: end)
      } catch {
        guard error.kind == .closed else { throw error }
        return count
      }
      if read == 0 {
        if now.seconds(since: lastRead) > Self.longestSilence { return count }
        continue
      }
      lastRead = now
      bytes.withUnsafeBytes { bytes in
        reader.push(UnsafeRawBufferPointer(rebasing: bytes[..<read])) { type, frame in
          frames.put(CorrectionFrames.Frame(type: type, bytes: Array(frame)))
          count += 1
        }
      }
      if count > 0 { monitor.corrections(fault: nil, hasEnded: false) }
    }
    return count
  }
}
