import Engine
import Foundation

/// Whoever wants to hear of something.
final class Listeners<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var bodies: [Int: @Sendable (Value) -> Void] = [:]
  private var next = 0
  /// Told, outside the lock, that the first has come or the last has gone. Set before anybody comes.
  var onChange: (@Sendable () -> Void)?

  func add(_ body: @escaping @Sendable (Value) -> Void) -> Observation {
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

  var isEmpty: Bool { lock.withLock { bodies.isEmpty } }

  func tell(_ value: Value) {
    for body in lock.withLock({ Array(bodies.values) }) { body(value) }
  }
}
