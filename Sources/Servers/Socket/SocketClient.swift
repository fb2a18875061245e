import HostProtocol
import LinuxIO
import LocationHost
import Quantities
import Synchronization

/// What waits to be written to one client of the socket, and how many of its requests are under way. Safe from
/// any thread.
final class SocketClient: Sendable {
  /// Requests that may be under way to a slow disk; until they are done nothing more is read.
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

  /// The client before it has sent its name, for people.
  var name: String { "a client, pid \(peer.pid), uid \(peer.uid)" }

  /// Appends what the host delivers.
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

  /// Why the client has to be dropped: it does not read. nil while it does.
  var fault: OutputQueue.Overflow? { state.withLock { $0.overflow } }

  /// True once the connection is to be closed when what waits has been written.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// True while a line waits.
  var hasLines: Bool { state.withLock { !$0.output.isEmpty } }

  /// True while no more may be read, because too many requests are under way.
  var isBusy: Bool { state.withLock { $0.requests >= Self.mostRequests } }

  /// True while a request is under way.
  var hasRequests: Bool { state.withLock { $0.requests > 0 } }

  /// A request begins or ends.
  func countRequest(_ change: Int) { state.withLock { $0.requests += change } }
}

/// The server's end of one client's socket: what it has sent and not been handled, and the line that is being
/// written to it.
struct ClientSocket {
  /// Seconds within which a client has to send `hello`.
  static let helloTimeout = 10.0
  /// What the kernel may hold for a client that does not read, bytes: about half a second of headings, so that
  /// what it finds is new.
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

  /// True while something waits to be written.
  var wantsRoom: Bool { sent < sending.count || client.hasLines }

  /// True for a client that has not greeted, or does not read its last lines, for too long.
  var isSilent: Bool {
    (!hasGreeted || client.isClosing && wantsRoom && !client.hasRequests)
      && MonotonicClock.now.seconds(since: connected) > Self.helloTimeout
  }

  /// Writes what the kernel takes.
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
