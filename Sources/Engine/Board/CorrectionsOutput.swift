import BoardFile
import Foundation
import LinuxBus

/// The thread that passes on the corrections that a receiver gives, to a file or to whoever connects. The
/// receiver's thread only puts frames into its queue; a client that cannot keep up is let go.
struct CorrectionsOutput {
  /// A client may be so many bytes behind.
  private static let longestArrears = 65_536
  /// A new client is taken in, and a stop is seen, within this, s.
  private static let step = 0.1
  /// How often a port that cannot be listened at, or a file that cannot be written, is tried again, s.
  private static let retryInterval = 5.0

  let target: Board.Stream
  let frames: CorrectionFrames
  let queue: RowQueue
  let monitor: BoardMonitor

  /// Passes frames on until the queue is stopped.
  func run() {
    while !queue.isStopped {
      do {
        switch target {
        case .file(let path): try write(to: path)
        case .tcp(let host, let port): try serve(host, port)
        }
      } catch {
        monitor.correctionsOutput(fault: "\(error)")
        let end = Date(timeIntervalSinceNow: Self.retryInterval)
        while !queue.isStopped, Date() < end { Thread.sleep(forTimeInterval: Self.step) }
      }
    }
  }

  private func write(to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: URL(fileURLWithPath: path))
    }
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seekToEnd()
    monitor.correctionsOutput(fault: nil)
    while !queue.isStopped {
      frames.wait(atMost: Self.step)
      while let frame = frames.take() { try file.write(contentsOf: frame) }
    }
  }

  private final class Client {
    let connection: TCPConnection
    var arrears: [UInt8] = []
    init(_ connection: TCPConnection) { self.connection = connection }

    /// Sends what can be sent; false where the client is gone or too slow.
    func send(_ frames: [[UInt8]]) -> Bool {
      for frame in frames { arrears += frame }
      do throws(ConnectionError) {
        while !arrears.isEmpty {
          var failure: ConnectionError?
          let count = arrears.withUnsafeBytes { bytes -> Int in
            do throws(ConnectionError) {
              return try connection.writeSome(bytes)
            } catch {
              failure = error
              return 0
            }
          }
          if let failure { throw failure }
          guard count > 0 else { break }
          arrears.removeFirst(count)
        }
      } catch {
        return false
      }
      return arrears.count <= CorrectionsOutput.longestArrears
    }
  }

  private func serve(_ host: String, _ port: Int) throws(ConnectionError) {
    let listener = try TCPListener(address: host, port: port)
    monitor.correctionsOutput(fault: nil)
    var clients: [Client] = []
    while !queue.isStopped {
      frames.wait(atMost: Self.step)
      while let connection = try listener.accept() { clients.append(Client(connection)) }
      var new: [[UInt8]] = []
      while let frame = frames.take() { new.append(frame) }
      clients.removeAll { !$0.send(new) }
    }
  }
}
