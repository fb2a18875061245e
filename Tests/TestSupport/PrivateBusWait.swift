import Foundation

/// Collects values from callbacks of other threads for a test.
public final class Collected<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var values: [Value] = []

  /// Makes an empty collection.
  public init() {}

  /// Adds a value.
  public func add(_ value: Value) {
    condition.lock()
    values.append(value)
    condition.broadcast()
    condition.unlock()
  }

  /// The values so far.
  public var all: [Value] {
    condition.lock()
    defer { condition.unlock() }
    return values
  }

  /// Waits until the values satisfy a condition.
  /// - Parameters:
  ///   - seconds: The timeout: long, since it only determines the duration of a failing test.
  ///   - fits: The condition.
  /// - Returns: False at the timeout.
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
