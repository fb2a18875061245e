import Monitoring
import Quantities

extension PlaceFix {
  /// The fix of an estimate as monitoring takes it; nil where the estimate has no place, or nobody knows how
  /// exact it is.
  /// - Parameters:
  ///   - estimate: What the engine believes.
  ///   - now: The civil time, for an estimate that does not tell its own.
  public init?(_ estimate: Estimate, now: UTCTime) {
    guard let position = estimate.position, let fixed = estimate.fixTimestamp,
      estimate.fixKind != FixKind.none, let accuracy = estimate.horizontalAccuracyMetres
    else { return nil }
    // The estimate may be younger than the fix that it carries.
    let age = estimate.timestamp.seconds(since: fixed)
    self.init(
      position: position, horizontalAccuracyMetres: accuracy,
      time: (estimate.utc ?? now).advanced(bySeconds: -age))
    altitudeMetres = estimate.altitudeMetres
    ellipsoidalAltitudeMetres = estimate.ellipsoidalAltitudeMetres
    verticalAccuracyMetres = estimate.verticalAccuracyMetres
    speedMetresPerSecond = estimate.speedMetresPerSecond
    courseDegrees = estimate.course?.wrappedToTurn.degrees
    isSimulated = estimate.isSimulated || estimate.fixKind == .simulated
  }
}
