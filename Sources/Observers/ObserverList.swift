import Synchronization

/// Closures that receive each new value until their observation ends. Safe from any thread.
package final class ObserverList<Value>: Sendable {
  @usableFromInline struct State {
    /// The bodies in the order in which they were added, and the key of each.
    @usableFromInline var bodies: [@Sendable (Value) -> Void] = []
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
    let (body, onChange) = state.withLock { state in
      guard let index = state.keys.firstIndex(of: key) else {
        return ((@Sendable (Value) -> Void)?.none, (@Sendable () -> Void)?.none)
      }
      state.keys.remove(at: index)
      let body = state.bodies.remove(at: index)
      bodyCount.store(state.bodies.count, ordering: .releasing)
      return (body, state.bodies.isEmpty ? state.onChange : nil)
    }
    withExtendedLifetime(body) { onChange?() }
  }

  /// The number of observers.
  @inlinable package var count: Int { bodyCount.load(ordering: .acquiring) }
  /// True where there is no observer.
  @inlinable package var isEmpty: Bool { count == 0 }

  /// Calls every observer on this thread, in the order in which they were added. Inlined where the
  /// type of the value is known: generic code would look up its type at each row of a board.
  @inlinable package func notify(_ value: Value) {
    guard !isEmpty else { return }
    for body in state.withLock({ $0.bodies }) { body(value) }
  }
}
