import LinuxIO

/// A timeout for work that may never end by itself, such as the system's resolver.
package struct Deadline: Sendable {
  /// Seconds from the start of the work.
  package var seconds: Double

  /// Makes one.
  package init(seconds: Double) { self.seconds = seconds }

  /// Runs work on a new thread and waits for it.
  /// - Parameter work: The work; continues in the background after the timeout.
  /// - Returns: Its result; nil at the timeout.
  package func result<Value: Sendable>(of work: @escaping @Sendable () -> Value) -> Value? {
    let outcome = Waitable<Value?>(nil)
    WorkerThread.start("lodestar-http") {
      let value = work()
      outcome.withLock { $0 = value }
    }
    return outcome.wait(atMost: seconds) { $0 }
  }
}
