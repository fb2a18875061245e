package import Quantities

/// The values of a location beyond Apple's members.
package struct LocationDetails: Codable, Equatable, Sendable {
  /// The covariances of position and velocity.
  package var covariance: CLCovariance?
  /// The velocity to east, north and up, metres per second.
  package var velocity: CLVector3?
  /// The position solution.
  package var fix: CLFix?
  /// The sources.
  package var sources: [CLLocationSource]?

  /// Makes the details of an estimate.
  /// - Parameters:
  ///   - estimate: The engine's estimate.
  ///   - sources: The sources of its position.
  package init(_ estimate: Estimate, sources: [CLLocationSource]) {
    covariance = CLCovariance(estimate)
    velocity = estimate.velocity.map { CLVector3(exchanging: $0.metresPerSecond) }
    fix = CLFix(estimate)
    self.sources = sources.isEmpty ? nil : sources
  }
}
