import LinuxIO
import Quantities

/// One connection of a loop: its session, and its output that the kernel has not accepted yet.
struct StreamConnection {
  /// Waiting output above which nothing more is read, bytes.
  private static let mostWhileReading = 16 * 1024
  /// Limit of the output in the kernel, bytes: beyond it the connection's delay would be seconds.
  private static let kernelQueue: Int32 = 32 * 1024
  /// Time, seconds, and bytes for which input is discarded after the last output: a connection that
  /// is closed with unread input loses output that the client has not read.
  /// - Source: RFC 9112, section 9.6.
  private static let (discardTime, mostDiscarded) = (2.0, 256 * 1024)

  let socket: StreamSocket
  let number: Int
  var session: any StreamSession
  private var waiting: [UInt8] = []
  private var written = 0
  /// The times of the last input or output, and of the last output that the kernel accepted or that
  /// did not wait.
  private(set) var lastActivity: Timestamp
  private var lastProgress: Timestamp
  /// Whether the connection ends once its output is written.
  var isEnding = false
  /// Whether the client sends nothing more.
  var isInputOver = false
  /// Until when, and how much, input is discarded; nil before the last output is written.
  private(set) var discarding: (until: Timestamp, bytes: Int)?

  init(_ socket: StreamSocket, _ session: any StreamSession, number: Int, at now: Timestamp) {
    (self.socket, self.session, self.number) = (socket, session, number)
    (lastActivity, lastProgress) = (now, now)
    socket.limitKernelQueue(to: Self.kernelQueue)
    socket.detectLoss()
  }

  var wantsRoom: Bool { written < waiting.count }
  var waitingBytes: Int { waiting.count - written }
  /// Whether little enough output waits for more input.
  var hasRoom: Bool { waitingBytes <= Self.mostWhileReading }
  var mayRead: Bool {
    isEnding ? discarding != nil && !isInputOver : hasRoom && session.isReading
  }

  func traffic(at now: Timestamp) -> StreamTraffic {
    StreamTraffic(
      now: now, waitingBytes: waitingBytes,
      unreadSeconds: wantsRoom ? now.seconds(since: lastProgress) : 0,
      idleSeconds: now.seconds(since: lastActivity))
  }

  mutating func put(_ bytes: [UInt8], at now: Timestamp) {
    if written == waiting.count {
      (waiting, written, lastProgress) = (bytes, 0, now)
    } else {
      waiting += bytes
    }
  }

  /// Records the arrival of bytes.
  /// - Returns: Whether they are for the session, and not discarded.
  mutating func recordArrival(_ count: Int, at now: Timestamp) -> Bool {
    guard isEnding else {
      lastActivity = now
      return true
    }
    discarding?.bytes -= count
    return false
  }

  /// Writes what the kernel accepts.
  mutating func flush(at now: Timestamp) throws(NetworkError) {
    while wantsRoom {
      let count = try socket.write(waiting[written...])
      guard count > 0 else { break }
      written += count
      (lastActivity, lastProgress) = (now, now)
    }
    if written == waiting.count {
      waiting.removeAll(keepingCapacity: waiting.capacity < 16_384)
      written = 0
    } else if written > 65_536 {
      waiting.removeFirst(written)
      written = 0
    }
  }

  /// Whether the last output is written, and the client has sent its last input or had time for it.
  mutating func isOver(at now: Timestamp) -> Bool {
    guard isEnding, !wantsRoom else { return false }
    if isInputOver { return true }
    if let discarding { return discarding.bytes < 0 || now >= discarding.until }
    socket.finishWriting()
    discarding = (now.advanced(bySeconds: Self.discardTime), Self.mostDiscarded)
    return false
  }
}
