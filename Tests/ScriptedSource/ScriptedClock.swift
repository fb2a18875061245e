import CoreLocation
import LocationHost
import Observers
import Synchronization

/// A clock that a test advances.
package final class ScriptedClock: HostClock {
  private struct State {
    var time: Date
    /// Civil time less `time`, seconds.
    var step: TimeInterval = 0
    var alarms: [Int: (due: Date, body: @Sendable () -> Void)] = [:]
    var set = 0
  }
  private let state: Mutex<State>

  package init(_ time: Date = Date(timeIntervalSince1970: 1_750_000_000)) {
    state = Mutex(State(time: time))
  }

  package func now() -> Date { state.withLock { $0.time.addingTimeInterval($0.step) } }
  package var uptime: TimeInterval { state.withLock { $0.time.timeIntervalSince1970 } }

  /// Sets civil time forward or back; the uptime and the alarms are not changed.
  package func stepCivilTime(by seconds: TimeInterval) { state.withLock { $0.step += seconds } }

  package func alarm(
    after seconds: TimeInterval, _ body: @escaping @Sendable () -> Void
  ) -> Observation {
    let number = state.withLock { state in
      state.set += 1
      state.alarms[state.set] = (state.time.addingTimeInterval(seconds), body)
      return state.set
    }
    return Observation { [weak self] in
      self?.state.withLock { _ = $0.alarms.removeValue(forKey: number) }
    }
  }

  /// Advances the time and runs the due alarms.
  package func advance(by seconds: TimeInterval) {
    let due = state.withLock { state in
      let time = state.time.addingTimeInterval(seconds)
      state.time = time
      let numbers = state.alarms.filter { $0.value.due <= time }.keys.sorted()
      return numbers.compactMap { state.alarms.removeValue(forKey: $0)?.body }
    }
    for body in due { body() }
  }
}
