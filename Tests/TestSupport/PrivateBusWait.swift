import Foundation

/// Values that callbacks of other threads leave for a test.
public final class Collected<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var values: [Value] = []

  /// Begins empty.
  public init() {}

  /// Adds a value.
  public func add(_ value: Value) {
    condition.lock()
    values.append(value)
    condition.broadcast()
    condition.unlock()
  }

  /// What is there.
  public var all: [Value] {
    condition.lock()
    defer { condition.unlock() }
    return values
  }

  /// Waits until what is there fits.
  /// - Parameters:
  ///   - seconds: How long at most: generous, as it only decides how long a failing test takes.
  ///   - fits: What is waited for.
  /// - Returns: False where the time is over.
  public func wait(_ seconds: Double = 20, until fits: ([Value]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !fits(values) {
      guard condition.wait(until: end) else { return fits(values) }
    }
    return true
  }
}
