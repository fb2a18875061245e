import Dispatch
import Foundation

/// Ends the program in order on Ctrl-C and on a service manager's request: a receiver's set-up is undone first.
final class Interruption {
  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter body: what is to be done before the end; it runs once.
  init(_ body: @escaping @Sendable () -> Void) {
    sources = [SIGINT, SIGTERM].map { number in
      // The source sees the signal only where its usual effect is off.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        body()
        // What a shell expects of a program that a signal ended.
        exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  /// Gives the signals back their usual effect.
  func end() {
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
