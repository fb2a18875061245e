import Dispatch
import FoundationEssentials
import LinuxIO
import Observers

/// Civil time, uptime and alarms. Tests replace it.
package protocol HostClock: Sendable {
  /// The civil time now.
  func now() -> Date
  /// Seconds of a monotonic clock, for ages.
  var uptime: TimeInterval { get }
  /// Calls `body` once after `seconds`, unless the alarm is cancelled or released before.
  func alarm(after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void) -> Observation
}

extension HostClock {
  /// The instant for waits and ages: it advances with `uptime`, and no step of civil time changes
  /// it. It is not a civil time.
  package var steadyNow: Date { Date(timeIntervalSince1970: uptime) }
}

/// The machine's clock.
package struct MachineClock: HostClock {
  /// An alarm that is later than this means that the whole process was stopped, s.
  private static let suspensionThreshold = 1.0
  /// The delay of an alarm after the process was stopped, s: other pending input is handled first.
  private static let resumeDelay = 2.0
  /// The longest alarm: a year, s.
  private static let longestDelay = 365 * 86_400.0

  private let queue = DispatchQueue(label: "CoreLocation.alarms", qos: .utility)

  /// Makes a clock with its own queue for alarms.
  package init() {}

  package func now() -> Date { Date() }
  package var uptime: TimeInterval { MonotonicClock.now.seconds }

  package func alarm(
    after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void
  ) -> Observation {
    // Dispatch sources are thread-safe, but their protocol is not declared Sendable.
    nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: queue)
    let isPending = Locked(true)
    let due = DispatchTime.now() + (seconds > 0 ? min(seconds, Self.longestDelay) : 0)
    let hasWaited = Locked(false)
    let claim: @Sendable () -> Bool = {
      isPending.withLock { isPending in
        defer { isPending = false }
        return isPending
      }
    }
    timer.setEventHandler {
      let now = DispatchTime.now()
      let mustWait = hasWaited.withLock { hasWaited in
        defer { hasWaited = true }
        return !hasWaited && now > due + Self.suspensionThreshold
      }
      if mustWait { return timer.schedule(deadline: now + Self.resumeDelay) }
      guard claim() else { return }
      timer.cancel()
      body()
    }
    timer.schedule(deadline: due)
    timer.resume()
    return Observation {
      if claim() { timer.cancel() }
    }
  }
}
