import HostProtocol
import LinuxIO
import LocationHost
import Quantities
import Synchronization

/// The output queue and the number of unanswered requests of one client. Safe from any thread.
final class SocketClient: Sendable {
  let peer: PeerCredentials
  fileprivate let state: Mutex<State>

  fileprivate struct State {
    var output = OutputQueue()
    var overflow: OutputQueue.Overflow?
    var requests = 0
    var hasLease = false
    var isClosing = false
    /// Those of the user and, after `hello`, of the application.
    var accounts: [Account]
    /// The bytes of queued messages that the accounts contain.
    var countedBytes = 0
    /// The bytes of the line that is being sent.
    var sendingBytes = 0

    /// Updates the accounts after a change of the queue.
    mutating func countBytes() {
      let change = output.messageBytes + sendingBytes - countedBytes
      countedBytes += change
      for account in accounts { account.count(queuedBytes: change) }
    }
  }

  init(peer: PeerCredentials, account: Account) {
    self.peer = peer
    state = Mutex(State(accounts: [account]))
  }

  deinit { discard() }

  /// Adds the account of the application, which `hello` names.
  func join(_ account: Account) {
    state.withLock { state in
      state.accounts.append(account)
      account.count(queuedBytes: state.countedBytes)
    }
  }

  /// Empties the queue.
  func discard() {
    state.withLock { state in
      (state.output, state.sendingBytes) = (OutputQueue(), 0)
      state.countBytes()
    }
  }

  /// The client's name in the log, before `hello`.
  var name: String { "a client, pid \(peer.pid), uid \(peer.uid)" }

  /// Appends a delivery of the host.
  func deliver(_ delivery: HostDelivery) {
    guard fault == nil else { return }
    // Encoded before the lock is taken: the server's thread does not wait for it.
    let line =
      switch delivery {
      case .message(let message): message.line + [UInt8(ascii: "\n")]
      case .fix(let shared), .heading(let shared): shared.line
      case .samples(let shared): shared.line
      case .receiver(let shared): shared.line
      case .dropEstimates, .dropSamples, .dropReceiver, .lease, .close: [UInt8]()
      }
    state.withLock { state in
      guard state.overflow == nil else { return }
      do throws(OutputQueue.Overflow) {
        switch delivery {
        case .message: try state.output.put(line)
        case .fix: try state.output.put(fix: line, isLeased: state.hasLease)
        case .heading: state.output.put(heading: line)
        case .samples: state.output.put(samples: line)
        case .dropEstimates: state.output.dropEstimates()
        case .receiver: state.output.put(receiver: line)
        case .dropReceiver: state.output.dropReceiver()
        case .dropSamples: state.output.dropSamples()
        case .lease(let isOn): state.hasLease = isOn
        case .close: state.isClosing = true
        }
      } catch {
        state.overflow = error
      }
      state.countBytes()
    }
  }

  /// The exceeded limit of a client that does not read; nil otherwise.
  var fault: OutputQueue.Overflow? { state.withLock { $0.overflow } }

  /// True if the connection is to be closed once the queue is written.
  var isClosing: Bool { state.withLock { $0.isClosing } }

  /// True while the queue is not empty.
  var hasLines: Bool { state.withLock { !$0.output.isEmpty } }

  /// True while nothing more is read from the client.
  var isBusy: Bool {
    let (user, application) = state.withLock { ($0.accounts[0], $0.accounts.dropFirst().first) }
    guard let application else { return false }
    return application.isFull || user.isFull && application.exceedsShare
  }

  /// True where the client's own queue is a substantial part of its application's limit.
  var hasLongQueue: Bool {
    let (application, bytes) = state.withLock { ($0.accounts.dropFirst().first, $0.countedBytes) }
    return application?.isSubstantial(queuedBytes: bytes) ?? false
  }

  /// The accounts of the client: of its user and, after `hello`, of its application.
  var accounts: [Account] { state.withLock { $0.accounts } }

  /// The bytes of queued messages, with the line that is being sent.
  var messageBytes: Int { state.withLock { $0.countedBytes } }

