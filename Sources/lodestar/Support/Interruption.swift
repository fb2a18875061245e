import Dispatch
import Foundation

/// Ends the program on SIGINT or SIGTERM after a clean-up: a receiver's set-up is undone first.
final class Interruption {
  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter body: The clean-up; it runs once.
  init(_ body: @escaping @Sendable () -> Void) {
    let registered = DispatchSemaphore(value: 0)
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        body()
        // The status that shells report for a signal.
        exit(128 + number)
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    // Returns once the handlers are registered: no signal is lost.
    for _ in sources { registered.wait() }
  }

  /// Restores the default effect of the signals.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
