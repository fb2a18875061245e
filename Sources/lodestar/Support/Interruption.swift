import Dispatch
import Foundation
import LinuxIO

/// Ends the program on SIGINT, SIGTERM or SIGHUP after a clean-up: a receiver's set-up is undone first.
final class Interruption {
  /// The longest time of the clean-up, seconds: it may stand at a terminal that nobody reads.
  private static let longest = 0.9

  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter body: The clean-up; it runs once.
  init(_ body: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "lodestar-signals")
    sources = EndingSignals.sources(on: queue) { number in
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.longest) { _exit(128 + number) }
      body()
      // The status that shells report for a signal.
      exit(128 + number)
    }
  }

  /// Restores the default effect of the signals.
  func end() { EndingSignals.end(sources) }
}
