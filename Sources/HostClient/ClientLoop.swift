import Glibc
import HostProtocol
import LinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The delays after which a host in this process and the daemon replace each other.
package struct HostTiming: Sendable {
  /// Seconds from the loss of a daemon until a host in this process replaces it; a daemon restarts
  /// in less time.
  package var takeover = 10.0
  /// Seconds between two checks for a daemon while a host in this process serves.
  package var lookInterval = 5.0

  /// The default delays.
  package init() {}
}

/// The connection's thread: connects to the daemon's socket, sends queued messages, receives, and
/// reconnects. Without a daemon a host in this process may serve instead.
struct ClientLoop {
  /// Seconds before a reconnection: the first and the longest delay.
  private static let (firstDelay, longestDelay) = (0.1, 5.0)
  /// Seconds until temporarily refused commands are sent again.
  private static let retry = 2.0
  /// Seconds until the daemon has to answer `hello`.
  static let welcomeTimeout = 2.0

  let core: ClientCore
  let wakener: Wakener
  let candidates: [String]
  /// The host that serves without a daemon; nil if only the daemon may serve.
  let standIn: (any InProcessHost)?
  let timing: HostTiming

  func run() {
    var delay = Self.firstDelay
    // nil until a daemon was connected: at the start the host in this process serves at once.
    var lostSince: Timestamp?
    while !core.withState({ $0.isStopped }) {
      let fault: HostError?
      do throws(HostError) {
        let socket = try openSocket()
        fault = try exchangeMessages(over: socket)
      } catch {
        fault = error
      }
      if isStopped { break }
      let wasWelcome = core.withState { $0.isWelcome }
      if wasWelcome { (lostSince, delay) = (Self.now, Self.firstDelay) }
      if let standIn, isTakeoverDue(lostSince) {
        core.withState { $0.socketFault = fault }
        if wasWelcome || lostSince != nil { core.lost(fault) }
        if lostSince != nil { core.adoptRegistrations() }
        core.attach(standIn)
        waitForDaemon()
        if isStopped { break }
        core.detach()
        lostSince = nil
        continue
      }
      core.lost(fault)
      waitUnlessStopped(delay)
      delay = min(delay * 2, Self.longestDelay)
    }
    core.lost(.gone(path: path))
  }

  private var isStopped: Bool { core.withState { $0.isStopped } }
  private var path: String { candidates.first ?? "" }
  private static var now: Timestamp { MonotonicClock.now }

  private func isTakeoverDue(_ lostSince: Timestamp?) -> Bool {
    lostSince.map { Self.now.seconds(since: $0) >= timing.takeover } ?? true
  }

  /// Waits until a daemon answers at a candidate path, or the program stops the client.
  private func waitForDaemon() {
    while !isStopped {
      waitUnlessStopped(timing.lookInterval)
      if !isStopped, candidates.contains(where: { isServed($0) }) { return }
    }
  }

