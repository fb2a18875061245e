import CoreLocation
import Engine
import LocationHost

/// A clock that a test advances.
package final class ScriptedClock: HostClock, @unchecked Sendable {
  private let lock = NSLock()
  private var time: Date
  private var alarms: [Int: (due: Date, body: @Sendable () -> Void)] = [:]
  private var set = 0

  package init(_ time: Date = Date(timeIntervalSince1970: 1_750_000_000)) { self.time = time }

  package func now() -> Date { lock.withLock { time } }

  package func alarm(
    after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void
  ) -> Observation {
    let number = lock.withLock {
      set += 1
      alarms[set] = (time.addingTimeInterval(seconds), body)
      return set
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = alarms.removeValue(forKey: number) }
    }
  }

  /// Advances the time and runs the due alarms.
  package func advance(by seconds: TimeInterval) {
    let due = lock.withLock {
      time = time.addingTimeInterval(seconds)
      let numbers = alarms.filter { $0.value.due <= time }.keys
      return numbers.sorted().compactMap { alarms.removeValue(forKey: $0)?.body }
    }
    for body in due { body() }
  }
}
