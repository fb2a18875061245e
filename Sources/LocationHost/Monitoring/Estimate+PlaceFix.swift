import Monitoring
import Quantities

extension PlaceFix {
  /// The fix of an estimate, for monitoring; nil if the estimate has no position or no accuracy.
  /// - Parameters:
  ///   - estimate: The engine's estimate.
  ///   - now: The civil time, for an estimate that has none.
  public init?(_ estimate: Estimate, now: UTCTime) {
    guard let position = estimate.position, let fixed = estimate.fixTimestamp,
      estimate.fixKind != FixKind.none, let accuracy = estimate.horizontalAccuracyMetres
    else { return nil }
    // The estimate may be newer than its fix.
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
