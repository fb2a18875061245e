import Monitoring
import Quantities

extension PlaceFix {
  /// The fix of an estimate, for monitoring; nil if the estimate has no position, no accuracy, or a
  /// position that is carried on through an outage.
  /// - Parameters:
  ///   - estimate: The engine's estimate.
  ///   - now: The civil time, for an estimate that has none.
  public init?(_ estimate: Estimate, now: UTCTime) {
    // A predicted position is no evidence. Of the receiver's outliers monitoring has its own
    // judgement, by their length.
    guard let (position, stated) = estimate.judgedPlace, let accuracy = stated,
      let fixed = estimate.fixTimestamp, estimate.fixKind != FixKind.none,
      estimate.rejectedPosition != nil || estimate.outageSeconds == nil
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
    motion = estimate.certainMotionState
    isSimulated = estimate.isSimulated || estimate.fixKind == .simulated
  }
}
