import Dispatch
import Synchronization

/// The time of a loop's last turn, for the watchdog. Safe from any thread.
package final class Heartbeat: Sendable {
  private let last = Mutex<UInt64?>(nil)

  /// Makes a pulse without a turn.
  package init() {}

  /// Records a turn.
  package func beat() {
    last.withLock { $0 = DispatchTime.now().uptimeNanoseconds }
  }

  /// Whether the last turn is less than `seconds` ago; true before the first turn.
  package func isAlive(within seconds: Double) -> Bool {
    guard let last = last.withLock({ $0 }) else { return true }
    return Double(DispatchTime.now().uptimeNanoseconds - last) * 1e-9 < seconds
  }
}
