import Quantities

/// Level, bias and scale: what velocity and rest have to say.
extension StrapdownFilter {
  mutating func correctLevel(_ t: Double) {
    let p = parameters
    let moving =
      p.velocityNoise * p.velocityNoise
      + p.velocityMotionNoise * p.velocityMotionNoise * motionSquared
    let square = rest.isAtRest ? p.restVelocityNoise * p.restVelocityNoise : moving
    let tilt = errors[0, 0] + errors[1, 1]
    if alignment.isLevelFound, tilt > 2 * p.initialTiltSigma.squared { alignment = Alignment() }
    if alignment.isLevelFound {
      var misfit = 0.0
      for i in 0..<2 { misfit += measureVelocity(i, variance: square / t) / 2 }
      levelMisfit += (misfit - levelMisfit) * (t / (t + p.levelMisfitTime))
      if levelMisfit > p.levelMisfitGate { loseLevel() }
    }
    if rest.isAtRest, isBias(rest.rate, seconds: t) {
      let hidden = isHeadingKnown ? fieldTurn.hiddenRate : 0
      let variance =
        (p.restRateNoise * p.restRateNoise + hidden * hidden * p.hiddenTime) / t
      for i in 0..<3 { measureBias(i, variance: variance) }
    }
    if !rest.isAtRest { biasDoubt.contradictionSeconds = 0 }
    alignment.age(isAtRest: rest.isAtRest, seconds: t, p)
  }

  /// Level by the mean specific force since the search began: what a body gains of speed meanwhile is
  /// bounded, so that the error falls with time, and no size of it is too large.
  mutating func searchLevel(_ t: Double) {
    let p = parameters
    guard let current = attitude,
      let turn = alignment.level(
        adding: interval.pushed, squared: interval.pushedSquared, seconds: t)
    else { return }
    attitude = turn * current
    velocity = .zero
    interval.field.field = turn.rotate(interval.field.field)
    let strayed = p.initialVelocitySigma.squared + (p.swayTime * alignment.spread).squared
    let sigma = strayed.squareRoot() / (Self.gravity * alignment.seconds)
    for i in 0..<2 {
      errors.reset(ErrorState.attitude + i, variance: min(sigma, p.initialTiltSigma).squared)
      errors.reset(ErrorState.velocity + i, variance: strayed)
    }
    if sigma < p.settledTiltSigma || rest.isAtRest { alignment.finish() }
  }

  /// The velocity is zero. What it drifts by corrects all but heading and field.
  /// - Returns: The square of the innovation over its variance.
  private mutating func measureVelocity(_ i: Int, variance: Double) -> Double {
    let g = errors[ErrorState.velocity + i]
    let s = g[ErrorState.velocity + i] + variance
    let k = g * (isGyroscopeSound ? Self.levelGain : Self.tiltGain) * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    let misfit = velocity[i] * velocity[i] / s
    inject(k * -velocity[i])
    return misfit
  }

  /// Level is far from what the covariance says: it is sought anew, and the gyroscope is doubted.
  private mutating func loseLevel() {
    let p = parameters
    levelMisfit = 0
    alignment = Alignment()
    for i in 0..<3 {
      errors.raise(ErrorState.bias + i, to: p.initialBiasSigma)
      errors.raise(ErrorState.scale + i, to: p.initialScaleSigma)
      errors.reset(ErrorState.attitude + i, variance: p.initialTiltSigma.squared)
    }
  }

  /// The steady rate of a body at rest is its bias.
  private mutating func measureBias(_ i: Int, variance: Double) {
    let g = errors[ErrorState.bias + i]
    let s = g[ErrorState.bias + i] + variance
    let k = g * Self.biasGain * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    inject(k * (rest.rate[i] - bias[i]))
  }

  private static let levelGain = ErrorVector(mask: 0..<2, 3..<14)
  /// After the gyroscope was at its limit nothing is learnt of it.
  private static let tiltGain = ErrorVector(mask: 0..<2, 12..<14)
  private static let biasGain = ErrorVector(mask: 0..<14)
}

extension Double {
  var squared: Double { self * self }
}
