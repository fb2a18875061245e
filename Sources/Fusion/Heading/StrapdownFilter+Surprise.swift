import Quantities
import RealModule

/// Re-acquisition: what the model did not expect opens it again.
extension StrapdownFilter {
  /// Compares a low-pass of the innovation with its covariance and grows what may be wrong by the excess.
  ///
  /// - Parameters:
  ///   - innovation: Measured less predicted, earth frame, microtesla.
  ///   - across: The horizontal direction in which a wrong heading shows.
  ///   - expected: The trace of the innovation's covariance, microtesla².
  ///   - t: How long the measurement lasted, s.
  mutating func beSurprised(
    _ innovation: SIMD3<Double>, across: SIMD3<Double>, expected: Double, seconds t: Double
  ) {
    let p = parameters
    let gain = 1 - Double.exp(-t / p.surpriseTime)
    monitor.innovation += (innovation - monitor.innovation) * gain
    let mean = monitor.innovation
    // A low-pass of independent innovations has gain / (2 - gain) of their variance.
    let statistic = 3 * mean.lengthSquared * (2 / gain - 1) / expected
    guard statistic > p.surpriseGate else { return }
    let excess = mean.lengthSquared * (1 - p.surpriseGate / statistic) * (2 - gain) / 3
    errors.grow(ErrorState.disturbance, count: 3, by: p.surpriseToDisturbance * excess)
    errors.grow(ErrorState.iron, count: 3, by: p.surpriseToIron * excess)
    errors.grow(ErrorState.horizontal, count: 2, by: p.surpriseToStrength * excess)
    let sideways = mean.dot(across)
    let share = sideways * sideways / mean.lengthSquared
    let horizontal = max(field.earth.horizontal, p.weakestHorizontal)
    errors.grow(
      ErrorState.heading,
      by: p.surpriseToHeading * 3 * excess * share / (horizontal * horizontal))
  }

  /// Starts again from the field's own north where the field, with nothing taken off, has for some seconds
  /// of motion had the earth's strength and dip and yet pointed elsewhere.
  ///
  /// The model can explain a wrong heading by iron for as long as the body does not turn. Iron that leaves
  /// strength and dip as they are would be a coincidence.
  /// - Returns: True where it did.
  mutating func overrule(_ z: SIMD3<Double>, seconds t: Double) -> Bool {
    let p = parameters
    guard !isStill else { return false }
    witness.update(z, believed: field.earth, seconds: t, timeConstant: p.overruleTime)
    guard let direction = witness.direction(p), abs(direction) > p.overruleAngle else {
      return false
    }
    let horizontal = max(field.earth.horizontal, p.weakestHorizontal)
    align(
      to: SIMD3(
        horizontal * Double.cos(direction), horizontal * Double.sin(direction), field.earth.down))
    (field.iron, field.disturbance, monitor.innovation) = (.zero, .zero, .zero)
    let sigma = p.overruleAngle / 2
    errors.reset(ErrorState.heading, variance: sigma * sigma)
    for i in 0..<3 {
      errors.reset(
        ErrorState.disturbance + i, variance: p.disturbanceSigma * p.disturbanceSigma)
      errors.reset(ErrorState.iron + i, variance: p.ironSigma * p.ironSigma)
    }
    return true
  }
}
