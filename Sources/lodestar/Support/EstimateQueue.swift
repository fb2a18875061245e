import Foundation
import Quantities

/// Estimates on their way to a writer. It keeps the newest few: a writer that is slow for long misses
/// what came before them, and never delays the source.
final class EstimateQueue: @unchecked Sendable {
  /// Five seconds of the fastest stream.
  private static let capacity = 256

  private let condition = NSCondition()
  private var waiting: [Estimate] = []

  /// Appends an estimate; the oldest makes room where there is none.
  func put(_ estimate: Estimate) {
    condition.lock()
    if waiting.count == Self.capacity { waiting.removeFirst() }
    waiting.append(estimate)
    condition.signal()
    condition.unlock()
  }

  /// Waits for the next; nil once nothing waits and `isOver` answers true.
  func take(orUntil isOver: () -> Bool) -> Estimate? {
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty {
      // Asked before the last look: what was put before the end is still handed out.
      if isOver(), waiting.isEmpty { return nil }
      // The stream's end sends nothing: look for it now and then.
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.05))
    }
    return waiting.removeFirst()
  }
}
