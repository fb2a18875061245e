import Quantities
import RealModule

/// What the field has to say: the start, the alignment while level is being found, the correction, and the
/// way back from a heading that is wrong.
extension StrapdownFilter {
  /// Turns the level attitude to the waiting field's north.
  mutating func orientHeading() {
    guard let level = attitude, let m = waitingField else { return }
    let z = level.rotate(m)
    guard z.x * z.x + z.y * z.y > 1 else { return }
    turnHeading(by: -Double.atan2(y: z.y, x: z.x))
    errors.resetHeading(variance: parameters.initialHeadingSigma * parameters.initialHeadingSigma)
    isHeadingKnown = true
    waitingField = nil
    reference.update(earthField: z, seconds: 0)
  }

  /// While level is still being found, a field taken through a tilted horizon says little of north: take
  /// heading and reference anew each time until it is.
  mutating func realign(_ z: SIMD3<Double>) {
    settleLevel()
    turnHeading(by: -Double.atan2(y: z.y, x: z.x))
    errors.resetHeading(variance: parameters.initialHeadingSigma * parameters.initialHeadingSigma)
    reference = FieldReference()
    reference.update(earthField: z, seconds: 0)
  }

  /// Notes whether level is found, with a field or without.
  mutating func settleLevel() {
    let tiltVariance = errors.attitude.r0.x + errors.attitude.r1.y
    if tiltVariance < parameters.settledTiltSigma * parameters.settledTiltSigma {
      isLevelSettled = true
    }
  }

  private mutating func turnHeading(by angle: Double) {
    guard let current = attitude else { return }
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(rotationVector: SIMD3(0, 0, angle))
    attitude = turn * current
    velocity = turn.rotate(velocity)
    interval.clear()
  }

  mutating func correctHeading(
    _ z: SIMD3<Double>, _ turning: SIMD3<Double>, _ t: Double
  ) {
    let p = parameters
    let horizontal = (z.x * z.x + z.y * z.y).squareRoot()
    guard horizontal > 0.5, t > 0 else { return }
    let factor = reference.varianceFactor
    let innovation = -Double.atan2(y: z.y, x: z.x)
    // z turned by the attitude error (a x z) must have no east part: a.z z.x - a.x z.z + z.y = 0.
    let sensitivity = SIMD3(-z.z / horizontal, 0, 1)
    let variance = p.headingNoise * p.headingNoise * factor / t
    reopen(innovation, factor, t)
    inject(
      errors.updateHeading(
        innovation: innovation, sensitivity: sensitivity, variance: variance))
    secondsSinceDisturbance = isDisturbed ? 0 : secondsSinceDisturbance + t
    let expected = SIMD3(reference.horizontal, 0, reference.down)
    latency.update(
      residual: z - expected, turning: turning, strength: expected.length, weight: factor,
      seconds: t)
  }

  /// An innovation that persists while the field looks clean means that the heading is wrong and the
  /// covariance too sure of it.
  private mutating func reopen(
    _ innovation: Double, _ factor: Double, _ t: Double
  ) {
    let p = parameters
    let gain = t / (t + p.reopenTime * factor)
    meanInnovation += (innovation - meanInnovation) * gain
    guard abs(meanInnovation) > p.reopenThreshold else { return }
    let excess = meanInnovation * meanInnovation
    errors.grow(
      attitude: SIMD3(0, 0, p.reopenGain * excess * t / (p.reopenTime * factor)), bias: 0,
      velocity: 0)
  }
}
