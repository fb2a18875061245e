import Foundation

/// The end of waiting for work that may not end by itself, such as a system's resolver.
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

  /// Runs work on a thread of its own and waits for it.
  /// - Parameter work: What to do; it is left to end by itself where the time is over.
  /// - Returns: Its result; nil where the time is over.
  package func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) -> Value? {
    let outcome = Outcome<Value>()
    let thread = Thread { outcome.set(work()) }
    thread.name = "lodestar-http"
    thread.start()
    _ = outcome.isDone.wait(timeout: .now() + seconds)
    return outcome.value
  }
}
