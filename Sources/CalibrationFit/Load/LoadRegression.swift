import Quantities

/// The regression of each axis on 1, time, load and squared load, with common robust weights. Time
/// is in lengths of the recording, load in full loads.
struct LoadRegression {
  private let parameters: LoadInterferenceFit.Parameters
  private let times: [Double]
  private let duration: Double
  private let fields: [SIMD3<Double>]
  private let fullLoad: Double
  /// The load at each sample's time less the lag.
  var loads: [Double] = []

  /// For each axis: base, drift, gain and curvature.
  private var mean: [SIMD4<Double>] = Array(repeating: .zero, count: 3)
  /// For each axis: the variance of gain, of curvature, and of their sum, the field at full load.
  private var gainVariance = SIMD3<Double>.zero
  private var curvatureVariance = SIMD3<Double>.zero
  private var sumVariance = SIMD3<Double>.zero
  private var noise = SIMD3<Double>(repeating: 1)
  private var weights: [Double]
  private var residuals: [SIMD3<Double>] = []
  /// Factor on the variance of a mean by the correlation of successive residuals, at least 1.
  private(set) var memory = 1.0

  /// Factor on the variance by the robust weights, at least 1.
  private var inefficiency = 1.0

  init(
    times: [Double], fields: [SIMD3<Double>], fullLoad: Double,
    parameters: LoadInterferenceFit.Parameters
  ) {
    (self.times, self.fields) = (times, fields)
    (self.fullLoad, self.parameters) = (fullLoad, parameters)
    weights = Array(repeating: 1, count: times.count)
    duration = max(1e-3, (times.last ?? 0) - (times.first ?? 0))
  }

  /// Fits the current loads robustly.
  /// - Parameter isBent: False: the curvature is zero.
  /// - Throws: `LoadInterferenceError.notSolvable`.
  mutating func run(isBent: Bool) throws(LoadInterferenceError) {
    // Eight rounds: each reduces the remaining change of the weights by half or more.
    for round in 0..<8 {
      try solve(isBent)
      residuals = times.indices.map { residual($0) }
      noise = spread(residuals, parameters.smallestNoise)
      memory = Self.memory(residuals.map { $0 / noise })
      guard round < 7 else { return }
      for i in weights.indices { weights[i] = robustWeight(square(i), dimensions: 3) }
      let factor = parameters.accuracyFactor
      inefficiency = measuredInefficiency() * factor * factor
    }
  }

  /// The cost of the current loads with the current weights and noise, in squared sigma.
  mutating func weightedCost() throws(LoadInterferenceError) -> Double {
    try solve(true)
    var sum = 0.0
    for i in times.indices {
      let left = residual(i) / noise
      sum += weights[i] * left.lengthSquared
    }
    return sum
  }

  private func row(_ i: Int) -> SIMD4<Double> {
    let x = loads[i] / fullLoad
    return SIMD4(1, (times[i] - times[0]) / duration - 0.5, x, x * x)
  }

  private func residual(_ i: Int) -> SIMD3<Double> {
    let r = row(i)
    return fields[i] - SIMD3((mean[0] * r).sum(), (mean[1] * r).sum(), (mean[2] * r).sum())
  }

  /// A residual's squared length in sigma.
  private func square(_ i: Int) -> Double { (residuals[i] / noise).lengthSquared }

  private mutating func solve(
    _ isBent: Bool
  ) throws(LoadInterferenceError) {
    var moments: [SIMD4<Double>] = Array(repeating: .zero, count: 4)
    var right: [SIMD4<Double>] = Array(repeating: .zero, count: 3)
    for i in times.indices {
      let r = row(i)
      let weighted = r * weights[i]
      for k in 0..<4 { moments[k] += weighted * r[k] }
      // Relative to the first field, for numerical precision.
      let field = fields[i] - fields[0]
      for axis in 0..<3 { right[axis] += weighted * field[axis] }
    }
    for axis in 0..<3 {
      var posterior = LinearPosterior(order: 4)
      // Wide priors for the first and third; the last is free or fixed.
      posterior.addPrior(0, sigma: 1000)
      posterior.addPrior(1, sigma: max(1e-6, parameters.driftSigma * duration))
      posterior.addPrior(2, sigma: 1000)
      posterior.addPrior(3, sigma: isBent ? 1000 : 1e-6)
      posterior.add(
        moments, right[axis], weight: 1 / (noise[axis] * noise[axis] * memory * inefficiency))
      do throws(MatrixError) {
        let (m, c) = try posterior.solve()
        mean[axis] = SIMD4(m[0] + fields[0][axis], m[1], m[2], m[3])
        (gainVariance[axis], curvatureVariance[axis]) = (c[10], c[15])
        sumVariance[axis] = max(0, c[10] + c[15] + 2 * c[11])
      } catch {
        throw .notSolvable
      }
    }
  }
}

// MARK: Result

extension LoadRegression {
  /// The share of samples within three sigma: chi-square of three components below 14.2.
  var inlierShare: Double {
    Double(times.indices.count { square($0) < 14.2 }) / Double(max(1, times.count))
  }

