import Quantities
import RealModule

/// The posterior's peaks as one estimate: the best peak with a covariance that includes the others
/// by their likelihood.
struct PosteriorSummary {
  var peaks: [EllipsoidSolver.Peak]

  /// Factor on the variances from the curvature of the peaks. From simulation (200 random
  /// distortions for each of four coverages, rotated by 3 degrees about each axis): of the errors
  /// predicted below 6 degrees, without gravity, 93 to 95 % lay within two sigma without this
  /// factor, 95 to 98 % with it.
  static var caution: Double { 1.3 }

  /// Makes a summary of peaks, best first.
  init(_ peaks: [EllipsoidSolver.Peak]) { self.peaks = peaks }

  /// - Throws: `CalibrationFitError.notSolvable` where a number is not finite.
  func estimate(_ method: CalibrationMethod) throws(CalibrationFitError) -> DistortionEstimate {
    let best = peaks[0]
    let state = best.state
    let elements = try mixture()
    guard let covariance = DistortionCovariance(elements: elements) else {
      throw .notSolvable
    }
    let residuals = best.problem.residuals(state)
    let inliers = residuals.filter { isInlier($0, best.problem) }
    let square = inliers.reduce(0) { $0 + $1.strength * $1.strength }
    let earthField = EarthField(
      horizontal: state.strength * Double.cos(state.dip),
      down: state.strength * Double.sin(state.dip))
    return DistortionEstimate(
      method: method, distortion: FieldDistortion(shape: state.shape, offset: state.offset),
      covariance: covariance, earthField: earthField,
      residualMicrotesla: (square / Double(max(1, inliers.count))).squareRoot(),
      inlierShare: Double(inliers.count) / Double(max(1, residuals.count)),
      observationCount: residuals.count)
  }

  private func isInlier(_ r: EllipsoidResidual, _ problem: EllipsoidProblem) -> Bool {
    guard abs(r.strength) < 3 * problem.sigma else { return false }
    guard let depth = r.depth, let sigma = problem.depthSigma else { return true }
    return abs(depth) < 3 * sigma
  }

  /// The covariance of all peaks about the best one, each weighted by its posterior: a mixture of
  /// normal distributions.
  private func mixture() throws(CalibrationFitError) -> [Double] {
    let best = peaks[0]
    let order = DistortionCovariance.order
    var sum = [Double](repeating: 0, count: order * order)
    var total = 0.0
    for peak in peaks {
      // All costs use the noise of the best peak, so that they are comparable.
      guard let cost = best.problem.cost(peak.state) else { continue }
      let away = peak.state.numbers - best.state.numbers
      let weight = Double.exp(min(0, best.cost - cost))
      let rows = try peak.problem.normalEquations(peak.state).covariance()
      for a in 0..<order {
        for b in 0..<order { sum[a * order + b] += weight * (rows[a][b] + away[a] * away[b]) }
      }
      total += weight
    }
    return sum.map { $0 * (Self.caution / total) }
  }
}
