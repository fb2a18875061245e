import Quantities

/// Six-position calibration of an accelerometer: in every position the measured force must be
/// gravity.
///
/// Model, each position at rest: `|shape (mean - bias)| = gravity + n`, shape lower triangular, n
/// of variance `forceNoise² / seconds + positionSigma²`. Nine unknowns with priors, so six
/// positions near the six sides are sufficient; they need not be exact, and more are better. Robust
/// Gauss-Newton. Positions in which the board moved are excluded.
public struct AccelerometerFit: Equatable, Sendable {
  /// The tuning parameters. Values of a consumer part: MPU-9250, PS-MPU-9250A-01 rev 1.0, table 2.
  public struct Parameters: Equatable, Sendable {
    /// Local gravity, m/s². Its error affects the scale but not the level; from equator to pole it
    /// is 9.780 to 9.832. Standard gravity: the 3rd General Conference on Weights and Measures,
    /// 1901.
    public var gravity = 9.80665
    /// Prior of the bias, one sigma, m/s². The part: ±60 mg (x, y) and ±80 mg (z).
    public var biasPrior = 0.5
    /// Prior of the scale, one sigma. The part: ±3 %.
    public var scalePrior = 0.02
    /// Prior of the cross-axis errors, one sigma. The part: ±2 %.
    public var crossPrior = 0.01
    /// Noise, m/s²/√Hz. The part: 300 µg/√Hz.
    public var forceNoise = 0.003
    /// Error of a position's mean independent of its duration, m/s²: nonlinearity, vibration, a
    /// soft table. Small: a bad position distorts the fit; large: many positions are needed.
    public var positionSigma = 0.01
    /// Maximum spread of the force at rest, m/s².
    public var largestForceSpread = 0.4
    /// Maximum mean rate at rest, rad/s. The part's gyroscope: bias up to 5 deg/s.
    public var largestRate = 5.0 * Double.pi / 180
    /// Maximum spread of the rate at rest, rad/s.
    public var largestRateSpread = 1.5 * Double.pi / 180
    /// Minimum number of positions.
    public var neededPositions = 6
    /// A side has pointed down if it was within this angle of gravity.
    public var sideWidth = Angle(degrees: 35)
    /// Maximum residual of consistent positions, in `positionSigma`.
    public var inconsistentRatio = 5.0

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters.
  public var parameters: Parameters
  /// The mount of the sensor on the board, for the names of the sides.
  public var mount: AxisMount

  /// Makes a fit.
  public init(parameters: Parameters = Parameters(), mount: AxisMount = .standard) {
    (self.parameters, self.mount) = (parameters, mount)
  }

  /// The sides that have not pointed down in any position.
  public func missing(_ positions: [RestInterval]) -> [AxisDirection] {
    AxisDirection.allCases.filter { side in
      !positions.contains { position in
        guard let up = position.force.flatMap({ mount.rotation.rotate($0).normalized }) else {
          return false
        }
        return Angle(radians: side.unitVector.angle(to: -up)) <= parameters.sideWidth
      }
    }
  }

  /// Fits the positions.
  /// - Throws: `InertialFitError.tooFewPositions` with the missing sides, `notGravity` for a wrong
  ///   unit or range, `inconsistent` for contradicting positions.
  public func callAsFunction(
    _ positions: [RestInterval]
  ) throws(InertialFitError) -> AccelerometerEstimate {
    let resting = positions.indices.filter { isAtRest(positions[$0]) }
    try checkGravity(resting.compactMap { positions[$0].force })
    let used = resting.filter { isNearGravity(positions[$0].force) }
    let kept = used.map { positions[$0] }
    let missing = missing(kept)
    guard kept.count >= parameters.neededPositions else {
      throw .tooFewPositions(
        found: kept.count, needed: parameters.neededPositions, missing: missing)
    }
    var fit = AccelerometerPosterior(parameters: parameters)
    for position in kept { if let force = position.force { fit.add(force, position.seconds) } }
    do throws(MatrixError) { try fit.solve() } catch { throw .notSolvable }
    guard fit.residual <= parameters.inconsistentRatio * parameters.positionSigma else {
      throw .inconsistent(residual: fit.residual)
    }
    let up = mount.rotation.inverse.rotate(AxisDirection.up.unitVector)
    let estimate = AccelerometerEstimate(
      calibration: fit.calibration, covariance: fit.covariance, residual: fit.residual,
      positionCount: kept.count, rejected: positions.indices.filter { !used.contains($0) },
      missing: missing, levelError: fit.levelError(up: up))
    guard let estimate else { throw .notSolvable }
    return estimate
  }

  private func isAtRest(_ rest: RestInterval) -> Bool {
    guard rest.isUsable, rest.force != nil else { return false }
    return rest.rate.length <= parameters.largestRate
      && (rest.rateSpread ?? 0) <= parameters.largestRateSpread
      && (rest.forceSpread ?? 0) <= parameters.largestForceSpread
  }

  /// Scale and bias errors of four sigma are within a third of gravity.
  private func isNearGravity(_ force: SIMD3<Double>?) -> Bool {
    guard let length = force?.length else { return false }
    return abs(length - parameters.gravity) < 0.33 * parameters.gravity
  }

  private func checkGravity(_ forces: [SIMD3<Double>]) throws(InertialFitError) {
    guard !forces.isEmpty, !forces.contains(where: { isNearGravity($0) }) else { return }
    let mean = forces.map { $0.length }.reduce(0, +) / Double(forces.count)
    throw .notGravity(found: mean, expected: parameters.gravity)
  }
}
