import Foundation
import Quantities

/// Hands estimates to whoever listens and keeps the newest for whoever asks. Safe from any thread.
final class Broadcast: @unchecked Sendable {
  private let lock = NSLock()
  private var observers: [Int: @Sendable (Estimate) -> Void] = [:]
  private var nextKey = 0
  private var newest: Estimate?
  private var outcome: EstimatePlayer.Outcome?
  private var stopped = false

  var latest: Estimate? { lock.withLock { newest } }
  var end: EstimatePlayer.Outcome? { lock.withLock { outcome } }
  var isStopped: Bool { lock.withLock { stopped } }

  func add(_ body: @escaping @Sendable (Estimate) -> Void) -> Int {
    lock.withLock {
      nextKey += 1
      observers[nextKey] = body
      return nextKey
    }
  }

  func remove(_ key: Int) { lock.withLock { _ = observers.removeValue(forKey: key) } }

  func stop() { lock.withLock { stopped = true } }

  func finish(_ end: EstimatePlayer.Outcome) { lock.withLock { outcome = end } }

  func publish(_ estimate: Estimate) {
    let bodies = lock.withLock {
      newest = estimate
      return Array(observers.values)
    }
    // Outside the lock: an observer may ask for the newest or cancel itself.
    for body in bodies { body(estimate) }
  }
}
