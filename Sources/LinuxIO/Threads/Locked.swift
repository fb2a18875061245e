import Synchronization

/// A value that several threads use, one at a time; a class, so that closures can share it.
package final class Locked<Value: ~Copyable>: Sendable {
  private let mutex: Mutex<Value>

  /// Protects a value.
  package init(_ value: consuming sending Value) { mutex = Mutex(value) }

  /// Runs `body` while no other thread uses the value; `body` must not call this function again.
  package func withLock<Result: Sendable, Fault: Error>(
    _ body: (inout sending Value) throws(Fault) -> sending Result
  ) throws(Fault) -> Result {
    try mutex.withLock(body)
  }
}
