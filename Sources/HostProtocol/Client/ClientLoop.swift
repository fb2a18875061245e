import Foundation
import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// When a host in this process and the daemon take over from each other.
package struct HostTiming: Sendable {
  /// Seconds after the loss of a daemon until a host in this process takes over: a restart takes less.
  package var takeover = 10.0
  /// Seconds between two looks for a daemon while a host in this process serves.
  package var lookInterval = 5.0

  /// Makes the usual timing.
  package init() {}
}

/// The connection's thread: connects to the daemon's socket, sends what waits, receives, and connects again. While
/// there is no daemon, a host in this process may stand in for it.
struct ClientLoop {
  /// Seconds before a lost connection is tried again: at first, and at most.
  private static let (firstDelay, longestDelay) = (0.1, 5.0)
  /// Nanoseconds before commands are sent again that were refused for now.
  private static let retry: UInt64 = 2_000_000_000
  /// Seconds that the daemon may take to answer the first message.
  static let welcomeTimeout = 2.0

  let core: ClientCore
  let wakener: Wakener
  let candidates: [String]
  /// What serves while there is no daemon; nil where only the daemon does.
  let standIn: (any InProcessHost)?
  let timing: HostTiming

  func run() {
    var delay = Self.firstDelay
    // Without a daemon from the start there is nothing to wait for.
    var goneSince: UInt64?
    while !core.withState({ $0.isStopped }) {
      let fault: HostError?
      do throws(HostError) {
        let socket = try connected()
        fault = try converse(over: socket)
      } catch {
        fault = error
      }
      if isStopped { break }
      let wasWelcome = core.withState { $0.isWelcome }
      if wasWelcome { (goneSince, delay) = (Self.now, Self.firstDelay) }
      if let standIn, isDue(goneSince) {
        core.withState { $0.socketFault = fault }
        if wasWelcome || goneSince != nil { core.lost(fault) }
        if goneSince != nil { core.adoptRegistrations() }
        core.attach(standIn)
        waitForDaemon()
        if isStopped { break }
        core.detach()
        goneSince = nil
        continue
      }
      core.lost(fault)
      rest(delay)
      delay = min(delay * 2, Self.longestDelay)
    }
    core.lost(.gone(path: path))
  }

  private var isStopped: Bool { core.withState { $0.isStopped } }
  private var path: String { candidates.first ?? "" }
  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  private func isDue(_ goneSince: UInt64?) -> Bool {
    goneSince.map { Double(Self.now - $0) * 1e-9 >= timing.takeover } ?? true
  }

  /// Waits until a daemon answers where one is looked for, or the program ends the connection.
  private func waitForDaemon() {
    while !isStopped {
      rest(timing.lookInterval)
      if !isStopped, candidates.contains(where: { answers($0) }) { return }
    }
  }

  /// Whether a daemon at a socket accepts this client.
  private func answers(_ path: String) -> Bool {
    do {
      let socket = try StreamSocket(path: path)
      // Under a name that asks for nothing, so that the end of the probe is not the end of the application.
      var probe = core.hello
      probe.application = "lodestar-probe"
      let hello = ClientMessage.hello(probe).line + [UInt8(ascii: "\n")]
      guard try socket.write(hello[...]) == hello.count else { return false }
      var input = LineBuffer(limit: LineLimit.reply)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let end = Self.now + UInt64(Self.welcomeTimeout * 1e9)
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

  private func connected() throws(HostError) -> StreamSocket {
    var failure = HostError.noSocket(searched: candidates)
    for path in candidates {
      do throws(NetworkError) {
        return try connected(to: path)
      } catch {
        let fault = HostError(error)
        // An absent socket says less than one that is there.
        if case .noSocket = fault { continue }
        failure = fault
      }
    }
    throw failure
  }

  /// A connection; a daemon that many programs ask at once answers in its turn.
  private func connected(to path: String) throws(NetworkError) -> StreamSocket {
    let end = Self.now + UInt64(Self.welcomeTimeout * 1e9)
    while true {
      do throws(NetworkError) {
        return try StreamSocket(path: path)
      } catch {
        guard error.code == EAGAIN, Self.now < end, !isStopped else { throw error }
        rest(0.02)
      }
    }
  }

  /// Exchanges messages until one side ends the connection.
  /// - Returns: Why the daemon ended it; nil where the program did.
  private func converse(over socket: StreamSocket) throws(HostError) -> HostError? {
    var input = LineBuffer(limit: LineLimit.reply)
    var sending = ClientMessage.hello(core.hello).line + [UInt8(ascii: "\n")]
    var sent = 0
    var retryAt: UInt64?
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let welcomeEnd = Self.now + UInt64(Self.welcomeTimeout * 1e9)
    while true {
      if sent == sending.count { (sending, sent) = (core.nextBatch(), 0) }
      let (isStopped, isWelcome, waiting) = core.withState {
        ($0.isStopped, $0.isWelcome, $0.outbox.count)
      }
      if isStopped { return nil }
      if !isWelcome, Self.now >= welcomeEnd { return .noAnswer(path: socket.peer) }
      // It reads nothing: what is not confirmed is sent over the next connection.
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

  /// Sends again what was refused for now, once that is due.
  /// - Returns: How long to wait for anything else, milliseconds; -1 for as long as it takes.
  private func sendAgain(_ retryAt: inout UInt64?) -> Int32 {
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
    retryAt = hasRefused ? retryAt ?? now + Self.retry : nil
    return retryAt.map { Int32(($0 - now) / 1_000_000) + 1 } ?? -1
  }

  private func receive(_ input: inout LineBuffer) throws(HostError) -> HostError? {
    do {
      while let line = try input.next() {
        do throws(HostFault) {
          let message = try HostMessage(line: line)
          if case .refused(let fault) = message { return .refused(fault) }
          core.take(message)
        } catch {
          // A newer daemon may send more than this version understands; the next line may be plain.
          core.notices.notify("a message of the daemon was left out: \(error)")
        }
      }
    } catch {
      throw .refused(
        HostFault(.tooLong, "the daemon's line is longer than \(LineLimit.reply) bytes"))
    }
    return nil
  }

  /// Waits, unless the program ends the connection.
  private func rest(_ seconds: Double) {
    let start = Self.now
    while !isStopped {
      let left = seconds - Double(Self.now - start) * 1e-9
      guard left > 0 else { return }
      var file = pollfd(fd: wakener.file, events: Int16(POLLIN), revents: 0)
      if poll(&file, 1, Int32(min(left, 3600) * 1000) + 1) > 0 { wakener.clear() }
    }
  }
}
