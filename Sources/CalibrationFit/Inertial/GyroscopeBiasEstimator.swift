import Quantities

/// Estimates a gyroscope's bias and its temperature slope from rests.
///
/// Model, each axis: `mean rate = bias + slope (T - T0) + n`, with n of variance `rateNoise² /
/// seconds + wander²`; T0 is the rests' weighted mean temperature, so that bias and slope are
/// nearly independent. Robust: a rest with a slow turn has less weight. Rests without a temperature
/// are used only if none has one. The earth's rotation (0.0042 deg/s) is part of `wander`.
public struct GyroscopeBiasEstimator: Equatable, Sendable {
  /// The tuning parameters. Values of a consumer part: MPU-9250, PS-MPU-9250A-01 rev 1.0, table 1.
  public struct Parameters: Equatable, Sendable {
    /// Angle random walk, rad/√s. Small: short rests have a large weight. Twice the part's 0.01
    /// deg/s/√Hz.
    public var rateNoise = 0.02 * Double.pi / 180
    /// Change of the bias from rest to rest, rad/s. Small: the sigma of many rests is too small;
    /// large: long rests have no more weight than short ones. A bias instability of 10 to 100 deg/h
    /// is 0.003 to 0.03 deg/s.
    public var wander = 0.01 * Double.pi / 180
    /// Prior of the bias, one sigma, rad/s; the part: ±5 deg/s.
    public var priorSigma = 2.5 * Double.pi / 180
    /// Prior of the slope, one sigma, rad/s/K. Small: a large slope is underestimated; large: the
    /// sigma away from the rests' temperatures is too large. The part: ±30 deg/s over 125 K, at
    /// most 0.24 deg/s/K.
    public var slopePriorSigma = 0.1 * Double.pi / 180
    /// The slope is known if its sigma is below this fraction of the prior.
    public var knownShare = 0.1
    /// Largest rate taken for a bias, rad/s; the part: ±5 deg/s.
    public var largestBias = 5.0 * Double.pi / 180

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters.
  public var parameters: Parameters
  /// The rests so far.
  public private(set) var rests: [RestInterval] = []

  /// Makes an estimator without rests.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Adds a rest.
  /// - Throws: `InertialFitError.turned` if the rate is too large for a bias, `unusable` for a
  ///   number that is not finite.
  public mutating func add(_ rest: RestInterval) throws(InertialFitError) {
    guard rest.isUsable else { throw .unusable }
    guard rest.rate.length <= parameters.largestBias else {
      throw .turned(degreesPerSecond: Angle(radians: rest.rate.length).degrees)
    }
    rests.append(rest)
  }

  /// The estimate from the rests.
  /// - Throws: `InertialFitError.noRest` without rests.
  public func estimate() throws(InertialFitError) -> GyroscopeBias {
    let withTemperature = rests.filter { $0.celsius != nil }
    let used = withTemperature.isEmpty ? rests : withTemperature
    guard !used.isEmpty else { throw .noRest }
    var weights = used.map { 1 / variance($0) }
    let total = weights.reduce(0, +)
    let offsets = used.map { $0.celsius ?? 0 }
    var reference = 0.0
    for (offset, weight) in zip(offsets, weights) { reference += offset * weight / total }
    let temperatures = offsets.map { $0 - reference }

    var fit = try solve(used, temperatures, weights)
    // Ten rounds converge the weights: each change is less than half of the previous one.
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
      referenceCelsius: withTemperature.isEmpty ? nil : reference,
      slope: fit.slope, slopeSigma: SIMD3(repeating: fit.slopeSigma),
      slopeState: withTemperature.isEmpty
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
