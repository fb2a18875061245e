import Dispatch
import Synchronization

/// When something last came round. Safe from any thread.
package final class Pulse: Sendable {
  private let last = Mutex<UInt64?>(nil)

  /// Begins before the first time.
  package init() {}

  /// It comes round now.
  package func beat() {
    last.withLock { $0 = DispatchTime.now().uptimeNanoseconds }
  }

  /// Whether it came round in so many seconds; true before the first time.
  package func isAlive(within seconds: Double) -> Bool {
    guard let last = last.withLock({ $0 }) else { return true }
    return Double(DispatchTime.now().uptimeNanoseconds - last) * 1e-9 < seconds
  }
}
