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

  /// Calls `body` with each of the signals, in place of their default effect, which they have until
  /// this returns. A SIGHUP that the parent ignores (nohup) stays ignored.
  package static func sources(
    on queue: DispatchQueue, _ body: @escaping @Sendable (Int32) -> Void
  ) -> [any DispatchSourceSignal] {
    let registered = DispatchSemaphore(value: 0)
    let sources: [any DispatchSourceSignal] = numbers.compactMap { number in
      guard number != SIGHUP || !isIgnored(number) else { return nil }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { body(number) }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    for _ in sources { registered.wait() }
    return sources
  }

  /// Restores the default effect of the signals.
  package static func end(_ sources: [any DispatchSourceSignal]) {
    for source in sources {
      source.cancel()
      signal(Int32(source.handle), SIG_DFL)
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
