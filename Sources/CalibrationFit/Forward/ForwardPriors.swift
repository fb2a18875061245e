import Quantities

/// The priors of the fit as a quadratic cost.
struct ForwardPriors: Sendable {
  let field: FieldPrior
  /// An earlier calibration; it replaces the priors of shape and offset.
  let anchor: DistortionAnchor?
  let parameters: ForwardFit.Parameters
  let knotInterval: Double

  /// Adds the prior's precision to the normal matrix and its gradient to the right side.
  func add(to a: inout Matrix, _ b: inout [Double], at x: ForwardState) {
    let p = parameters
    if let anchor { anchor.add(to: &a, &b, at: x) } else { addDefault(to: &a, &b, at: x) }
    pull(ForwardState.horizontal, towards: field.field.horizontal, field.horizontalSigma, &a, &b, x)
    pull(ForwardState.down, towards: field.field.down, field.downSigma, &a, &b, x)
    if let strength = field.strength { pull(strength, &a, &b, x) }
    pull(ForwardState.latency, towards: 0, p.latencySigma, &a, &b, x)
    pull(ForwardState.rateScale, towards: 0, p.rateScaleSigma, &a, &b, x)
    pull(ForwardState.drift, towards: 0, p.driftSigma, &a, &b, x)
    let precision = 1 / (p.yawNoise * p.yawNoise * knotInterval)
    for k in 0..<(x.yaw.count - 1) {
      let step = x.yaw[k + 1] - x.yaw[k] - x.drift * knotInterval
      let (i, j, d) = (ForwardState.yaw + k, ForwardState.yaw + k + 1, ForwardState.drift)
      let factors = [(i, -1.0), (j, 1.0), (d, -knotInterval)]
      for (r, f) in factors {
        b[r] -= precision * f * step
        for (c, g) in factors { a[r, c] += precision * f * g }
      }
    }
    // The first yaw is free; this only keeps the matrix definite without data.
    a[ForwardState.yaw, ForwardState.yaw] += 1e-6
  }

  private func addDefault(to a: inout Matrix, _ b: inout [Double], at x: ForwardState) {
    for i in 0..<3 {
      pull(3 * i + i, towards: 1, parameters.scaleSigma, &a, &b, x)
      pull(ForwardState.offset + i, towards: 0, parameters.offsetSigma, &a, &b, x)
      // A rotation changes the two elements of a pair in opposite directions, soft iron in the same
      // direction.
      for j in 0..<i { pullPair(3 * i + j, 3 * j + i, &a, &b, x) }
    }
  }

  /// The prior's part of the cost.
  func cost(_ x: ForwardState) -> Double {
    let p = parameters
    var sum = anchor?.cost(x) ?? defaultCost(x)
    sum += part(x.field.horizontal - field.field.horizontal, field.horizontalSigma)
    sum += part(x.field.down - field.field.down, field.downSigma)
    if let strength = field.strength {
      sum += part(x.field.total - strength.microtesla, strength.sigma)
    }
    sum += part(x.latency, p.latencySigma) + part(x.rateScale, p.rateScaleSigma)
    sum += part(x.drift, p.driftSigma)
    let step = p.yawNoise * knotInterval.squareRoot()
    for k in 0..<(x.yaw.count - 1) {
      sum += part(x.yaw[k + 1] - x.yaw[k] - x.drift * knotInterval, step)
    }
    return sum
  }

  private func defaultCost(_ x: ForwardState) -> Double {
    let p = parameters
    var sum = 0.0
    for i in 0..<3 {
      sum += part(x.distortion.shape[i, i] - 1, p.scaleSigma)
      sum += part(x.distortion.offset[i], p.offsetSigma)
      for j in 0..<i {
        let (c, d) = (x.distortion.shape[i, j], x.distortion.shape[j, i])
        sum += part((c + d) / 2, p.skewSigma) + part((c - d) / 2, p.alignmentSigma)
      }
    }
    return sum
  }

  private func part(_ value: Double, _ sigma: Double) -> Double {
    (value / sigma) * (value / sigma)
  }

  private func pull(
    _ i: Int, towards value: Double, _ sigma: Double, _ a: inout Matrix, _ b: inout [Double],
    _ x: ForwardState
  ) {
    let precision = 1 / (sigma * sigma)
    a[i, i] += precision
    b[i] += precision * (value - x[i])
  }

  private func pull(
    _ strength: FieldPrior.Strength, _ a: inout Matrix, _ b: inout [Double], _ x: ForwardState
  ) {
    let total = max(x.field.total, 1)
    let precision = 1 / (strength.sigma * strength.sigma)
    let parts = [
      (ForwardState.horizontal, x.field.horizontal / total),
      (ForwardState.down, x.field.down / total),
    ]
    for (i, f) in parts {
      b[i] += precision * f * (strength.microtesla - total)
      for (j, g) in parts { a[i, j] += precision * f * g }
    }
  }

  private func pullPair(
    _ i: Int, _ j: Int, _ a: inout Matrix, _ b: inout [Double], _ x: ForwardState
  ) {
    let together = 0.25 / (parameters.skewSigma * parameters.skewSigma)
    let against = 0.25 / (parameters.alignmentSigma * parameters.alignmentSigma)
    let (same, cross) = (together + against, together - against)
    let (c, d) = (-x[i], -x[j])
    a[i, i] += same
    a[j, j] += same
    a[i, j] += cross
    a[j, i] += cross
    b[i] += same * c + cross * d
    b[j] += same * d + cross * c
  }
}