  /// True if a daemon at the socket answers `welcome`.
  private func isServed(_ path: String) -> Bool {
    do {
      let socket = try openSocket(to: path)
      // Its own application name, so that closing the probe does not end the application's session.
      var probe = core.hello
      probe.application = "lodestar-probe"
      let hello = ClientMessage.hello(probe).line + [UInt8(ascii: "\n")]
      guard try socket.write(hello[...]) == hello.count else { return false }
      var input = LineBuffer(limit: LineLimit.reply)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let end = Self.now.advanced(bySeconds: Self.welcomeTimeout)
      while Self.now < end {
        var file = pollfd(fd: socket.file, events: Int16(POLLIN), revents: 0)
        _ = poll(&file, 1, 100)
        let count = try socket.read(into: &buffer)
        buffer.withUnsafeBytes { input.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        guard let line = try input.next() else { continue }
        if case .welcome = try HostMessage(line: line) { return true }
        return false
      }
      return false
    } catch {
      return false
    }
  }

  private func openSocket() throws(HostError) -> StreamSocket {
    var failure = HostError.noSocket(searched: candidates)
    for path in candidates {
      do throws(NetworkError) {
        return try openSocket(to: path)
      } catch {
        let fault = HostError(error)
        // The error of an existing socket is more useful than that of a missing one.
        if case .noSocket = fault { continue }
        failure = fault
      }
    }
    throw failure
  }

  /// Connects to a socket. EAGAIN means that the daemon's queue of new connections is full: it is
  /// tried again until the timeout.
  private func openSocket(to path: String) throws(NetworkError) -> StreamSocket {
    let end = Self.now.advanced(bySeconds: Self.welcomeTimeout)
    while true {
      do throws(NetworkError) {
        return try StreamSocket(path: path)
      } catch {
        guard error.code == EAGAIN, Self.now < end, !isStopped else { throw error }
        waitUnlessStopped(0.02)
      }
    }
  }

  /// Exchanges messages until one side closes the connection.
  /// - Returns: Why the daemon closed it; nil if the program did.
  private func exchangeMessages(over socket: StreamSocket) throws(HostError) -> HostError? {
    core.withState { $0.socketPath = socket.peer }
    var input = LineBuffer(limit: LineLimit.reply)
    var sending = ClientMessage.hello(core.hello).line + [UInt8(ascii: "\n")]
    var sent = 0
    var retryAt: Timestamp?
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let welcomeEnd = Self.now.advanced(bySeconds: Self.welcomeTimeout)
    while true {
      if sent == sending.count { (sending, sent) = (core.nextBatch(), 0) }
      let (isStopped, isWelcome, waiting) = core.withState {
        ($0.isStopped, $0.isWelcome, $0.outbox.count)
      }
      if isStopped { return nil }
      if !isWelcome, Self.now >= welcomeEnd { return .noAnswer(path: socket.peer) }
      // The daemon does not read. Unconfirmed messages are sent over the next connection.
      if sent < sending.count, waiting > ClientState.mostWaiting {
        return .noAnswer(path: socket.peer)
      }
      let wait = sendAgain(&retryAt)
      var files = [
        pollfd(
          fd: socket.file, events: Int16(POLLIN) | (sent < sending.count ? Int16(POLLOUT) : 0),
          revents: 0),
        pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&files, 2, isWelcome ? wait : 100)
      if files[1].revents != 0 { wakener.clear() }
      do throws(NetworkError) {
        if files[0].revents & Int16(POLLOUT) != 0 { sent += try socket.write(sending[sent...]) }
        guard files[0].revents & ~Int16(POLLOUT) != 0 else { continue }
        let count = try socket.read(into: &buffer)
        buffer.withUnsafeBytes { input.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      } catch {
        return error.kind == .closed ? .gone(path: socket.peer) : .socket(error)
      }
      if let end = try receive(&input) { return end }
    }
  }

  /// Sends temporarily refused commands again once they are due.
  /// - Returns: The timeout of `poll`, milliseconds; -1 for none.
  private func sendAgain(_ retryAt: inout Timestamp?) -> Int32 {
    let now = Self.now
    let hasRefused = core.withState { state in
      guard state.monitoring.hasRefused else { return false }
      if let at = retryAt, now >= at {
        state.outbox += state.monitoring.again()
        wakener.wake()
        return false
      }
      return true
    }
    retryAt = hasRefused ? retryAt ?? now.advanced(bySeconds: Self.retry) : nil
    return retryAt.map { Self.milliseconds($0.seconds(since: now)) } ?? -1
  }

  private func receive(_ input: inout LineBuffer) throws(HostError) -> HostError? {
    do {
      while let line = try input.next() {
        do throws(HostFault) {
          let message = try HostMessage(line: line)
          if case .refused(let fault) = message { return .rejected(fault) }
          core.receive(message)
        } catch {
          // A newer daemon may send messages that this version cannot decode. The next line may be
          // readable.
          core.notices.notify("a message of the daemon was ignored: \(error)")
        }
      }
    } catch {
      throw .rejected(
        HostFault(.tooLong, "the daemon's line is longer than \(LineLimit.reply) bytes"))
    }
    return nil
  }

  /// A timeout of `poll`, at most an hour; rounded up, so that the wait is not repeated without a
  /// pause.
  private static func milliseconds(_ seconds: Double) -> Int32 {
    Int32(bounded: min(max(seconds, 0), 3600) * 1000) + 1
  }

  /// Waits; returns early if the program stops the client.
  private func waitUnlessStopped(_ seconds: Double) {
    let start = Self.now
    while !isStopped {
      let left = seconds - Self.now.seconds(since: start)
      guard left > 0 else { return }
      var file = pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0)
      if poll(&file, 1, Self.milliseconds(left)) > 0 { wakener.clear() }
    }
  }
}
