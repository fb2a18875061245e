import Quantities
import RealModule

/// The way from one sample to the next, and what becomes uncertain on it.
extension StrapdownFilter {
  mutating func predict(
    _ current: Rotation<BodyFrame, MagneticEarthFrame>, _ w: SIMD3<Double>, _ f: SIMD3<Double>,
    _ dt: Double
  ) {
    let p = parameters
    let free = w - bias
    let turned = scale.correct(free)
    var next = current * Rotation<BodyFrame, BodyFrame>(rotationVector: turned * dt)
    next.renormalize()
    let matrix = Matrix3(next)
    let force = matrix * f
    acceleration = force + SIMD3(0, 0, Self.gravity)
    velocity += acceleration * dt
    turnRate += (matrix.r2.dot(turned) - turnRate) * (dt / (dt + p.turnRateTime))
    interval.add(
      rotation: matrix, force: force, rate: free,
      jerk: dt > p.coarseStep ? (w - rate).length * dt / 2 : 0, seconds: dt)
    attitude = next
    rate = w
  }

  /// After a gap nobody knows how far the body turned meanwhile.
  mutating func bridge(gap: Double) {
    let unknown = min(gap * parameters.gapRate, .pi)
    errors.grow(ErrorState.attitude, count: 3, by: unknown * unknown)
    errors.grow(
      ErrorState.bias, count: 3, by: parameters.biasDrift * parameters.biasDrift * gap)
    velocity = .zero
  }

  /// Carries the covariance over the interval.
  mutating func growErrors(_ t: Double) {
    let p = parameters
    errors.propagate(interval)
    errors.grow(
      ErrorState.attitude, count: 3,
      by: p.rateNoise * p.rateNoise * t
        + p.rateScaleNoise * p.rateScaleNoise * interval.rotationSquared + interval.jerkSquared)
    errors.grow(ErrorState.bias, count: 3, by: p.biasDrift * p.biasDrift * t)
    errors.grow(ErrorState.velocity, count: 3, by: p.forceNoise * p.forceNoise * t)
    growField(t)
  }

  /// A disturbance fades in motion, iron with the turns that would show it, each towards what is usual.
  private mutating func growField(_ t: Double) {
    let p = parameters
    let left = isStill ? 1 : Double.exp(-t / p.disturbanceTime)
    let turned = (interval.rotationSquared * t).squareRoot()
    let leftOfIron = Double.exp(-t / p.ironTime - turned / p.ironTurn)
    field.disturbance *= left
    field.iron *= leftOfIron
    var factors = ErrorVector(repeating: 1)
    factors[block: ErrorState.disturbance] = SIMD3(repeating: left)
    factors[block: ErrorState.iron] = SIMD3(repeating: leftOfIron)
    errors.scale(factors)
    let room = p.disturbanceSigma * p.disturbanceSigma + p.misfitGain * monitor.misfitSquared
    errors.grow(ErrorState.disturbance, count: 3, by: room * (1 - left * left))
    errors.grow(
      ErrorState.iron, count: 3, by: p.ironSigma * p.ironSigma * (1 - leftOfIron * leftOfIron))
    if !isStill {
      errors.grow(ErrorState.horizontal, count: 2, by: p.strengthDrift * p.strengthDrift * t)
    }
    errors.grow(ErrorState.latency, by: p.latencyDrift * p.latencyDrift * t)
  }
}
