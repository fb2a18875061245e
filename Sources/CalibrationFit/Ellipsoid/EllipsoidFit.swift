import Quantities

/// The calibration of a board without a gyroscope.
///
/// Model: `m = S v + o + n`, all along the sensor's axes.
/// - m: the raw field; S: the shape (soft iron, scale, skew, alignment, nine numbers); o: the hard iron;
///   n: noise of the raw field, found from what is left, never below 1 uT.
/// - v: the earth's field, of which two things are the same at all attitudes: its strength F, so that
///   |S⁻¹ (m - o)| = F for every sample, and, where an accelerometer tells which way is down, its dip I,
///   so that S⁻¹ (m - o) lies at I under the horizon.
/// - unknown: S, o, F, I, fourteen numbers with a prior each (`EllipsoidPrior`), sought together.
///
/// Robust: Student's t with four degrees of freedom; samples of one direction weigh no more than two.
/// A mean over a turn is shorter than the field, which is undone (`TurningMean`); a mean over 20 ms is
/// better than one over 200 where the board is turned fast.
/// Search: damped Gauss-Newton from the sphere through the samples; from both sides of them where they
/// lie flat. Several peaks of the posterior that fit about as well all widen the covariance.
/// Gauge: the scale of S and F, and without gravity the turn of S, are known by the prior only; the
/// covariance says so.
/// Refused: too few samples, a sensor that hangs, is cut off or was not turned, and fields that lie on no
/// ellipsoid to within 8 uT. Gravity that contradicts itself is left out (`GravityAlignment`).
public struct EllipsoidFit: Sendable {
  /// What is known beforehand.
  public var prior: EllipsoidPrior
  /// How long each observation's mean was taken, seconds; zero for single samples. A mean over a turn is
  /// shorter than the field, which is undone as far as neighbouring observations tell the turn.
  public var averagingTime: Double

  /// Makes a fit.
  public init(prior: EllipsoidPrior = EllipsoidPrior(), averagingTime: Double = 0.2) {
    (self.prior, self.averagingTime) = (prior, averagingTime)
  }

  /// The noise above which the samples lie on no ellipsoid, microtesla. Small: a weak disturbance
  /// spoils a calibration; large: a moving magnet is taken for soft iron.
  static var mostSigma: Double { 8 }

  /// Fits the distortion that the observations show.
  /// - Parameter observations: Fields with whatever is known of gravity; yaw and rates play no part. Leave
  ///   `axes` nil where the specific force was not gravity.
  /// - Returns: the distortion, and whether gravity took part in it.
  /// - Throws: `CalibrationFitError`, what is missing.
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

  /// What gravity makes of the peaks; none where there is none.
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

/// What an ellipsoid fit found.
public struct EllipsoidSolution: Equatable, Sendable {
  /// The distortion. Its method says whether gravity took part; where it did not, the dip of its earth field
  /// is the prior's.
  public var estimate: DistortionEstimate
  /// What became of gravity.
  public var gravity: GravityAlignment
}
