package import Engine

/// Civil time and alarms, so that tests can bring their own.
package protocol ServiceClock: Sendable {
  /// The civil time now.
  func now() -> Date
  /// Calls `body` once so many seconds from now, unless the alarm is cancelled or released before.
  func alarm(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) -> Observation
}

/// The machine's clock.
package struct MachineClock: ServiceClock {
  private let queue = DispatchQueue(label: "CoreLocation.alarms", qos: .utility)

  /// Makes a clock with a queue of its own for its alarms.
  package init() {}

  package func now() -> Date { Date() }

  package func alarm(
    after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void
  ) -> Observation {
    let pending = Locked(true)
    queue.asyncAfter(deadline: .now() + seconds) {
      if pending.withLock({ isPending in
        defer { isPending = false }
        return isPending
      }) {
        body()
      }
    }
    return Observation { pending.withLock { $0 = false } }
  }
}
