import Quantities

/// Estimates the effect of a load on the field of a board at rest.
///
/// Model: `field(t) = base + drift t + gain load(t - lag) + curvature load(t - lag)² + n`, robust.
/// The lag is the best of a scan, refined by a parabola; its sigma is at least half a step of the
/// load's samples. The curvature is used only if it is significant and more than a fraction of the
/// effect. The correlation of successive residuals is measured and widens the covariance. Accepted:
/// a gain with a chi-square above `significance`.
public struct LoadInterferenceFit: Equatable, Sendable {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// Full load; nil uses the largest observed load.
    public var fullLoad: Double?
    /// Minimum variation of the load (its 5th to its 95th percentile) as a fraction of full load.
    /// Small: a gain is extrapolated far beyond the data.
    public var neededVariation = 0.3
    /// Minimum number of field samples.
    public var neededSamples = 50
    /// Minimum duration, s. Small: noise correlated over seconds is taken for interference (in 24 s
    /// five times in 2000 simulated runs without any; in 40 s in none of 3000).
    public var neededSeconds = 40.0
    /// Maximum lag, s; 0: the lag is not estimated.
    public var largestLag = 0.5
    /// Steps of the scan, s.
    public var lagStep = 0.02
    /// Maximum interval between load samples for interpolation, s.
    public var longestPause = 2.0
    /// Chi-square of three components above which the field depends on the load. Noise alone
    /// reaches 25 once in 60 000, and the scan tries 26 times.
    public var significance = 25.0
    /// Maximum difference from a line, as a fraction of the field at full load, that counts as
    /// proportional.
    public var proportionalShare = 0.05
    /// Minimum share of samples in the middle third of the load's range for a test of
    /// proportionality: with a load that is only on or off, the few samples between would decide
    /// it.
    public var neededMiddle = 0.1
    /// Drift of the field, one sigma, microtesla/s: warming.
    public var driftSigma = 0.02
    /// Minimum noise, microtesla: a third of the resolution of a common part (AK8963, MPU-9250,
    /// PS-MPU-9250A-01 rev 1.0: 0.15 microtesla a step).
    public var smallestNoise = 0.05
    /// Factor on the standard deviations: noise and weights come from the same samples.
    public var accuracyFactor = 1.1
    /// Minimum share of inliers.
    public var neededInliers = 0.8

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters.
  public var parameters: Parameters

  /// Makes a fit.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Fits the effect of the load on the field.
  /// - Parameters:
  ///   - field: The field of a board at rest, in order of time.
  ///   - load: The load, in order of time, at its own rate.
  /// - Returns: The interference, in the axes and kind of the given field.
  /// - Throws: `LoadInterferenceError` if the load did not vary or the field does not depend on it.
  public func callAsFunction(
    field: [FieldSample<SensorFrame>], load: [LoadSample]
  ) throws(LoadInterferenceError) -> LoadInterference {
    guard let first = field.first, field.allSatisfy({ $0.field.isFinite }) else {
      throw field.isEmpty ? .tooFewSamples(found: 0, needed: parameters.neededSamples) : .unusable
    }
    let curve = try LoadCurve(
      load, origin: first.timestamp, longestPause: parameters.longestPause)
    let times = field.map { $0.timestamp.seconds(since: first.timestamp) }
    let fields = field.map { $0.field.components }
    // The same samples for every lag, so that costs are comparable.
    let usable = times.indices.filter {
      curve.load(at: times[$0]) != nil && curve.load(at: times[$0] - parameters.largestLag) != nil
    }
    guard usable.count >= parameters.neededSamples else {
      throw .tooFewSamples(found: usable.count, needed: parameters.neededSamples)
    }
    let duration = (usable.last.map { times[$0] } ?? 0) - (usable.first.map { times[$0] } ?? 0)
    guard duration >= 0.95 * parameters.neededSeconds else {
      throw .tooShort(seconds: duration, needed: parameters.neededSeconds)
    }
    let full = try checkedFullLoad(usable.compactMap { curve.load(at: times[$0]) })
    var regression = LoadRegression(
      times: usable.map { times[$0] }, fields: usable.map { fields[$0] }, fullLoad: full,
      parameters: parameters)
    func loads(lag: Double) -> [Double] {
      usable.map { curve.load(at: times[$0] - lag) ?? 0 }
    }
    let lag = try bestLag(&regression, loads)
    regression.loads = loads(lag: lag.seconds)
    try regression.run(isBent: true)
    let bend = regression.bend
    var proportion = LoadProportion.unknown
    if regression.middleShare >= parameters.neededMiddle {
      let isBent = bend.isSignificant && bend.share > parameters.proportionalShare
      proportion = isBent ? .bent : .proportional
    }
    if proportion != .bent { try regression.run(isBent: false) }
    guard regression.inlierShare >= parameters.neededInliers else {
      throw .inconsistent(share: 1 - regression.inlierShare)
    }
    guard regression.chiSquare > parameters.significance else {
      throw .fieldDoesNotFollow(atMost: regression.largestEffect)
    }
    return regression.result(
      proportion, deviationShare: bend.share, lag: lag.seconds,
      lagSigma: lag.sigma.map { ($0 * $0 + curve.halfStep * curve.halfStep).squareRoot() })
  }

  /// Full load, if the load varied by enough of it.
  private func checkedFullLoad(_ loads: [Double]) throws(LoadInterferenceError) -> Double {
    let sorted = loads.sorted()
    let (low, high) = (sorted[sorted.count / 20], sorted[sorted.count - 1 - sorted.count / 20])
    let largest = max(abs(sorted[0]), abs(sorted[sorted.count - 1]))
    let full = parameters.fullLoad ?? largest
    let share = full > 0 ? (high - low) / full : 0
    guard share >= parameters.neededVariation else {
      throw .loadDidNotVary(share: share, needed: parameters.neededVariation)
    }
    return full
  }

  /// The lag with the lowest cost; its sigma is where the cost's parabola has risen by one.
  private func bestLag(
    _ regression: inout LoadRegression, _ loads: (Double) -> [Double]
  ) throws(LoadInterferenceError) -> (seconds: Double, sigma: Double?) {
    guard parameters.largestLag > 0, parameters.lagStep > 0 else { return (0, nil) }
    let count = Int(bounded: (parameters.largestLag / parameters.lagStep).rounded(.down))
    var costs: [Double] = []
    var best = 0
    // Weights and noise come from the best lag so far and are used for all lags, so that costs are
    // comparable. The first round has no outlier weights, the third all of them.
    for round in 0..<3 {
      if round > 0 {
        regression.loads = loads(Double(best) * parameters.lagStep)
        try regression.run(isBent: true)
      }
      costs = []
      for step in 0...count {
        regression.loads = loads(Double(step) * parameters.lagStep)
        costs.append(try regression.weightedCost())
      }
      best = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    }
    let seconds = Double(best) * parameters.lagStep
    guard best > 0, best < count else { return (seconds, nil) }
    let (a, b, c) = (costs[best - 1], costs[best], costs[best + 1])
    let curvature = a - 2 * b + c
    guard curvature > 0 else { return (seconds, nil) }
    let sigma = (2 * regression.memory / curvature).squareRoot() * parameters.lagStep
    return (seconds + (a - c) / (2 * curvature) * parameters.lagStep, sigma)
  }
}
