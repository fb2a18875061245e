import Quantities

/// Finds the nearest peak of the posterior by damped Gauss-Newton steps; the noise is estimated
/// again in each round.
///
/// It always ends: there are `rounds` rounds of at most `maximumSteps` steps.
struct EllipsoidSolver {
  static var rounds: Int { 4 }
  static var maximumSteps: Int { 12 }
  /// Lower limit of the sum of sensor noise, local distortion and model error, microtesla. Without
  /// it 0.5 degrees were predicted for an error of 1.9.
  static var sigmaFloor: Double { 1 }

  private let problem: EllipsoidProblem
  /// The minimum noise of the depth, microtesla; nil without gravity.
  private let depthFloor: Double?

  /// Makes a solver. If the mean of the samples is farther away than the earth's field, the prior
  /// of the hard iron is widened by the excess, since there may be a magnet on the board.
  init(_ samples: [EllipsoidSample], prior: EllipsoidPrior, depthFloor: Double?) {
    let sum = samples.reduce(SIMD3<Double>.zero) { $0 + $1.field }
    let mean = sum / Double(max(1, samples.count))
    let (state, information) = prior.normalEquations(
      offsetSigma: max(prior.offsetSigma, mean.length - prior.strength.mean))
    problem = EllipsoidProblem(samples: samples, mean: state, prior: information)
    self.depthFloor = depthFloor
  }

  /// One peak.
  struct Peak {
    var state: EllipsoidState
    var cost: Double
    var problem: EllipsoidProblem
  }

  /// The different peaks from these starts, most likely first; none if no start is possible.
  /// - Throws: `CalibrationFitError.notSolvable` if a sample is not finite.
  func peaks(from starts: [EllipsoidState]) throws(CalibrationFitError) -> [Peak] {
    var found: [Peak] = []
    for start in starts {
      guard let peak = try peak(from: start) else { continue }
      if let i = found.firstIndex(where: { Self.isOne($0.state, peak.state) }) {
        if peak.cost < found[i].cost { found[i] = peak }
      } else {
        found.append(peak)
      }
    }
    found.sort { $0.cost < $1.cost }
    let best = found.first?.cost ?? 0
    return found.filter { $0.cost < best + Self.mostCost }
  }

  /// Maximum cost above the best peak: a peak beyond it is 160 000 times less likely.
  private static var mostCost: Double { 12 }

  /// Peaks whose offset and strength agree to about a microtesla are one.
  private static func isOne(_ a: EllipsoidState, _ b: EllipsoidState) -> Bool {
    let away = a.numbers - b.numbers
    return (away * away).sum() < 1
  }

  private func peak(from start: EllipsoidState) throws(CalibrationFitError) -> Peak? {
    var problem = problem
    var state = start
    for _ in 0..<Self.rounds {
      findNoise(&problem, state)
      guard let better = try Self.descend(problem, state) else { return nil }
      state = better
    }
    return problem.cost(state).map { Peak(state: state, cost: $0, problem: problem) }
  }

  private func findNoise(_ problem: inout EllipsoidProblem, _ state: EllipsoidState) {
    let residuals = problem.residuals(state)
    problem.sigma = max(Self.sigmaFloor, Self.robustSigma(residuals.map { $0.strength }))
    problem.depthSigma = depthFloor.map {
      max($0, Self.robustSigma(residuals.compactMap { $0.depth }))
    }
  }

  /// The sigma from the median: half of the values of a normal distribution are within 0.6745
  /// sigma.
  static func robustSigma(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    return values.map { abs($0) }.sorted()[values.count / 2] / 0.6745
  }

  private static func descend(
    _ problem: EllipsoidProblem, _ start: EllipsoidState
  ) throws(CalibrationFitError) -> EllipsoidState? {
    guard var cost = problem.cost(start) else { return nil }
    var state = start
    var damping = 1e-3
    var steps = 0
    while steps < maximumSteps {
      let sums = problem.normalEquations(state)
      var isBetter = false
      while !isBetter && steps < maximumSteps && damping < 1e6 {
        steps += 1
        var next = state
        next.numbers += try sums.step(damping: damping)
        guard let nextCost = problem.cost(next), nextCost <= cost else {
          damping *= 10
          continue
        }
        let gain = cost - nextCost
        (state, cost, isBetter) = (next, nextCost, true)
        damping = max(1e-9, damping / 10)
        // A thousandth of a unit of the posterior's exponent is a thirtieth of a sigma.
        if gain < 1e-3 { return state }
      }
      if !isBetter { break }
    }
    return state
  }
}
