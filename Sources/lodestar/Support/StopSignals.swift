import Dispatch
import Foundation
import LinuxIO

/// Notes SIGINT, SIGTERM and SIGHUP, so that a command ends in order; where it does not, because
/// nobody reads what it writes, the process ends without it.
final class StopSignals {
  /// Seconds that the command has to end, then seconds to write its last words after `rescue`.
  private static let (orderly, last) = (0.6, 0.3)

  private let stopped = Waitable(false)
  private let hasEnded = Waitable(false)
  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter rescue: Stores what would be lost, where the command does not end in time. The
  ///   command may be doing the same at the moment.
  init(rescue: @escaping @Sendable () -> Void = {}) {
    let queue = DispatchQueue(label: "lodestar-signals")
    sources = EndingSignals.sources(on: queue) { [stopped, hasEnded] number in
      let isFirst = stopped.withLock { isStopped in
        defer { isStopped = true }
        return !isStopped
      }
      guard isFirst else { return }
      queue.asyncAfter(deadline: .now() + Self.orderly) {
        guard !hasEnded.read({ $0 }) else { return }
        rescue()
        if hasEnded.wait(atMost: Self.last, { $0 ? true : nil }) == nil { _exit(128 + number) }
      }
    }
  }

  /// True after a signal.
  var isStopped: Bool { stopped.read { $0 } }

  /// Waits for a signal, at most so many seconds.
  func wait(seconds: Double) { stopped.wait(atMost: seconds) { $0 ? true : nil } }

  /// Restores the default effect of the signals.
  func end() {
    hasEnded.withLock { $0 = true }
    EndingSignals.end(sources)
  }
}
