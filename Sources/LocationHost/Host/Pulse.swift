import Foundation

/// When something last came round. Safe from any thread.
package final class Pulse: @unchecked Sendable {
  private let lock = NSLock()
  private var last: UInt64?

  /// Begins before the first time.
  package init() {}

  /// It comes round now.
  package func beat() {
    lock.withLock { last = DispatchTime.now().uptimeNanoseconds }
  }

  /// Whether it came round in so many seconds; true before the first time.
  package func isAlive(within seconds: Double) -> Bool {
    guard let last = lock.withLock({ last }) else { return true }
    return Double(DispatchTime.now().uptimeNanoseconds - last) * 1e-9 < seconds
  }
}
