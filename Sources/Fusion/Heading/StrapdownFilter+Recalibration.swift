import Quantities

/// Going over to a field that comes through another calibration.
extension StrapdownFilter {
  /// What the old calibration had left is forgotten; level, gyroscope and what this place bends the field
  /// by stay: a body that rests would otherwise take a bent field for the earth's.
  /// - Parameters:
  ///   - turn: By how much the field's direction has moved with the new calibration, radians; nil where
  ///     the old field said nothing, and north is to be found anew.
  ///   - earth: The earth's field as the new calibration gives it.
  ///   - ironSigma: What iron the new calibration may have left, one sigma, microtesla.
  mutating func recalibrate(
    turningFieldBy turn: Double?, earth: EarthField, ironSigma: Double
  ) {
    let p = parameters
    interval.clear()
    field.iron = .zero
    let iron = max(p.ironSigma, ironSigma)
    for i in 0..<3 { errors.reset(ErrorState.iron + i, variance: iron * iron) }
    field.earth = earth
    for i in [ErrorState.horizontal, ErrorState.down] {
      errors.reset(i, variance: p.recalibratedStrengthSigma * p.recalibratedStrengthSigma)
    }
    monitor = DisturbanceMonitor()
    witness = FieldWitness()
    waitingField = nil
    let isGoingOn = isHeadingKnown && turn != nil
    if let turn, isGoingOn {
      errors.raise(ErrorState.heading, to: abs(turn))
      guard abs(turn) > p.largeRecalibration else { return }
    }
    isHeadingKnown = isGoingOn
    // A field that was far off has taught the gyroscope wrongly.
    for i in 0..<3 { errors.raise(ErrorState.bias + i, to: p.initialBiasSigma) }
  }
}
