import HostProtocol
import LinuxIO
import LocationHost
import Quantities
import Synchronization

/// The output queue and the number of unanswered requests of one client. Safe from any thread.
final class SocketClient: Sendable {
  /// Limit of unanswered requests; beyond it nothing more is read from the client.
  static let mostRequests = 256

  let peer: PeerCredentials
  fileprivate let state = Mutex(State())

  fileprivate struct State {
    var output = OutputQueue()
    var overflow: OutputQueue.Overflow?
    var requests = 0
    var hasLease = false
    var isClosing = false
  }

  init(peer: PeerCredentials) { self.peer = peer }

  /// The client's name in the log, before `hello`.
  var name: String { "a client, pid \(peer.pid), uid \(peer.uid)" }

  /// Appends a delivery of the host.
  func take(_ delivery: HostDelivery) {
    state.withLock { state in
      guard state.overflow == nil else { return }
      do throws(OutputQueue.Overflow) {
        switch delivery {
        case .message(let message): try state.output.put(message.line + [UInt8(ascii: "\n")])
        case .fix(let shared): try state.output.put(fix: shared.line, isLeased: state.hasLease)
        case .heading(let shared): state.output.put(heading: shared.line)
        case .samples(let shared): state.output.put(samples: shared.line)
        case .dropEstimates: state.output.dropEstimates()
        case .dropSamples: state.output.dropSamples()
        case .lease(let isOn): state.hasLease = isOn
        case .close: state.isClosing = true
        }
      } catch {
        state.overflow = error
      }
    }
  }

  /// The exceeded limit of a client that does not read; nil otherwise.
  var fault: OutputQueue.Overflow? { state.withLock { $0.overflow } }

  /// True if the connection is to be closed once the queue is written.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// True while the queue is not empty.
  var hasLines: Bool { state.withLock { !$0.output.isEmpty } }

  /// True while the limit of unanswered requests is reached.
  var isBusy: Bool { state.withLock { $0.requests >= Self.mostRequests } }

  /// True while a request is unanswered.
  var hasRequests: Bool { state.withLock { $0.requests > 0 } }

  /// Adds 1 at the start of a request, -1 at its end.
  func countRequest(_ change: Int) { state.withLock { $0.requests += change } }
}

/// The server's end of one client's socket, with received bytes that are not processed and the line
/// that is being sent.
struct ClientSocket {
  /// Timeout of a client's `hello`, seconds.
  static let helloTimeout = 10.0
  /// Limit of the kernel's send queue, bytes: half a second of headings, so that a slow client
  /// reads recent ones.
  private static let kernelQueue: Int32 = 16 * 1024

  let socket: StreamSocket
  let client: SocketClient
  let connected = MonotonicClock.now
  var hasGreeted = false
  var input = LineBuffer(limit: LineLimit.request)
  private var sending: [UInt8] = []
  private var sent = 0

  init(_ socket: StreamSocket) throws(NetworkError) {
    self.socket = socket
    client = SocketClient(peer: try socket.peerCredentials())
    socket.limitKernelQueue(to: Self.kernelQueue)
  }

  /// True while data is waiting to be sent.
  var wantsRoom: Bool { sent < sending.count || client.hasLines }

  /// True for a client that has not sent `hello`, or does not read its last messages, within the
  /// timeout.
  var isSilent: Bool {
    (!hasGreeted || client.isClosing && wantsRoom && !client.hasRequests)
      && MonotonicClock.now.seconds(since: connected) > Self.helloTimeout
  }

  /// Writes as much as the kernel accepts.
  mutating func flush() throws(NetworkError) {
    while true {
      if sent == sending.count {
        guard let line = client.state.withLock({ $0.output.take() }) else {
          (sending, sent) = ([], 0)
          return
        }
        (sending, sent) = (line, 0)
      }
      let count = try socket.write(sending[sent...])
      if count == 0 { return }
      sent += count
    }
  }
}
