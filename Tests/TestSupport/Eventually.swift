import Foundation

/// Waits for a condition, which is evaluated on this thread.
/// - Parameters:
///   - seconds: The timeout: long, since it only determines the duration of a failing test.
///   - holds: The condition.
/// - Returns: False at the timeout.
public func eventually(within seconds: Double = 30, _ holds: () -> Bool) -> Bool {
  let end = DispatchTime.now() + seconds
  while DispatchTime.now() < end {
    if holds() { return true }
    Thread.sleep(forTimeInterval: 0.005)
  }
  return holds()
}
