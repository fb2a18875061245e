import Glibc
import Quantities

/// A value that several threads use, one at a time, and for whose changes they can wait. The
/// timeout follows the monotonic clock: a step of the machine's time neither shortens nor lengthens
/// a wait.
///
/// `NSCondition` and `DispatchSemaphore` of Linux wait until an instant of civil time.
package final class Waitable<Value: Sendable>: @unchecked Sendable {
  // Unchecked: the value is read and written under the POSIX mutex, which a condition variable
  // needs.
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Protects a value.
  package init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    condition.initialize(to: pthread_cond_t())
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value, and wakes the waiting threads, so that they check it again.
  /// `body` must not use this object.
  package func withLock<Result, Fault: Error>(
    _ body: (inout Value) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Reads the value.
  package func read<Result>(_ body: (borrowing Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(value)
  }

  /// Calls `body` at once and after each change until it returns a result.
  /// - Parameters:
  ///   - seconds: The timeout; `.infinity` for none; zero, less and NaN do not wait.
  ///   - body: Takes the awaited result from the value; nil while there is none.
  /// - Returns: The result; nil after the timeout.
  @discardableResult
  package func wait<Result>(
    atMost seconds: Double, _ body: (inout Value) -> Result?
  ) -> Result? {
    let deadline = Self.instant(after: seconds)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      guard var deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return body(&value) }
    }
  }

  /// The instant of the monotonic clock; nil for no timeout.
  private static func instant(after seconds: Double) -> timespec? {
    // A year is longer than any wait, and its sum with the clock fits a timespec of 32 bits. NaN
    // does not wait.
    if seconds >= 365 * 86_400 { return nil }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let span = seconds > 0 ? seconds : 0
    let whole = span.rounded(.down)
    let nanoseconds = now.tv_nsec + Int(bounded: (span - whole) * 1e9)
    return timespec(
      tv_sec: now.tv_sec + Int(bounded: whole) + nanoseconds / 1_000_000_000,
      tv_nsec: nanoseconds % 1_000_000_000)
  }
}
