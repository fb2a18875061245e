import Quantities

/// The calibration of a board without a gyroscope.
///
/// Model: `m = S v + o + n`, all along the sensor's axes.
/// - m: the raw field; S: the shape (soft iron, scale, skew, alignment, nine numbers); o: the hard
///   iron; n: noise of the raw field, estimated from the residuals, at least 1 uT.
/// - v: the earth's field, two properties of which are the same at all attitudes: its strength F,
///   so that |S⁻¹ (m - o)| = F for every sample, and, with an accelerometer, its dip I, so that S⁻¹
///   (m - o) is I below the horizon.
/// - unknown: S, o, F, I, fourteen numbers with a prior each (`EllipsoidPrior`), estimated
///   together.
/// - Robust: Student's t with four degrees of freedom. Samples of one direction have at most the
///   weight of two. The mean of a turning field is too short, which is corrected (`TurningMean`);
///   with fast turns a mean over 20 ms is better than one over 200.
/// - Search: damped Gauss-Newton from the sphere through the samples, and from both sides of flat
///   samples. Posterior peaks with similar fits all widen the covariance.
/// - Gauge: the scale of S and F, and without gravity the rotation of S, are known from the prior
///   only; the covariance includes that.
/// - Errors: too few samples, a sensor that is frozen, saturated or was not turned, and fields that
///   lie on no ellipsoid to within 8 uT. Contradicting gravity is not used (`GravityAlignment`).
public struct EllipsoidFit: Sendable {
  /// The prior.
  public var prior: EllipsoidPrior
  /// The averaging time of each observation, seconds; zero for single samples. The mean of a
  /// turning field is too short, which is corrected with the neighbouring observations.
  public var averagingTime: Double

  /// Makes a fit.
  public init(prior: EllipsoidPrior = EllipsoidPrior(), averagingTime: Double = 0.2) {
    (self.prior, self.averagingTime) = (prior, averagingTime)
  }

  /// The noise above which the samples lie on no ellipsoid, microtesla. Small: a weak disturbance
  /// prevents a calibration; large: a moving magnet is taken for soft iron.
  static var mostSigma: Double { 8 }

  /// Fits the distortion.
  /// - Parameter observations: Fields with gravity if it is known; yaw and rates are not used.
  ///   Leave `axes` nil if the specific force was not gravity.
  /// - Returns: The distortion, and whether gravity was used.
  /// - Throws: `CalibrationFitError` with what is missing.
  public func solve(
    _ observations: [FieldObservation]
  ) throws(CalibrationFitError) -> EllipsoidSolution {
    let samples = try SampleScreening.samples(
      of: observations, usingGravity: true, averagingTime: averagingTime)
    let plain = try plainPeaks(samples.map { EllipsoidSample(field: $0.field, down: nil) })
    let (gravity, aligned) = try alignment(samples, beside: plain)
    let isAligned = gravity == .used
    let summary = PosteriorSummary(isAligned ? aligned : plain)
    return EllipsoidSolution(
      estimate: try summary.estimate(isAligned ? .ellipsoidAndGravity : .ellipsoid),
      gravity: gravity)
  }

  private func plainPeaks(
    _ given: [EllipsoidSample]
  ) throws(CalibrationFitError) -> [EllipsoidSolver.Peak] {
    let samples = DirectionCells.weigh(given, centre: try FieldScatter(given).mean)
    let scatter = try FieldScatter(samples)
    guard scatter.spread > SampleScreening.leastSpread else {
      throw .tooLittleMotion("turn the sensor in all directions")
    }
    let starts = scatter.starts(strength: prior.strength.mean, dip: prior.dip.mean)
    let peaks = try EllipsoidSolver(samples, prior: prior, depthFloor: nil).peaks(from: starts)
    guard let best = peaks.first else { throw .notSolvable }
    guard best.problem.sigma < Self.mostSigma else {
      let residuals = best.problem.residuals(best.state)
      let misfits = residuals.filter { abs($0.strength) > Self.mostSigma }.count
      throw .inconsistent(share: Double(misfits) / Double(samples.count))
    }
    return peaks
  }

  /// The peaks with gravity; none without gravity.
  private func alignment(
    _ given: [EllipsoidSample], beside plain: [EllipsoidSolver.Peak]
  ) throws(CalibrationFitError) -> (GravityAlignment, [EllipsoidSolver.Peak]) {
    let found = given.filter { $0.down != nil }.count
    guard found >= GravityAlignment.leastSamples else { return (.absent(found: found), []) }
    let samples = DirectionCells.weigh(given, centre: plain[0].state.offset)
    let starts = plain.map { GravityAlignment.withDipOfSamples($0.state, samples) }
    let tilt = GravityAlignment.tiltSigma * prior.strength.mean
    let floor = (EllipsoidSolver.sigmaFloor * EllipsoidSolver.sigmaFloor + tilt * tilt).squareRoot()
    let solver = EllipsoidSolver(samples, prior: prior, depthFloor: floor)
    let aligned = try solver.peaks(from: starts)
    return (GravityAlignment.judge(aligned.first, plain: plain[0]), aligned)
  }
}

/// The result of an ellipsoid fit.
public struct EllipsoidSolution: Equatable, Sendable {
  /// The distortion. Its method includes whether gravity was used; without it the dip of its earth
  /// field is the prior's.
  public var estimate: DistortionEstimate
  /// Whether gravity was used, and why not.
  public var gravity: GravityAlignment
}
