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
    let horizontal = max(field.horizontal, p.weakestHorizontal)
    errors.grow(
      ErrorState.heading,
      by: p.surpriseToHeading * 3 * excess * share / (horizontal * horizontal))
  }
}

extension StrapdownFilter {
  /// Starts again from the field's own north where the field, with nothing taken off, has for some seconds
  /// of motion had the earth's strength and dip and yet pointed elsewhere.
  ///
  /// The model can explain a wrong heading by iron for as long as the body does not turn. Iron that leaves
  /// strength and dip as they are would be a coincidence.
  /// - Returns: True where it did.
  mutating func overrule(_ z: SIMD3<Double>, seconds t: Double) -> Bool {
    let p = parameters
    guard !isStill else { return false }
    witness.update(z, model: field, seconds: t, timeConstant: p.overruleTime)
    guard let direction = witness.direction(p), abs(direction) > p.overruleAngle else {
      return false
    }
    let horizontal = max(field.horizontal, p.weakestHorizontal)
    align(
      to: SIMD3(
        horizontal * Double.cos(direction), horizontal * Double.sin(direction), field.down))
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

/// Watches the field as it comes, with neither iron nor disturbance taken off.
struct FieldWitness: Equatable, Sendable {
  var mean = SIMD2<Double>.zero
  /// Horizontal and downward strength as they were believed on the whole, microtesla: a belief that has
  /// just gone wrong bends its own.
  var usual = SIMD2<Double>.zero
  var misfitSquared = 0.0
  var seconds = 0.0

  mutating func update(
    _ z: SIMD3<Double>, model: FieldModel, seconds t: Double, timeConstant: Double
  ) {
    let h = (z.x * z.x + z.y * z.y).squareRoot()
    guard h > 0 else { return }
    if seconds == 0 { usual = SIMD2(model.horizontal, model.down) }
    seconds += t
    usual += (SIMD2(model.horizontal, model.down) - usual) * (t / (t + Self.memory))
    let gain = t / (t + min(timeConstant, seconds))
    mean += (SIMD2(z.x, z.y) / h - mean) * gain
    let (horizontal, down) = (h - usual.x, z.z - usual.y)
    misfitSquared += ((horizontal * horizontal + down * down) / 2 - misfitSquared) * gain
  }

  /// Time constant of `usual`, s: four times what it takes to overrule.
  private static var memory: Double { 20 }

  /// Follows a correction of the heading.
  mutating func turn(by angle: Double) {
    mean += SIMD2(-mean.y, mean.x) * angle
  }

  /// Where the field points, clockwise from the believed north; nil where it is not the earth's, not
  /// steady, or was not seen for long enough.
  func direction(_ p: StrapdownFilter.Parameters) -> Double? {
    guard seconds > 2 * p.overruleTime, misfitSquared < p.overruleMisfit * p.overruleMisfit,
      (mean * mean).sum() > p.overruleSteadiness * p.overruleSteadiness
    else { return nil }
    return Double.atan2(y: mean.y, x: mean.x)
  }
}

/// What the filter believes of the field.
struct FieldModel: Equatable, Sendable {
  /// What the field is off by where the body is, microtesla, earth frame.
  var disturbance = SIMD3<Double>.zero
  /// Iron that moves with the body, beyond its calibration, microtesla, body frame.
  var iron = SIMD3<Double>.zero
  /// The earth field's horizontal strength, microtesla.
  var horizontal = 0.0
  /// Its downward strength, microtesla.
  var down = 0.0
  /// The magnetometer's latency after the gyroscope, s.
  var latency = 0.0
}
