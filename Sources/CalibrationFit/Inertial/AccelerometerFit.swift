import Quantities

/// Six-position calibration of an accelerometer: whatever way the board lies, what is felt must be gravity.
///
/// Model, each position at rest: `|shape (mean - bias)| = gravity + n`, shape lower triangular, n of variance
/// `forceNoise² / seconds + positionSigma²`. Nine unknowns with priors, so that six positions near the six
/// sides do; they need not be exact, and more are better. Gauss and Newton's way, robust. Left out: positions
/// in which the board moved.
public struct AccelerometerFit: Equatable, Sendable {
  /// The tuning. Figures of a consumer part: MPU-9250, PS-MPU-9250A-01 rev 1.0, table 2.
  public struct Parameters: Equatable, Sendable {
    /// Local gravity, m/s². Its error goes into the scale and turns no level; from equator to pole it is
    /// 9.780 to 9.832. Standard gravity: the 3rd General Conference on Weights and Measures, 1901.
    public var gravity = 9.80665
    /// The bias beforehand, one sigma, m/s². The part: ±60 mg (x, y) and ±80 mg (z).
    public var biasPrior = 0.5
    /// The scale beforehand, one sigma. The part: ±3 %.
    public var scalePrior = 0.02
    /// Cross-axis beforehand, one sigma. The part: ±2 %.
    public var crossPrior = 0.01
    /// Noise, m/s²/√Hz. The part: 300 µg/√Hz.
    public var forceNoise = 0.003
    /// What a position's mean is off by however long it lasts, m/s²: nonlinearity, vibration, a soft
    /// table. Small: a bad position bends the fit; large: many positions are needed.
    public var positionSigma = 0.01
    /// The spread of the force above which the board was not at rest, m/s².
    public var largestForceSpread = 0.4
    /// The mean rate above which it was not, rad/s. The part's gyroscope: bias up to 5 deg/s.
    public var largestRate = 5.0 * Double.pi / 180
    /// The spread of the rate above which it was not, rad/s.
    public var largestRateSpread = 1.5 * Double.pi / 180
    /// How many positions are needed.
    public var neededPositions = 6
    /// A side counts as having pointed down within this angle of gravity.
    public var sideWidth = Angle(degrees: 35)
    /// The residual above which the positions do not fit together, in `positionSigma`.
    public var inconsistentRatio = 5.0

    /// The default tuning.
    public init() {}
  }

  /// The tuning.
  public var parameters: Parameters
  /// How the sensor sits on the board: gives the sides their names.
  public var mount: AxisMount

  /// A fit with a tuning.
  public init(parameters: Parameters = Parameters(), mount: AxisMount = .standard) {
    (self.parameters, self.mount) = (parameters, mount)
  }

  /// The sides that have pointed down in none of the positions.
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

  /// What the positions say.
  /// - Throws: `InertialFitError.tooFewPositions` with the sides that are missing, `notGravity` where the
  ///   unit or range is wrong, `inconsistent` where the positions contradict each other.
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

  /// Scale and bias of four sigma are within a third of gravity.
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
