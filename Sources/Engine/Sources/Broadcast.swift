import Formats
import Foundation
import Quantities

/// Delivers estimates and rows to observers and stores the newest estimate. Safe from any thread.
package final class Broadcast: @unchecked Sendable {
  private let lock = NSLock()
  private var observers: [Int: @Sendable (Estimate) -> Void] = [:]
  private var rowObservers: [Int: @Sendable (SensorSamples) -> Void] = [:]
  private var nextKey = 0
  private var newest: Estimate?
  private var outcome: EstimatePlayer.Outcome?
  private var stopped = false

  package init() {}

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

  func remove(_ key: Int) {
    lock.withLock {
      observers[key] = nil
      rowObservers[key] = nil
    }
  }

  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    let key = add(body)
    return Observation { [weak self] in self?.remove(key) }
  }

  /// Calls `body` with every row before the pipeline processes it, on the player's thread.
  func onRow(_ body: @escaping @Sendable (SensorSamples) -> Void) { _ = addRow(body) }

  func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    let key = addRow(body)
    return Observation { [weak self] in self?.remove(key) }
  }

  private func addRow(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Int {
    lock.withLock {
      nextKey += 1
      rowObservers[nextKey] = body
      return nextKey
    }
  }

  package func publish(_ row: SensorSamples) {
    for body in lock.withLock({ Array(rowObservers.values) }) { body(row) }
  }

  func stop() { lock.withLock { stopped = true } }

  func finish(_ end: EstimatePlayer.Outcome) { lock.withLock { outcome = end } }

  package func publish(_ estimate: Estimate) {
    let bodies = lock.withLock {
      newest = estimate
      return Array(observers.values)
    }
    // Outside the lock: an observer may ask for the newest or cancel itself.
    for body in bodies { body(estimate) }
  }
}
