import Foundation
import Quantities

/// Estimates on their way from the player's thread to the sessions': every fix, and the newest of the rest.
final class EstimateHub: @unchecked Sendable {
  /// Fixes that wait for the sessions' thread, which is never that slow.
  private static let mostFixes = 256

  private let lock = NSLock()
  private var fixes: [Estimate] = []
  private var newest: Estimate?
  private var lastFix: Timestamp?
  private var fixCount: UInt64 = 0

  /// Takes an estimate.
  /// - Returns: Whether it holds a new fix.
  func put(_ estimate: Estimate) -> Bool {
    lock.withLock {
      guard estimate.position != nil, let fix = estimate.fixTimestamp, fix != lastFix else {
        newest = estimate
        return false
      }
      (lastFix, newest) = (fix, nil)
      if fixes.count == Self.mostFixes { fixes.removeFirst() }
      fixes.append(estimate)
      return true
    }
  }

  /// What came since.
  func take() -> (fixes: [Estimate], heading: Estimate?) {
    lock.withLock {
      defer { (fixes, newest) = ([], nil) }
      return (fixes, newest)
    }
  }
}
