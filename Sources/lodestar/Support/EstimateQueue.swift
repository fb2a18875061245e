import LinuxIO
import Quantities

/// Passes estimates to a writer. It holds only the newest: a slow writer loses older ones and never
/// delays the source.
final class EstimateQueue: Sendable {
  /// About five seconds of the fastest stream.
  private static let capacity = 256
  /// The end of the stream is not signalled: it is polled at this interval, s.
  private static let pollInterval = 0.05

  private let estimates = Waitable<[Estimate]>([])

  /// Appends an estimate; a full queue drops its oldest.
  func put(_ estimate: Estimate) {
    estimates.withLock { estimates in
      if estimates.count == Self.capacity { estimates.removeFirst() }
      estimates.append(estimate)
    }
  }

  /// Waits for the next estimate; nil once the queue is empty and `isOver` returns true.
  func next(orUntil isOver: () -> Bool) -> Estimate? {
    while true {
      // Read first: an estimate that was put before the end is still returned.
      let isOver = isOver()
      let next = estimates.wait(atMost: isOver ? 0 : Self.pollInterval) { estimates in
        estimates.isEmpty ? nil : estimates.removeFirst()
      }
      if next != nil || isOver { return next }
    }
  }
}
