package import Engine

/// Keeps what works for this program working while the program itself is stopped.
package protocol ActivityLease: Sendable {
  /// Holds the lease until the observation is cancelled or released.
  func holdActivity() -> Observation
}
