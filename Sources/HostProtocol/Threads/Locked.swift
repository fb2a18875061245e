import Foundation

/// A value that threads take turns at.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  /// Puts a value behind a lock.
  package init(_ value: Value) { self.value = value }

  /// Runs `body` while nobody else has the value; `body` must not come back for it.
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