  /// Disconnects the client as one that does not read.
  func overdraw() { state.withLock { $0.overflow = .bytes } }

  /// Removes and returns the next line; nil if the queue is empty.
  func next() -> [UInt8]? {
    state.withLock { state in
      let line = state.output.removeNext()
      state.sendingBytes = line?.count ?? 0
      state.countBytes()
      return line
    }
  }

  /// True while a request is unanswered.
  var hasRequests: Bool { state.withLock { $0.requests > 0 } }

  /// Counts a request, also when the client has left meanwhile.
  /// - Parameter weight: Its weight; more than 1 where the answer may be long.
  /// - Returns: A function that ends the request.
  func beginRequest(weight: Int) -> @Sendable () -> Void {
    let accounts = state.withLock { state in
      state.requests += 1
      return state.accounts
    }
    for account in accounts { account.count(requests: weight) }
    return { [weak self] in
      for account in accounts { account.count(requests: -weight) }
      self?.state.withLock { $0.requests -= 1 }
    }
  }
}

/// The server's end of one client's socket, with received bytes that are not processed and the line
/// that is being sent.
struct ClientSocket {
  /// Timeout of a client's `hello`, seconds.
  static let helloTimeout = 10.0
  /// Timeout of a client that reads nothing while its account is full, seconds.
  private static let stallTimeout = 10.0
  /// Limit of the kernel's send queue, bytes: half a second of headings, so that a slow client
  /// reads recent ones.
  private static let kernelQueue: Int32 = 16 * 1024

  let socket: StreamSocket
  let client: SocketClient
  let connected = MonotonicClock.now
  /// The application; nil before `hello`.
  var application: String?
  /// The client's `hello` while its application's account is full.
  var held: ClientMessage?
  /// True once the peer receives nothing more: what it has sent is still handled.
  private(set) var isHalfClosed = false
  var input = LineBuffer(limit: LineLimit.request)
  /// True once everything that the peer has sent is in `input`.
  var hasEnded = false
  private var sending: [UInt8] = []
  private var sent = 0
  /// The last time when the peer read something, or nothing was waiting for it.
  private var progress = MonotonicClock.now

  init(_ socket: StreamSocket, _ peer: PeerCredentials, _ account: Account) {
    self.socket = socket
    client = SocketClient(peer: peer, account: account)
    socket.limitKernelQueue(to: Self.kernelQueue)
  }

  /// True while data is waiting to be sent.
  var wantsRoom: Bool { !isHalfClosed && (sent < sending.count || client.hasLines) }

  /// True while requests of the client may be read and handled.
  var mayHandle: Bool { !client.isBusy && !client.isClosing }

  /// Whether a received line, or the end of the connection, is to be handled.
  mutating func hasInput() -> Bool { hasEnded || held != nil || input.hasLine() }

  /// True for a client that has not sent `hello`, or does not read its last messages, within the
  /// timeout.
  var isSilent: Bool {
    (application == nil || client.isClosing && wantsRoom && !client.hasRequests)
      && MonotonicClock.now.seconds(since: connected) > Self.helloTimeout
  }

  /// True where the queue takes a whole account's bytes and the peer reads nothing within the
  /// timeout.
  var isStalled: Bool {
    wantsRoom && client.isBusy && client.hasLongQueue
      && MonotonicClock.now.seconds(since: progress) > Self.stallTimeout
  }

  /// Writes as much as the kernel accepts. A peer that receives nothing more may have sent requests
  /// before.
  mutating func flush() {
    do throws(NetworkError) {
      while !isHalfClosed {
        if sent == sending.count {
          guard let line = client.next() else {
            (sending, sent, progress) = ([], 0, MonotonicClock.now)
            return
          }
          (sending, sent) = (line, 0)
        }
        let count = try socket.write(sending[sent...])
        if count == 0 { return }
        progress = MonotonicClock.now
        sent += count
      }
    } catch {
      isHalfClosed = true
      (sending, sent) = ([], 0)
    }
    client.discard()
  }
}
