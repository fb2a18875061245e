import Quantities

/// Tells a slow steady turn, which looks like rest to an accelerometer and a gyroscope, from a bias.
extension StrapdownFilter {
  /// True where the steady rate of a body that seems to rest is the gyroscope's bias and no turn.
  ///
  /// Before any bias is learnt it is taken on trust. After that a rate far from the learnt bias is a turn,
  /// unless it lasts for `contradictionTime` in a field that stands still: then the bias was wrong.
  mutating func isBias(_ steadyRate: SIMD3<Double>, seconds t: Double) -> Bool {
    guard !fieldTurn.isTurning else { return false }
    let p = parameters
    let variance = errors.bias.diagonal.max()
    let gate = max(3 * max(variance, 0).squareRoot(), p.biasGate)
    let isNear = (steadyRate - bias).length < gate
    if isNear || !isBiasLearnt {
      (isBiasLearnt, contradictionSeconds) = (true, 0)
      return true
    }
    contradictionSeconds += t
    guard contradictionSeconds > p.contradictionTime else { return false }
    isBiasLearnt = false
    return false
  }
}

/// Sees whether the field turns in the body: two low-passes of its direction drift apart.
struct FieldTurn: Equatable, Sendable {
  /// Time constants of the two, s.
  private static let (quick, slow) = (1.0, 6.0)
  /// How far apart they are in a turn, rad. At a dip of 70 degrees half a degree a second makes 0.015.
  private static let threshold = 0.01

  private var newer: SIMD3<Double>?
  private var older = SIMD3<Double>.zero

  var isTurning: Bool { newer.map { ($0 - older).length > Self.threshold } ?? false }

  mutating func update(_ m: SIMD3<Double>, seconds dt: Double) {
    guard let direction = m.normalized else { return }
    guard let last = newer else {
      (newer, older) = (direction, direction)
      return
    }
    newer = last + (direction - last) * (dt / (dt + Self.quick))
    older += (direction - older) * (dt / (dt + Self.slow))
  }
}
