import HostProtocol
import Quantities

/// The newest place of the host's estimates, for those without one: the first after a new demand,
/// and between two places of reduced accuracy.
package struct LastFix: Sendable {
  /// How long a place is valid, seconds: as in the engine, and at reduced accuracy a little longer
  /// than the interval of two places.
  private static func validity(_ accuracy: GrantedAccuracy) -> Double {
    accuracy == .full ? 10 : 1000
  }

  private var newest: Estimate?

  /// Makes one without a place.
  package init() {}

  /// Forgets the place.
  package mutating func forget() { newest = nil }

  /// The estimate with the newest valid place.
  package mutating func complete(_ estimate: Estimate, _ accuracy: GrantedAccuracy) -> Estimate {
    if estimate.position != nil {
      newest = estimate
      return estimate
    }
    guard let fix = newest, let time = fix.fixTimestamp, estimate.fixKind == nil,
      !(estimate.positionState?.isGone ?? false),
      estimate.timestamp >= time,
      estimate.timestamp.seconds(since: time) <= Self.validity(accuracy)
    else { return estimate }
    var placed = estimate
    (placed.fixKind, placed.fixTimestamp) = (fix.fixKind, fix.fixTimestamp)
    placed.position = fix.position
    placed.horizontalAccuracyMetres = fix.horizontalAccuracyMetres
    placed.altitudeMetres = fix.altitudeMetres
    placed.ellipsoidalAltitudeMetres = fix.ellipsoidalAltitudeMetres
    placed.verticalAccuracyMetres = fix.verticalAccuracyMetres
    placed.speedMetresPerSecond = fix.speedMetresPerSecond
    placed.course = fix.course
    placed.satellitesUsed = fix.satellitesUsed
    return placed
  }
}
