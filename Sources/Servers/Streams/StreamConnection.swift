import LinuxIO
import Quantities

/// One connection of a loop: its session, and its output that the kernel has not accepted yet.
struct StreamConnection<Session> {
  /// Limit of the waiting output, bytes: some ten seconds of gpsd's reports. Beyond it the client is disconnected.
  private static var mostWaiting: Int { 64 * 1024 }
  /// Waiting output above which nothing more is read, bytes.
  private static var mostWhileReading: Int { 16 * 1024 }
  /// Limit of the output in the kernel, bytes: beyond it the connection's delay would be seconds.
  private static var kernelQueue: Int32 { 32 * 1024 }

  let socket: StreamSocket
  let number: Int
  var session: Session
  private(set) var waiting: [UInt8] = []
  private var written = 0
  /// Why the connection ends, once its output is written; nil while it goes on.
  var end: String?

  init(_ socket: StreamSocket, _ session: Session, number: Int) {
    (self.socket, self.session, self.number) = (socket, session, number)
    socket.limitKernelQueue(to: Self.kernelQueue)
    socket.detectLoss()
  }

  var wantsRoom: Bool { written < waiting.count }
  var waitingBytes: Int { waiting.count - written }
  var isFull: Bool { waitingBytes > Self.mostWaiting }
  var mayRead: Bool { waitingBytes <= Self.mostWhileReading }

  mutating func put(_ bytes: [UInt8]) {
    if written == waiting.count {
      (waiting, written) = (bytes, 0)
    } else {
      waiting += bytes
    }
  }

  /// Writes what the kernel accepts.
  mutating func flush() throws(NetworkError) {
    while wantsRoom {
      let count = try socket.write(waiting[written...])
      guard count > 0 else { break }
      written += count
    }
    if written == waiting.count {
      waiting.removeAll(keepingCapacity: waiting.capacity < 16_384)
      written = 0
    } else if written > 65_536 {
      waiting.removeFirst(written)
      written = 0
    }
  }
}
