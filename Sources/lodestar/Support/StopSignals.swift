import Dispatch
import Glibc
import LinuxIO

/// Records SIGINT, SIGTERM and SIGHUP, so that a command ends in order. If it cannot, because its
/// output is not read, the process is ended. A second signal ends it at once.
final class StopSignals {
  /// Seconds for the command to finish its output after `rescue`.
  private static let outputSeconds = 0.3

  private let stopped = Waitable(false)
  private let hasEnded = Waitable(false)
  private let signals: EndingSignals.Handling

  /// - Parameters:
  ///   - undoSeconds: How long the end may wait for a receiver, beside what it usually takes.
  ///   - rescue: Stores what would be lost, where the command does not end in time. The command may
  ///     be doing the same at the moment.
  init(
    undoSeconds: @escaping @Sendable () -> Double = { 0 },
    rescue: @escaping @Sendable () -> Void = {}
  ) {
    signals = EndingSignals.Handling { [stopped, hasEnded] number in
      stopped.withLock { $0 = true }
      let limit = EndingSignals.longestEnd - Self.outputSeconds + undoSeconds()
      guard hasEnded.wait(atMost: limit, { $0 ? true : nil }) == nil else { return }
      rescue()
      guard hasEnded.wait(atMost: Self.outputSeconds, { $0 ? true : nil }) == nil else { return }
      _exit(128 + number)
    }
  }

  /// True after a signal.
  var isStopped: Bool { stopped.read { $0 } }

  /// Waits for a signal, at most so many seconds.
  func wait(seconds: Double) { stopped.wait(atMost: seconds) { $0 ? true : nil } }

  /// Restores the default effect of the signals.
  func end() {
    hasEnded.withLock { $0 = true }
    signals.end()
  }
}