  private var gain: SIMD3<Double> { SIMD3(mean[0].z, mean[1].z, mean[2].z) }
  private var curvature: SIMD3<Double> { SIMD3(mean[0].w, mean[1].w, mean[2].w) }

  /// The chi-square of gain or curvature, the larger one.
  var chiSquare: Double {
    max((gain * gain / gainVariance).sum(), (curvature * curvature / curvatureVariance).sum())
  }

  /// Upper limit of the field at full load, microtesla, 95 %.
  var largestEffect: Double { (gain + curvature).length + 2 * sumVariance.sum().squareRoot() }

  /// Whether the field differs from a line, and by how much at most, as a fraction of its range.
  var bend: (isSignificant: Bool, share: Double) {
    let (low, high) = ((loads.min() ?? 0) / fullLoad, (loads.max() ?? 0) / fullLoad)
    let width = high - low
    // The distance of a parabola from its best line is its curvature times the width squared over
    // 8.
    let away = curvature.length * width * width / 8
    let way: SIMD3<Double> = gain * width + curvature * (high * high - low * low)
    let chiSquare = (curvature * curvature / curvatureVariance).sum()
    return (chiSquare > parameters.significance, away / max(way.length, away, 1e-9))
  }

  /// The share of samples in the middle third of the load's range.
  var middleShare: Double {
    let (low, high) = (loads.min() ?? 0, loads.max() ?? 0)
    let third = (high - low) / 3
    let count = loads.count { $0 > low + third && $0 < high - third }
    return Double(count) / Double(max(1, loads.count))
  }

  func result(
    _ proportion: LoadProportion, deviationShare: Double, lag: Double, lagSigma: Double?
  ) -> LoadInterference {
    var (left, made, makes) = (0.0, 0.0, SIMD3<Double>.zero)
    let effects = times.indices.map { i -> SIMD3<Double> in
      let x = loads[i] / fullLoad
      return gain * x + curvature * (x * x)
    }
    let count = Double(max(1, times.count))
    for effect in effects { makes += effect / count }
    for (effect, residual) in zip(effects, residuals) {
      left += residual.lengthSquared / count
      made += (effect - makes).lengthSquared / count
    }
    return LoadInterference(
      gain: gain / fullLoad, gainSigma: sumVariance.squareRoot() / fullLoad,
      curvature: proportion == .bent ? curvature / (fullLoad * fullLoad) : .zero,
      proportion: proportion,
      deviationShare: proportion == .unknown ? 0 : deviationShare, lagSeconds: lag,
      lagSigmaSeconds: lagSigma,
      fullLoad: fullLoad, smallestLoad: loads.min() ?? 0, largestLoad: loads.max() ?? 0,
      residualMicrotesla: left.squareRoot(), explainedShare: made / max(1e-12, made + left),
      sampleCount: times.count)
  }
}

// MARK: Noise

extension LoadRegression {
  /// The standard deviation of each axis from the median, which is robust against outliers: 0.6745
  /// sigma of a normal distribution.
  private func spread(_ residuals: [SIMD3<Double>], _ least: Double) -> SIMD3<Double> {
    var sigma = SIMD3<Double>.zero
    for axis in 0..<3 {
      let sorted = residuals.map { abs($0[axis]) }.sorted()
      sigma[axis] = max(least, sorted[sorted.count / 2] / 0.6745)
    }
    return sigma
  }

  /// An estimate with weights that depend on the residuals has a larger variance than the sum of
  /// the weights gives.
  /// - Source: P. J. Huber, doi 10.1214/aoms/1177703732: the mean square of the weighted
  ///   residual over the square of its mean slope.
  private func measuredInefficiency() -> Double {
    var (square, slope, sum) = (0.0, 0.0, 0.0)
    for (i, weight) in weights.enumerated() {
      let q = self.square(i)
      square += weight * weight * q / 3
      // If the weight decreases, 7 / (4 + q), so does the slope.
      slope += weight < 1 ? weight - weight * weight * q * (2.0 / 21) : 1
      sum += weight
    }
    return slope > 0 ? max(1, square * sum / (slope * slope)) : 1
  }

  /// The largest ratio of the variance of a block's mean to that of independent samples, for blocks
  /// of 2, 4, 8 samples and so on while there are eight blocks.
  private static func memory(_ residuals: [SIMD3<Double>]) -> Double {
    // Outliers would look like correlation.
    let clipped = residuals.map {
      $0.clamped(lowerBound: SIMD3(repeating: -3), upperBound: SIMD3(repeating: 3))
    }
    var single = 0.0
    for r in clipped { single += r.lengthSquared }
    single /= Double(max(1, clipped.count))
    var (worst, size) = (1.0, 2)
    while clipped.count / size >= 8, single > 0 {
      var (sum, blocks) = (0.0, 0)
      var start = 0
      while start + size <= clipped.count {
        var mean = SIMD3<Double>.zero
        for i in start..<(start + size) { mean += clipped[i] }
        sum += (mean / Double(size)).lengthSquared
        (start, blocks) = (start + size, blocks + 1)
      }
      worst = max(worst, Double(size) * sum / Double(blocks) / single)
      size *= 2
    }
    return worst
  }
}
