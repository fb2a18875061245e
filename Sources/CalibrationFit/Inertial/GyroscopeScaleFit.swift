import Quantities
import RealModule

/// A gyroscope's scale, each axis, and what the turns say that the bias was off by. Sensor axes.
public struct GyroscopeScaleEstimate: Equatable, Sendable {
  /// What the rate free of bias is short by, as a fraction: true = measured (1 + scale).
  public var scale: SIMD3<Double>
  /// Its standard deviation, each axis.
  public var sigma: SIMD3<Double>
  /// What the bias was off by, rad/s, to be added to it.
  public var biasCorrection: SIMD3<Double>
  /// The sensor axes, 0 to 2, about which there was too little turning to tell their scale.
  public var unknownAxes: [Int]

  /// Makes a scale of what is known of it.
  public init(
    scale: SIMD3<Double>, sigma: SIMD3<Double>, biasCorrection: SIMD3<Double>,
    unknownAxes: [Int]
  ) {
    (self.scale, self.sigma) = (scale, sigma)
    (self.biasCorrection, self.unknownAxes) = (biasCorrection, unknownAxes)
  }

  /// The true rate of a rate free of bias, rad/s.
  public func correct(rate: SIMD3<Double>) -> SIMD3<Double> { rate + rate * scale }
}

/// Finds a gyroscope's scale from turns whose true angle is known.
///
/// Model, each turn about the axis a: `angle = a · (measured + scale * measured - error * seconds) + n`.
/// The error is what the bias was off by, one for all turns: turning both ways takes it out. n is the
/// reference's error, the random walk of the angle, and the axis's own error, that shortens the turn by
/// the angle times `axisSigma² / 2`.
public struct GyroscopeScaleFit: Equatable, Sendable {
  /// The tuning. Figures of a consumer part: MPU-9250, PS-MPU-9250A-01 rev 1.0, table 1.
  public struct Parameters: Equatable, Sendable {
    /// The scale beforehand, one sigma. The part: ±3 %, which is taken for two.
    public var priorSigma = 0.015
    /// What the bias is off by beforehand, one sigma, rad/s.
    public var biasSigma = 0.02 * Double.pi / 180
    /// Angle random walk, rad/√s. Twice the part's 0.01 deg/s/√Hz.
    public var rateNoise = 0.02 * Double.pi / 180
    /// How well a turn's axis is known, rad.
    public var axisSigma = 1.5 * Double.pi / 180
    /// An axis's scale counts as known below this share of its prior's sigma.
    public var knownShare = 0.35

    /// The default tuning.
    public init() {}
  }

  /// The tuning.
  public var parameters: Parameters

  /// A fit with a tuning.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// What the turns say.
  /// - Throws: `InertialFitError.noTurn` where there is none, `turnContradicts` where one is off by more
  ///   than a tenth, `unusable` where a number is not one.
  public func callAsFunction(
    _ turns: [TurnInterval]
  ) throws(InertialFitError) -> GyroscopeScaleEstimate {
    guard !turns.isEmpty else { throw .noTurn }
    for turn in turns { try check(turn) }
    var weights = turns.map { 1 / variance($0) }
    var fit = try solve(turns, weights)
    for _ in 0..<10 {
      for (i, turn) in turns.enumerated() {
        let (row, value) = equation(turn)
        var left = value
        for j in 0..<6 { left -= row[j] * fit.mean[j] }
        let sigma2 = variance(turn)
        weights[i] = robustWeight(left * left / sigma2, dimensions: 1) / sigma2
      }
      fit = try solve(turns, weights)
    }
    let (mean, covariance) = fit
    let sigma = SIMD3(covariance[0], covariance[7], covariance[14]).squareRoot()
    return GyroscopeScaleEstimate(
      scale: SIMD3(mean[0], mean[1], mean[2]), sigma: sigma,
      biasCorrection: SIMD3(mean[3], mean[4], mean[5]),
      unknownAxes: (0..<3).filter { sigma[$0] > parameters.knownShare * parameters.priorSigma })
  }

  private func check(_ turn: TurnInterval) throws(InertialFitError) {
    guard turn.measured.isFinite, turn.angle.isFinite, turn.angleSigma > 0, turn.seconds > 0,
      abs(turn.axis.length - 1) < 1e-3
    else { throw .unusable }
    let seen = turn.measured.dot(turn.axis)
    guard abs(seen - turn.angle) <= 0.1 * abs(turn.angle) + 3 * turn.angleSigma else {
      throw .turnContradicts(
        measured: Angle(radians: seen).degrees, reference: Angle(radians: turn.angle).degrees)
    }
  }

  private func variance(_ turn: TurnInterval) -> Double {
    let walk = parameters.rateNoise * parameters.rateNoise * turn.seconds
    let slant = turn.angle * parameters.axisSigma * parameters.axisSigma / 2
    return turn.angleSigma * turn.angleSigma + walk + slant * slant
  }

  private func equation(_ turn: TurnInterval) -> (row: [Double], value: Double) {
    let scale = turn.axis * turn.measured
    let error = turn.axis * -turn.seconds
    return (
      [scale.x, scale.y, scale.z, error.x, error.y, error.z],
      turn.angle - turn.axis.dot(turn.measured)
    )
  }

  private func solve(
    _ turns: [TurnInterval], _ weights: [Double]
  ) throws(InertialFitError) -> (mean: [Double], covariance: [Double]) {
    var posterior = LinearPosterior(order: 6)
    for axis in 0..<3 {
      posterior.addPrior(axis, sigma: parameters.priorSigma)
      posterior.addPrior(3 + axis, sigma: parameters.biasSigma)
    }
    for (turn, weight) in zip(turns, weights) {
      let (row, value) = equation(turn)
      posterior.add(row, value, weight: weight)
    }
    do throws(MatrixError) { return try posterior.solve() } catch { throw .notSolvable }
  }
}
