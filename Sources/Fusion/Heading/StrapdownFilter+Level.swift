import Quantities

/// Level, bias and scale: what velocity and rest have to say.
extension StrapdownFilter {
  mutating func correctLevel(_ t: Double) {
    let p = parameters
    let sigma = rest.isAtRest ? p.restVelocityNoise : p.velocityNoise
    for i in 0..<3 { measureVelocity(i, variance: sigma * sigma / t) }
    if rest.isAtRest, isBias(rest.rate, seconds: t) {
      let hidden = isHeadingKnown ? fieldTurn.hiddenRate : 0
      let variance =
        (p.restRateNoise * p.restRateNoise + hidden * hidden * p.hiddenTime) / t
      for i in 0..<3 { measureBias(i, variance: variance) }
    }
    if !rest.isAtRest { biasDoubt.contradictionSeconds = 0 }
    let level =
      errors[ErrorState.attitude, ErrorState.attitude]
      + errors[ErrorState.attitude + 1, ErrorState.attitude + 1]
    alignment.update(tiltVariance: level, isAtRest: rest.isAtRest, seconds: t, p)
  }

  /// The velocity is zero. What it drifts by corrects all but heading and field; while level is being
  /// found, level alone.
  private mutating func measureVelocity(_ i: Int, variance: Double) {
    let g = errors[ErrorState.velocity + i]
    let s = g[ErrorState.velocity + i] + variance
    let k = g * (alignment.isLevelFound ? Self.levelGain : Self.tiltGain) * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    inject(k * -velocity[i])
  }

  /// The steady rate of a body at rest is its bias.
  private mutating func measureBias(_ i: Int, variance: Double) {
    let g = errors[ErrorState.bias + i]
    let s = g[ErrorState.bias + i] + variance
    let k = g * Self.biasGain * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    inject(k * (rest.rate[i] - bias[i]))
  }

  private static let levelGain = ErrorVector(mask: 0..<2, 3..<15)
  private static let tiltGain = ErrorVector(mask: 0..<2, 12..<15)
  private static let biasGain = ErrorVector(mask: 0..<15)
}
