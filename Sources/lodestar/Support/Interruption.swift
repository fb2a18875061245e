import Dispatch
import Glibc
import LinuxIO

/// Ends the program on SIGINT, SIGTERM or SIGHUP after a clean-up: a receiver's set-up is undone
/// first. A second signal ends it at once.
final class Interruption {
  private let signals: EndingSignals.Handling
  private let hasBegun = Locked(false)

  /// - Parameters:
  ///   - undoSeconds: How long the clean-up may wait for a receiver, beside what it usually takes.
  ///   - body: The clean-up; it runs once.
  init(
    undoSeconds: @escaping @Sendable () -> Double = { 0 }, _ body: @escaping @Sendable () -> Void
  ) {
    signals = EndingSignals.Handling { [hasBegun] number in
      hasBegun.withLock { $0 = true }
      // The clean-up may block on output to a terminal that is not read.
      EndingSignals.exit(for: number, after: EndingSignals.longestEnd + undoSeconds())
      body()
      // The status that shells report for a signal.
      exit(128 + number)
    }
  }

  /// Restores the default effect of the signals. Where one has begun the clean-up, which ends what
  /// this thread waits for, it does not return: the clean-up ends the program, with the signal's
  /// status.
  func end() {
    while hasBegun.withLock({ $0 }) { MonotonicClock.sleep(seconds: 1) }
    signals.end()
  }
}
