import Configuration
import LinuxIO

/// The thread that forwards a receiver's corrections to a file or to TCP clients. The receiver's
/// thread only appends frames to the queue. A client that is too slow is disconnected.
struct CorrectionsOutput {
  /// Most unsent bytes of one client.
  private static let mostPendingBytes = 65_536
  /// Interval between checks for a new client and for a stop, s.
  private static let step = 0.1
  /// Interval between attempts to open the port or the file again, s.
  private static let retryInterval = 5.0

  let target: Board.Stream
  let frames: CorrectionFrames
  let queue: SampleQueue
  let monitor: ReceiverMonitor

  /// Forwards frames until the queue is stopped.
  func run() {
    while !queue.isStopped {
      do {
        switch target {
        case .file(let path): try write(to: path)
        case .tcp(let host, let port): try serve(host, port)
        }
      } catch let error as NetworkError {
        retry(after: "tcp://\(error)")
      } catch {
        retry(after: "\(error)")
      }
    }
  }

  private func retry(after fault: String) {
    monitor.correctionsOutput(fault: fault)
    queue.waitForStop(atMost: Self.retryInterval)
  }

  private func write(to path: String) throws(FileFault) {
    let files = LinuxFiles()
    let file = try files.append(path)
    defer { files.close(file) }
    monitor.correctionsOutput(fault: nil)
    while !queue.isStopped {
      frames.wait(atMost: Self.step)
      while let frame = frames.removeFirst() { try files.write(frame, to: file, path: path) }
    }
  }

  private final class Client {
    let socket: StreamSocket
    var pending: [UInt8] = []
    init(_ socket: StreamSocket) { self.socket = socket }

    /// Sends as much as the socket accepts; false if the client has disconnected or is too slow.
    func send(_ frames: [[UInt8]]) -> Bool {
      for frame in frames { pending += frame }
      do throws(NetworkError) {
        while !pending.isEmpty {
          let count = try socket.write(pending[...])
          guard count > 0 else { break }
          pending.removeFirst(count)
        }
      } catch {
        return false
      }
      return pending.count <= CorrectionsOutput.mostPendingBytes
    }
  }

  private func serve(_ host: String, _ port: Int) throws(NetworkError) {
    let listener = try StreamListener(host: host, port: port)
    monitor.correctionsOutput(fault: nil)
    var clients: [Client] = []
    while !queue.isStopped {
      frames.wait(atMost: Self.step)
      while let socket = try listener.accept() { clients.append(Client(socket)) }
      var new: [[UInt8]] = []
      while let frame = frames.removeFirst() { new.append(frame) }
      clients.removeAll { !$0.send(new) }
    }
  }
}
