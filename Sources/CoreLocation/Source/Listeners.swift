package import Engine

/// Closures that wait for something to change.
package final class Listeners: Sendable {
  private let bodies = Locked<(next: Int, all: [Int: @Sendable () -> Void])>((0, [:]))

  /// Makes a list of nobody.
  package init() {}

  /// Adds a closure, until the observation is over.
  package func add(_ body: @escaping @Sendable () -> Void) -> Observation {
    let key = bodies.withLock { bodies in
      bodies.next += 1
      bodies.all[bodies.next] = body
      return bodies.next
    }
    return Observation { [weak self] in
      self?.bodies.withLock { _ = $0.all.removeValue(forKey: key) }
    }
  }

  /// Calls every closure, on this thread.
  package func tell() {
    for body in bodies.withLock({ Array($0.all.values) }) { body() }
  }
}
