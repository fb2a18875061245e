import Foundation
import Quantities

/// Passes estimates to a writer. It holds only the newest: a slow writer loses older ones and never delays
/// the source.
final class EstimateQueue: @unchecked Sendable {
  /// About five seconds of the fastest stream.
  private static let capacity = 256

  private let condition = NSCondition()
  private var waiting: [Estimate] = []

  /// Appends an estimate; a full queue drops its oldest.
  func put(_ estimate: Estimate) {
    condition.lock()
    if waiting.count == Self.capacity { waiting.removeFirst() }
    waiting.append(estimate)
    condition.signal()
    condition.unlock()
  }

  /// Waits for the next estimate; nil once the queue is empty and `isOver` returns true.
  func take(orUntil isOver: () -> Bool) -> Estimate? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty {
      // Checked in this order: an estimate that was put before the end is still returned.
      if isOver(), waiting.isEmpty { return nil }
      // The end of the stream is not signalled: it is polled.
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
    return waiting.removeFirst()
  }
}
