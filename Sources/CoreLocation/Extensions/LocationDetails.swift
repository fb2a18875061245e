package import Quantities

/// What a location holds beyond Apple's members.
package struct LocationDetails: Codable, Equatable, Sendable {
  /// How its errors spread.
  package var covariance: CLCovariance?
  /// East, north, up, metres per second.
  package var velocity: CLVector3?
  /// What it rests on.
  package var fix: CLFix?
  /// Where it came from.
  package var sources: [CLLocationSource]?

  /// Makes the details of an estimate.
  /// - Parameters:
  ///   - estimate: What the engine believes.
  ///   - sources: Where its place came from.
  package init(_ estimate: Estimate, sources: [CLLocationSource]) {
    covariance = CLCovariance(estimate)
    velocity = estimate.velocity.map { CLVector3(exchanging: $0.metresPerSecond) }
    fix = CLFix(estimate)
    self.sources = sources.isEmpty ? nil : sources
  }
}
