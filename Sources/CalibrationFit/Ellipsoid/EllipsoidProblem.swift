import Quantities
import RealModule

/// The samples, the prior and the noise of one fit, with the cost and the Gauss-Newton step of a
/// state.
struct EllipsoidProblem: Sendable {
  var samples: [EllipsoidSample]
  var mean: EllipsoidState
  var prior: NormalEquations
  /// Noise of the strength, microtesla.
  var sigma = 1.0
  /// Noise of the depth, microtesla; nil without gravity.
  var depthSigma: Double?

  /// Degrees of freedom of Student's t: residuals beyond two sigma lose their weight gradually.
  static var nu: Double { 4 }

  /// Minus the logarithm of the posterior, up to a constant; nil for an impossible state.
  func cost(_ state: EllipsoidState) -> Double? {
    guard state.isPossible, let inverse = state.shape.inverse else { return nil }
    var sum = priorCost(state)
    for sample in samples {
      guard let r = EllipsoidResidual(sample, state, inverse: inverse) else { return nil }
      var loss = Self.loss(r.strength / sigma) + Double.log(sigma)
      if let depth = r.depth, let depthSigma {
        loss += Self.loss(depth / depthSigma) + Double.log(depthSigma)
      }
      sum += sample.weight * loss
    }
    return sum.isFinite ? sum : nil
  }

  /// The normal equations of the step at a state.
  func normalEquations(_ state: EllipsoidState) -> NormalEquations {
    var sums = prior
    let away = state.numbers - mean.numbers
    sums.right = .zero
    for i in 0..<EllipsoidState.order { sums.right -= prior.information[i] * away[i] }
    guard let inverse = state.shape.inverse else { return sums }
    for sample in samples {
      guard let r = EllipsoidResidual(sample, state, inverse: inverse) else { continue }
      let weight = sample.weight * Self.weight(r.strength / sigma) / (sigma * sigma)
      sums.add(residual: r.strength, gradient: r.strengthGradient, weight: weight)
      guard let depth = r.depth, let depthSigma else { continue }
      let depthWeight = sample.weight * Self.weight(depth / depthSigma) / (depthSigma * depthSigma)
      sums.add(residual: depth, gradient: r.depthGradient, weight: depthWeight)
    }
    return sums
  }

  /// The residual of each sample.
  func residuals(_ state: EllipsoidState) -> [EllipsoidResidual] {
    guard let inverse = state.shape.inverse else { return [] }
    return samples.compactMap { EllipsoidResidual($0, state, inverse: inverse) }
  }

  private func priorCost(_ state: EllipsoidState) -> Double {
    let away = state.numbers - mean.numbers
    var sum = 0.0
    for i in 0..<EllipsoidState.order { sum += away[i] * (prior.information[i] * away).sum() }
    return sum / 2
  }

  private static func loss(_ u: Double) -> Double { nu / 2 * Double.log(onePlus: u * u / nu) }
  private static func weight(_ u: Double) -> Double { nu / (nu + u * u) }
}
