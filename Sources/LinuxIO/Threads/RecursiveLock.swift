import Glibc

/// A lock that its holder may take again: for calls out of a locked section that come back.
package final class RecursiveLock: @unchecked Sendable {
  // Unchecked: the mutex is initialised once and used by its own functions only.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  /// Makes a lock, not locked.
  package init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits until no other thread holds the lock.
  package func lock() { pthread_mutex_lock(mutex) }

  /// Gives back one `lock`.
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Runs `body` with the lock.
  package func withLock<Result, Fault: Error>(
    _ body: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
