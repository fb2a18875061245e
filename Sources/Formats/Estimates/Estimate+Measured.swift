import Quantities

extension Estimate {
  /// The accuracy from which a position is coarse, metres; reduced accuracy is some kilometres.
  private static let coarseAccuracy = 100.0

  /// Whether the position is too coarse to steer by.
  var isPositionCoarse: Bool { (horizontalAccuracyMetres ?? 0) >= Self.coarseAccuracy }

  /// Whether the position is measured by satellites now and is not coarse.
  var isPositionMeasured: Bool {
    guard !isSimulated, let kind = fixKind, kind.isOfSatellites, positionState != .late,
      positionState?.isGone != true
    else { return false }
    return !isPositionCoarse
  }
}
