import Foundation
import ServiceProtocol

#if canImport(Glibc)
  import Glibc
#endif

/// The connection's thread: connects, says what waits, hears what comes, and connects again.
struct ClientLoop {
  /// Seconds before a lost connection is tried again: at first, and at most.
  private static let (firstDelay, longestDelay) = (0.1, 5.0)
  /// Nanoseconds before commands are said again that were refused for now.
  private static let retry: UInt64 = 2_000_000_000

  let core: ClientCore

  func run() {
    var delay = Self.firstDelay
    while !core.withState({ $0.isStopped }) {
      let fault: DaemonError?
      do throws(DaemonError) {
        let socket = try connected()
        fault = try converse(over: socket)
        delay = Self.firstDelay
      } catch {
        fault = error
      }
      let wasWelcome = lost(fault)
      if wasWelcome { delay = Self.firstDelay }
      rest(delay)
      delay = min(delay * 2, Self.longestDelay)
    }
    _ = lost(.gone(path: core.candidates.first ?? ""))
  }

  private func connected() throws(DaemonError) -> UnixSocket {
    var failure = DaemonError.noSocket(searched: core.candidates)
    for path in core.candidates {
      do throws(SocketFault) {
        return try UnixSocket(connectingTo: path)
      } catch {
        let fault = DaemonError(error)
        // An absent socket says less than one that is there.
        if case .noSocket = fault { continue }
        failure = fault
      }
    }
    throw failure
  }

  /// Talks until one of both ends it.
  /// - Returns: Why the daemon ended it; nil where the program did.
  private func converse(over socket: UnixSocket) throws(DaemonError) -> DaemonError? {
    var input = LineBuffer(limit: LineLimit.reply)
    var sending = core.hello(line: ())
    var sent = 0
    var retryAt: UInt64?
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if sent == sending.count {
        (sending, sent) = (core.nextBatch(), 0)
      }
      if core.withState({ $0.isStopped }) { return nil }
      // It reads nothing: what is not confirmed is said to the next connection.
      if sent < sending.count, core.withState({ $0.outbox.count > ClientState.mostWaiting }) {
        return .noAnswer(path: socket.path)
      }
      let wait = sayAgain(&retryAt)
      var files = [
        pollfd(
          fd: socket.file, events: Int16(POLLIN) | (sent < sending.count ? Int16(POLLOUT) : 0),
          revents: 0),
        pollfd(fd: core.wakener.file, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&files, 2, wait)
      if files[1].revents != 0 { core.wakener.clear() }
      do throws(SocketFault) {
        if files[0].revents & Int16(POLLOUT) != 0 {
          let count = try sending.withUnsafeBytesTyped { (bytes) throws(SocketFault) in
            try socket.write(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
          }
          guard let count else { return .gone(path: socket.path) }
          sent += count
        }
        guard files[0].revents & ~Int16(POLLOUT) != 0 else { continue }
        let received = try buffer.withUnsafeMutableBytesTyped { (bytes) throws(SocketFault) in
          try socket.read(into: bytes)
        }
        switch received {
        case .end: return .gone(path: socket.path)
        case .nothing: continue
        case .bytes(let count):
          buffer.withUnsafeBytes {
            input.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
          }
        }
      } catch {
        return .socket(error)
      }
      if let end = try hear(&input, path: socket.path) { return end }
    }
  }

  /// Says again what was refused for now, once that is due.
  /// - Returns: How long to wait for anything else, milliseconds; -1 for as long as it takes.
  private func sayAgain(_ retryAt: inout UInt64?) -> Int32 {
    let now = DispatchTime.now().uptimeNanoseconds
    let hasRefused = core.withState { state in
      guard state.monitoring.hasRefused else { return false }
      if let at = retryAt, now >= at {
        state.outbox += state.monitoring.again().map(\.line)
        core.wakener.wake()
        return false
      }
      return true
    }
    retryAt = hasRefused ? retryAt ?? now + Self.retry : nil
    return retryAt.map { Int32(($0 - now) / 1_000_000) + 1 } ?? -1
  }

  private func hear(_ input: inout LineBuffer, path: String) throws(DaemonError) -> DaemonError? {
    do {
      while let line = try input.next() {
        do throws(ServiceFault) {
          let message = try DaemonMessage(line: line)
          if case .refused(let fault) = message { return .refused(fault) }
          core.take(message)
        } catch {
          // A newer daemon may say more than this version understands; the next line may be plain.
          core.notices.tell("a line of the daemon's was passed over: \(error)")
        }
      }
    } catch {
      throw .refused(
        ServiceFault(.tooLong, "the daemon's line is longer than \(LineLimit.reply) bytes"))
    }
    return nil
  }

  /// Tells whoever waits that nothing comes.
  /// - Returns: Whether the daemon had answered before.
  private func lost(_ fault: DaemonError?) -> Bool {
    let reason = fault ?? .gone(path: core.candidates.first ?? "")
    let (wasWelcome, isStopped, waiting) = core.withState { state in
      let waiting = Array(state.requests.values)
      defer {
        (state.isWelcome, state.fault) = (false, reason)
        (state.requests, state.outbox) = ([:], [])
      }
      return (state.isWelcome, state.isStopped, waiting)
    }
    core.signal()
    for completion in waiting { completion(.failure(reason)) }
    if wasWelcome, !isStopped { core.connections.tell(reason) }
    return wasWelcome
  }

  /// Waits, unless the program ends the connection.
  private func rest(_ seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    while !core.withState({ $0.isStopped }) {
      let left = end.timeIntervalSinceNow
      guard left > 0 else { return }
      var file = pollfd(fd: core.wakener.file, events: Int16(POLLIN), revents: 0)
      if poll(&file, 1, Int32(left * 1000) + 1) > 0 { core.wakener.clear() }
    }
  }
}

extension Array {
  /// `withUnsafeBytes` that keeps the error's type.
  func withUnsafeBytesTyped<Value, Fault: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    let result = withUnsafeBytes { bytes -> Result<Value, Fault> in
      do throws(Fault) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// `withUnsafeMutableBytes` that keeps the error's type.
  mutating func withUnsafeMutableBytesTyped<Value, Fault: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Fault) -> Value
  ) throws(Fault) -> Value {
    let result = withUnsafeMutableBytes { bytes -> Result<Value, Fault> in
      do throws(Fault) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
