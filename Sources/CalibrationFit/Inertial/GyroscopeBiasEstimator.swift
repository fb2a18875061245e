import Quantities

/// Finds a gyroscope's bias and its temperature slope from rests.
///
/// Model, each axis: `mean rate = bias + slope (T - T0) + n`, with n of variance `rateNoise² / seconds +
/// wander²`; T0 is the rests' weighted mean temperature, so that bias and slope hardly depend on each
/// other. Robust: a rest in which the board was slowly turned counts less. Rests that do not tell their
/// temperature count only where none does. The earth's own turning (0.0042 deg/s) is part of `wander`.
public struct GyroscopeBiasEstimator: Equatable, Sendable {
  /// The tuning. Figures of a consumer part: MPU-9250, PS-MPU-9250A-01 rev 1.0, table 1.
  public struct Parameters: Equatable, Sendable {
    /// Angle random walk, rad/√s. Small: short rests count much. Twice the part's 0.01 deg/s/√Hz.
    public var rateNoise = 0.02 * Double.pi / 180
    /// By how much the bias differs from rest to rest, rad/s. Small: many rests promise too much; large:
    /// long rests count no more than short ones. A bias instability of 10 to 100 deg/h is 0.003 to 0.03
    /// deg/s.
    public var wander = 0.01 * Double.pi / 180
    /// The bias beforehand, one sigma, rad/s; the part: ±5 deg/s.
    public var priorSigma = 2.5 * Double.pi / 180
    /// The slope beforehand, one sigma, rad/s/K. Small: a large slope is found too small; large: a
    /// correction away from the rests' temperatures is trusted too little. The part: ±30 deg/s over 125 K,
    /// at most 0.24 deg/s/K.
    public var slopePriorSigma = 0.1 * Double.pi / 180
    /// The slope counts as known below this share of its prior's sigma.
    public var knownShare = 0.1
    /// Largest rate taken for a bias, rad/s; the part: ±5 deg/s.
    public var largestBias = 5.0 * Double.pi / 180

    /// The default tuning.
    public init() {}
  }

  /// The tuning.
  public var parameters: Parameters
  /// The rests so far.
  public private(set) var rests: [RestInterval] = []

  /// An estimator that has seen no rest.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes a rest.
  /// - Throws: `InertialFitError.turned` where the rate is no bias, `unusable` where a number is not one.
  public mutating func add(_ rest: RestInterval) throws(InertialFitError) {
    guard rest.isUsable else { throw .unusable }
    guard rest.rate.length <= parameters.largestBias else {
      throw .turned(degreesPerSecond: Angle(radians: rest.rate.length).degrees)
    }
    rests.append(rest)
  }

  /// What the rests say.
  /// - Throws: `InertialFitError.noRest` where there is none.
  public func estimate() throws(InertialFitError) -> GyroscopeBias {
    let telling = rests.filter { $0.celsius != nil }
    let used = telling.isEmpty ? rests : telling
    guard !used.isEmpty else { throw .noRest }
    var weights = used.map { 1 / variance($0) }
    let total = weights.reduce(0, +)
    let offsets = used.map { $0.celsius ?? 0 }
    var reference = 0.0
    for (offset, weight) in zip(offsets, weights) { reference += offset * weight / total }
    let temperatures = offsets.map { $0 - reference }

    var fit = try solve(used, temperatures, weights)
    // Ten rounds settle the weights: each changes them by less than half of the one before.
    for _ in 0..<10 {
      for (i, rest) in used.enumerated() {
        let left = rest.rate - fit.bias - fit.slope * temperatures[i]
        let sigma2 = variance(rest)
        weights[i] = robustWeight(left.lengthSquared / sigma2, dimensions: 3) / sigma2
      }
      fit = try solve(used, temperatures, weights)
    }
    let span = (offsets.max() ?? 0) - (offsets.min() ?? 0)
    let isKnown = fit.slopeSigma < parameters.knownShare * parameters.slopePriorSigma
    return GyroscopeBias(
      bias: fit.bias, sigma: SIMD3(repeating: fit.sigma),
      referenceCelsius: telling.isEmpty ? nil : reference,
      slope: fit.slope, slopeSigma: SIMD3(repeating: fit.slopeSigma),
      slopeState: telling.isEmpty
        ? .temperatureUnknown : isKnown ? .known : .temperaturesAlike(spanKelvin: span),
      restCount: used.count)
  }

  private func variance(_ rest: RestInterval) -> Double {
    parameters.rateNoise * parameters.rateNoise / rest.seconds
      + parameters.wander * parameters.wander
  }

  private struct Solution {
    var bias = SIMD3<Double>.zero
    var slope = SIMD3<Double>.zero
    var sigma = 0.0
    var slopeSigma = 0.0
  }

  /// The three axes share their weights, hence their covariance.
  private func solve(
    _ rests: [RestInterval], _ temperatures: [Double], _ weights: [Double]
  ) throws(InertialFitError) -> Solution {
    var solution = Solution()
    for axis in 0..<3 {
      var posterior = LinearPosterior(order: 2)
      posterior.addPrior(0, sigma: parameters.priorSigma)
      posterior.addPrior(1, sigma: parameters.slopePriorSigma)
      for (i, rest) in rests.enumerated() {
        posterior.add([1, temperatures[i]], rest.rate[axis], weight: weights[i])
      }
      do throws(MatrixError) {
        let (mean, covariance) = try posterior.solve()
        (solution.bias[axis], solution.slope[axis]) = (mean[0], mean[1])
        (solution.sigma, solution.slopeSigma) = (
          covariance[0].squareRoot(), covariance[3].squareRoot()
        )
      } catch {
        throw .notSolvable
      }
    }
    return solution
  }
}
