import Foundation

/// A timeout for work that may never end by itself, such as the system's resolver.
package struct Deadline: Sendable {
  /// Seconds from the start of the work.
  package var seconds: Double

  /// Makes one.
  package init(seconds: Double) { self.seconds = seconds }

  private final class Outcome<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value?
    let isDone = DispatchSemaphore(value: 0)

    var value: Value? { lock.withLock { stored } }
    func set(_ value: Value) {
      lock.withLock { stored = value }
      isDone.signal()
    }
  }

  /// Runs work on a new thread and waits for it.
  /// - Parameter work: The work; continues in the background after the timeout.
  /// - Returns: Its result; nil at the timeout.
  package func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) -> Value? {
    let outcome = Outcome<Value>()
    let thread = Thread { outcome.set(work()) }
    thread.name = "lodestar-http"
    thread.start()
    _ = outcome.isDone.wait(timeout: .now() + seconds)
    return outcome.value
  }
}
