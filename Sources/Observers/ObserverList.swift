import Synchronization

/// Closures that receive each new value until their observation ends. Safe from any thread.
package final class ObserverList<Value>: Sendable {
  private struct State {
    var bodies: [Int: @Sendable (Value) -> Void] = [:]
    var nextKey = 0
    var onChange: (@Sendable () -> Void)?
  }
  private let state = Mutex(State())
  /// The number of bodies, changed with the lock held: where there is none, no lock is taken. Most
  /// lists have none most of the time.
  private let bodyCount = Atomic(0)

  /// Makes an empty list.
  package init() {}

  /// Sets what is called, outside the lock, after the first observer was added or the last was
  /// removed.
  package func onChange(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.onChange = body }
  }

  /// Adds an observer; it is removed when the observation is cancelled or released.
  package func add(_ body: @escaping @Sendable (Value) -> Void) -> Observation {
    let (key, onChange) = state.withLock { state in
      state.nextKey += 1
      state.bodies[state.nextKey] = body
      bodyCount.store(state.bodies.count, ordering: .releasing)
      return (state.nextKey, state.bodies.count == 1 ? state.onChange : nil)
    }
    onChange?()
    return Observation { [weak self] in self?.remove(key) }
  }

  private func remove(_ key: Int) {
    // The closure leaves the lock before it can be the last reference to an object that takes
    // locks.
    let (body, onChange) = state.withLock { state in
      let body = state.bodies.removeValue(forKey: key)
      bodyCount.store(state.bodies.count, ordering: .releasing)
      return (body, state.bodies.isEmpty ? state.onChange : nil)
    }
    if body != nil { onChange?() }
  }

  /// The number of observers.
  package var count: Int { bodyCount.load(ordering: .acquiring) }
  /// True where there is no observer.
  package var isEmpty: Bool { count == 0 }

  /// Calls every observer on this thread.
  package func notify(_ value: Value) {
    guard !isEmpty else { return }
    for body in state.withLock({ Array($0.bodies.values) }) { body(value) }
  }
}
