import Dispatch
import Foundation

/// Ends the program in order on Ctrl-C and on a service manager's request: a receiver's set-up is undone first.
final class Interruption {
  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter body: what is to be done before the end; it runs once.
  init(_ body: @escaping @Sendable () -> Void) {
    let registered = DispatchSemaphore(value: 0)
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        body()
        // What a shell expects of a program that a signal ended.
        exit(128 + number)
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    // Until then a signal has its usual effect; ignored, it would be lost.
    for _ in sources { registered.wait() }
  }

  /// Gives the signals back their usual effect.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
