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
}
