import Synchronization

/// Closures that receive each new value until their observation ends. Safe from any thread.
package final class ObserverList<Value>: Sendable {
  @usableFromInline struct State {
    /// In the order in which they were added.
    @usableFromInline var bodies: [@Sendable (Value) -> Void] = []
    /// The key of each body.
    var keys: [Int] = []
    var nextKey = 0
    var onChange: (@Sendable () -> Void)?
  }
  @usableFromInline let state = Mutex(State())
  /// The number of bodies, changed with the lock held: where there is none, no lock is taken. Most
  /// lists have none most of the time.
  @usableFromInline let bodyCount = Atomic(0)

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
      state.keys.append(state.nextKey)
      state.bodies.append(body)
      bodyCount.store(state.bodies.count, ordering: .releasing)
      return (state.nextKey, state.bodies.count == 1 ? state.onChange : nil)
    }
    onChange?()
    return Observation { [weak self] in self?.remove(key) }
  }

  private func remove(_ key: Int) {
    // The closure leaves the lock before it can be the last reference to an object that takes
    // locks.
    typealias Removed = (body: @Sendable (Value) -> Void, onChange: (@Sendable () -> Void)?)
    let removed: Removed? = state.withLock { state in
      guard let index = state.keys.firstIndex(of: key) else { return nil }
      state.keys.remove(at: index)
      let body = state.bodies.remove(at: index)
      bodyCount.store(state.bodies.count, ordering: .releasing)
      return (body, state.bodies.isEmpty ? state.onChange : nil)
    }
    removed?.onChange?()
  }

  /// The number of observers.
  @inlinable package var count: Int { bodyCount.load(ordering: .acquiring) }
  /// True where there is no observer.
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Calls every observer on this thread, in the order in which they were added. Inlinable, so that
  /// each caller's copy is compiled for its type; generic code looks the type up at each call.
  @inlinable package func notify(_ value: Value) {
    guard !isEmpty else { return }
    for body in state.withLock({ $0.bodies }) { body(value) }
  }
}
