package import Engine
import Foundation

/// Closures that receive each new value until their observation ends. Safe from any thread.
package final class Listeners<Value>: @unchecked Sendable {
  // Unchecked: the bodies are read and written under the lock; `onChange` is set before the first listener.
  private let lock = NSLock()
  private var bodies: [Int: @Sendable (Value) -> Void] = [:]
  private var next = 0
  /// Called outside the lock after the first listener was added or the last was removed. Set before the first.
  var onChange: (@Sendable () -> Void)?

  package func add(_ body: @escaping @Sendable (Value) -> Void) -> Observation {
    let (key, isFirst) = lock.withLock {
      next += 1
      bodies[next] = body
      return (next, bodies.count == 1)
    }
    if isFirst { onChange?() }
    return Observation { [weak self] in self?.remove(key) }
  }

  private func remove(_ key: Int) {
    // The closure leaves the lock before it can be the last reference to something that takes locks.
    let (body, isEmpty) = lock.withLock { (bodies.removeValue(forKey: key), bodies.isEmpty) }
    if body != nil, isEmpty { onChange?() }
  }

  package var count: Int { lock.withLock { bodies.count } }
  var isEmpty: Bool { lock.withLock { bodies.isEmpty } }

  /// Calls every listener on this thread.
  func notify(_ value: Value) {
    for body in lock.withLock({ Array(bodies.values) }) { body(value) }
  }
}
