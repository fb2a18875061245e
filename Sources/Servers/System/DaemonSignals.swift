import Dispatch
import Glibc
import LinuxIO

/// The signals of the daemon, received from the start of the process on: SIGTERM and SIGINT end it,
/// SIGHUP reads the policy again. One that arrives while the daemon is made takes effect once it
/// serves; where that takes longer than a second, as with a file that does not answer, the process
/// ends at once.
public final class DaemonSignals: @unchecked Sendable {
  // Unchecked: the sources are set once, in `init`.
  private var sources: [any DispatchSourceSignal] = []
  private let received = Waitable(Received())

  private struct Received {
    var end = false
    var reload = false
    /// Whether the daemon serves and waits for signals.
    var isAwaited = false
  }

  /// Seconds from a signal in which a daemon that does not serve yet may begin to, and then end in
  /// order.
  private static let longestStart = 0.9

  /// What a signal requests.
  enum Request { case end, reload }

  /// Receives the signals until the object is released. Call it before anything that takes time.
  public init() {
    // Blocked until the handlers are registered: before that a signal would end the process.
    Self.mask(SIG_BLOCK)
    defer { Self.mask(SIG_UNBLOCK) }
    let registered = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "lodestar-signals")
    sources = Self.numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [received] in
        received.withLock {
          if number == SIGHUP { $0.reload = true } else { $0.end = true }
        }
        guard number != SIGHUP else { return }
        queue.asyncAfter(deadline: .now() + Self.longestStart) {
          // Asked to end, it ends: systemd takes another status for a failure.
          if !received.read({ $0.isAwaited }) { _exit(0) }
        }
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    for _ in sources { registered.wait() }
  }

  deinit { for source in sources { source.cancel() } }

  /// Waits for a signal. The end precedes a reload.
  func next() -> Request {
    received.withLock { $0.isAwaited = true }
    return received.wait(atMost: .infinity) { received -> Request? in
      if received.end { return .end }
      guard received.reload else { return nil }
      received.reload = false
      return .reload
    } ?? .end
  }

  private static let numbers = [SIGTERM, SIGINT, SIGHUP]

  private static func mask(_ change: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in numbers { sigaddset(&signals, number) }
    pthread_sigmask(change, &signals, nil)
  }
}
