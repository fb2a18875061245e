import Foundation
import HostProtocol
import LinuxIO
import LocationHost

/// One client of the socket: what it has sent and not been handled, and what waits to be written to it.
final class SocketClient: @unchecked Sendable {
  // Unchecked: what several threads use is read and written under `lock`; the rest on the server's thread only.

  /// Seconds within which a client has to send `hello`.
  static let helloTimeout = 10.0
  /// Requests that may be under way to a slow disk; until they are done nothing more is read.
  static let mostRequests = 256
  /// What the kernel may hold for a client that does not read, bytes: about half a second of headings, so that
  /// what it finds is new.
  private static let kernelQueue: Int32 = 16 * 1024

  let socket: StreamSocket
  let peer: PeerCredentials
  let connected = DispatchTime.now().uptimeNanoseconds

  // Only on the server's thread.
  var number = 0
  var hasGreeted = false
  var input = LineBuffer(limit: LineLimit.request)
  private var sending: [UInt8] = []
  private var sent = 0

  private let lock = NSLock()
  private var output = OutputQueue()
  private var overflow: OutputQueue.Overflow?
  private var requests = 0
  private var hasLease = false
  private var closes = false

  init(_ socket: StreamSocket, peer: PeerCredentials) {
    (self.socket, self.peer) = (socket, peer)
    socket.limitKernelQueue(to: Self.kernelQueue)
  }

  /// The client before it has sent its name, for people.
  var name: String { "a client, pid \(peer.pid), uid \(peer.uid)" }

  /// Appends what the host delivers; from any thread.
  func take(_ delivery: HostDelivery) {
    lock.withLock {
      guard overflow == nil else { return }
      do throws(OutputQueue.Overflow) {
        switch delivery {
        case .message(let message): try output.put(message.line + [UInt8(ascii: "\n")])
        case .fix(let shared): try output.put(fix: shared.line, isLeased: hasLease)
        case .heading(let shared): output.put(heading: shared.line)
        case .samples(let shared): output.put(samples: shared.line)
        case .dropEstimates: output.dropEstimates()
        case .dropSamples: output.dropSamples()
        case .lease(let isOn): hasLease = isOn
        case .close: closes = true
        }
      } catch {
        overflow = error
      }
    }
  }

  /// Why the client has to be dropped: it does not read. nil while it does.
  var fault: OutputQueue.Overflow? { lock.withLock { overflow } }

  /// True once the connection is to be closed when what waits has been written.
  var isClosing: Bool { lock.withLock { closes } }

  /// True while something waits to be written.
  var wantsRoom: Bool { sent < sending.count || lock.withLock { !output.isEmpty } }

  /// True while no more may be read, because too many requests are under way.
  var isBusy: Bool { lock.withLock { requests >= Self.mostRequests } }

  /// True while a request is under way.
  var hasRequests: Bool { lock.withLock { requests > 0 } }

  /// A request begins or ends.
  func countRequest(_ change: Int) { lock.withLock { requests += change } }

  /// Writes what the kernel takes.
  func flush() throws(NetworkError) {
    while true {
      if sent == sending.count {
        guard let line = lock.withLock({ output.take() }) else {
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
