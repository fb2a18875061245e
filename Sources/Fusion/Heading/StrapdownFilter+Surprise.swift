import Quantities
import RealModule

/// Re-acquisition: another explanation of the field takes over where it is much the likelier one.
extension StrapdownFilter {
  /// Weighs the other explanation against the filter's own.
  ///
  /// - Parameters:
  ///   - z: The field, earth frame, microtesla.
  ///   - rotation: Body to earth.
  ///   - misfit: The squared innovation over its variance.
  ///   - excess: The innovation's mean variance beyond noise and place, microtesla².
  ///   - noise: Variance of the field, microtesla².
  ///   - t: How long the measurement lasted, s.
  /// - Returns: True where it took over.
  mutating func compete(
    _ z: SIMD3<Double>, _ rotation: Matrix3, misfit: Double, excess: Double, noise: Double,
    seconds t: Double
  ) -> Bool {
    let p = parameters
    let variance = noise + monitor.roomVariance
    let isMature = monitor.agreedSeconds > p.matureTime
    if !isStill, monitor.agreement > 0.9, other.isOn, other.horizontalSigma < p.testedSigma {
      monitor.agreedSeconds += t
    }
    if !other.isOn { beginOther(z, isMature) }
    other.grow(earth: isStill ? 0 : p.otherDrift.squared * t, iron: p.otherIronDrift.squared * t)
    let (r, own) = other.innovation(z, rotation)
    let otherMisfit = r.lengthSquared / (variance + own)
    let weight = min(1, p.foreignGate / otherMisfit)
    // A bend of the room lasts for some time: samples nearer to one another are one.
    let share = t / max(p.bendTime, t)
    let more =
      Self.likelihood(otherMisfit, variance / (variance + own))
      - Self.likelihood(misfit, variance / (variance + max(0, excess)))
    other.measure(z, rotation, variance: variance / (share * weight * weight))
    other.weigh(evidence: share * more, weight: weight, seconds: t)
    let h = other.horizontal
    let isUsual = !isMature || abs(h - field.earth.horizontal) < 0.35 * field.earth.horizontal
    if other.evidence > p.evidenceGate, other.seconds > p.leastCompetition,
      other.agreement > 0.7, isUsual, other.horizontalSigma < 0.25 * h
    {
      takeOver()
      return true
    }
    if other.evidence < -12 || (other.seconds > 4 && other.agreement < 0.5) {
      beginOther(z, isMature)
    }
    return false
  }

  private mutating func beginOther(_ z: SIMD3<Double>, _ isMature: Bool) {
    let known = (9 + monitor.roomVariance + errors[ErrorState.down, ErrorState.down]).squareRoot()
    other.begin(
      z, horizontalSigma: 30, downSigma: isMature ? known : 30,
      ironSigma: parameters.otherIronSigma)
  }

  /// The logarithm of the likelihood of an innovation of three parts, with a share of strays.
  private static func likelihood(_ misfit: Double, _ ratio: Double) -> Double {
    let stray = 0.02
    return Double.log((1 - stray) * ratio * ratio.squareRoot() * Double.exp(-misfit / 2) + 0.3 * stray)
  }

  private mutating func takeOver() {
    let p = parameters
    let h = other.horizontal
    let sigma = other.horizontalSigma / h
    let (found, iron, variance) = (other.earth, other.iron, other.ironVariance)
    align(to: found)
    field.iron = iron
    field.disturbance = .zero
    errors.reset(ErrorState.heading, variance: sigma * sigma + 0.01)
    for i in 0..<3 {
      errors.reset(
        ErrorState.disturbance + i, variance: p.disturbanceSigma * p.disturbanceSigma)
      errors.reset(ErrorState.iron + i, variance: max(variance[i], p.ironSigma * p.ironSigma))
    }
    other.end()
    monitor.agreement = 1
    monitor.agreedSeconds = 0
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
    (field.iron, field.disturbance) = (.zero, .zero)
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
