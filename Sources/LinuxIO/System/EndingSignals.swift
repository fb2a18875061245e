import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals with which a program is asked to end: SIGINT, SIGTERM, SIGHUP.
package enum EndingSignals {
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Unblocks them in this thread, and in those that it starts later.
  ///
  /// A child inherits the mask of the thread that starts it, and Dispatch's threads block all
  /// signals: without this call a program that was started by such a thread could only be killed.
  /// A `ChildProcess` has no blocked signal.
  package static func unblock() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// Seconds in which a program ends after a signal, whatever it waits for.
  package static let longestEnd = 0.9

  /// Ends the process after some seconds, with the status that shells report for a signal.
  package static func exit(for number: Int32, after seconds: Double) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { _exit(128 + number) }
  }

  /// The handling of the signals in place of their default effect: the first one is for a body, the
  /// second ends the process at once.
  package final class Handling {
    private let sources: [any DispatchSourceSignal]

    /// Handles the signals once this returns. A SIGHUP that the parent ignores (nohup) stays
    /// ignored.
    /// - Parameter body: Receives the first signal, on a thread of its own.
    package init(_ body: @escaping @Sendable (Int32) -> Void) {
      let queue = DispatchQueue(label: "lodestar-signals")
      let registered = DispatchSemaphore(value: 0)
      let isFirst = Locked(true)
      sources = EndingSignals.numbers.compactMap { number in
        guard number != SIGHUP || !EndingSignals.isIgnored(number) else { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler {
          let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
          }
          guard isFirst else { _exit(128 + number) }
          DispatchQueue.global().async { body(number) }
        }
        source.setRegistrationHandler { registered.signal() }
        source.resume()
        return source
      }
      for _ in sources { registered.wait() }
    }

    /// Restores the default effect of the signals.
    package func end() {
      for source in sources {
        source.cancel()
        signal(Int32(source.handle), SIG_DFL)
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #elseif canImport(Musl)
      let handler = action.__sa_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
