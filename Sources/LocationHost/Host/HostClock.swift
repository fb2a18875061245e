import Engine
import Foundation
import HostProtocol
import LinuxIO

/// Civil time, ages and alarms, so that tests can bring their own.
package protocol HostClock: Sendable {
  /// The civil time now.
  func now() -> Date
  /// Seconds of a clock that is never set, for ages.
  var uptime: TimeInterval { get }
  /// Calls `body` once so many seconds from now, unless the alarm is cancelled or released before.
  func alarm(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) -> Observation
}

/// The machine's clock.
package struct MachineClock: HostClock {
  /// An alarm that is late by more was held up with the whole program, s: it was stopped.
  private static let late = 1.0
  /// What waited for a program that goes on again comes before the alarm, which gives it so long, s, once.
  private static let catchingUp = 2.0
  /// A year, s: no program waits longer.
  private static let longest = 365 * 86_400.0

  private let queue = DispatchQueue(label: "CoreLocation.alarms", qos: .utility)

  /// Makes a clock with a queue of its own for its alarms.
  package init() {}

  package func now() -> Date { Date() }
  package var uptime: TimeInterval { MonotonicClock.now.seconds }

  package func alarm(
    after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void
  ) -> Observation {
    // Dispatch's sources are safe from any thread; their protocol does not say so.
    nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
    let isPending = Locked(true)
    let due = DispatchTime.now() + (seconds > 0 ? min(seconds, Self.longest) : 0)
    let hasWaited = Locked(false)
    let takesTurn: @Sendable () -> Bool = {
      isPending.withLock { isPending in
        defer { isPending = false }
        return isPending
      }
    }
    timer.setEventHandler {
      let now = DispatchTime.now()
      let mustWait = hasWaited.withLock { hasWaited in
        defer { hasWaited = true }
        return !hasWaited && now > due + Self.late
      }
      if mustWait { return timer.schedule(deadline: now + Self.catchingUp) }
      guard takesTurn() else { return }
      timer.cancel()
      body()
    }
    timer.schedule(deadline: due)
    timer.resume()
    return Observation {
      if takesTurn() { timer.cancel() }
    }
  }
}
