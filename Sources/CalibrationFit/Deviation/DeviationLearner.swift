import Quantities
import RealModule

/// Estimates a vehicle's deviation from the course over ground during use.
///
/// Model: `DeviationModel`, six numbers, tracked by a Kalman filter.
/// - Errors of an epoch: the level field (white, with outliers), and the course (the receiver's
///   accuracy and leeway), which shifts the field along the curve only. Both are constant for
///   `errorTime`: epochs closer in time have less weight.
/// - States: the gains and the offset, each a random walk; the offset changes faster (cargo,
///   electric currents).
/// - Outliers: Cauchy weights on the innovation in sigmas.
/// - Steps: innovations that remain large in one direction of the body increase the offset's
///   variance; a second step soon after resets everything.
/// - Gates: `DeviationGate`; there is no correction below half a turn of headings.
/// - Not observable: a mean leeway looks like a rotated board. A constant current shifts the course
///   by a sine of the heading, as B and C do, but it does not change the field's strength. After a
///   full round of headings this removes half of the error; the predicted error includes the rest.
/// - Accuracy: see this target's README.
public struct DeviationLearner: Equatable, Sendable {
  /// The tuning parameters.
  public let parameters: Parameters
  /// The observed headings.
  public private(set) var coverage = HeadingCoverage()
  /// The time of the last detected step.
  public private(set) var lastStep: Timestamp?
  /// The number of used epochs.
  public private(set) var epochCount = 0

  private var estimate: DeviationModel
  private var stepWatch = StepWatch()
  private var last: Timestamp?
  /// The mean of the reciprocal speed, s/m.
  private var slowness = 0.0

  /// Starts from the prior.
  public init(_ parameters: Parameters = .road) {
    self.parameters = parameters
    estimate = Self.start(parameters)
  }

  /// Continues from an earlier model, for an unchanged vehicle.
  public init(
    resuming model: DeviationModel, coverage: HeadingCoverage, _ parameters: Parameters = .road
  ) {
    (self.parameters, self.coverage) = (parameters, coverage)
    estimate = model
    estimate.covariance.grow(by: Self.walk(parameters, seconds: parameters.longestGap))
  }

  // MARK: Results

  /// The current estimate with any coverage, for progress displays and for storage.
  public var tentative: DeviationModel {
    var model = estimate
    let current =
      parameters.steadyCurrentSigma * slowness * Self.currentShare(coverage.onesidedness)
    let steady = parameters.steadyErrorSigma
    // An offset error has its full effect on headings across it and none on headings along it.
    let gain = model.gainSquared
    let offsetVariance = gain > 0 ? stepWatch.offsetErrorSquared / (2 * gain) : 0
    model.floor = Angle(
      radians: (steady * steady + current * current + offsetVariance).squareRoot())
    return model
  }

  /// The model for the correction of a compass; nil below the needed coverage.
  public var model: DeviationModel? {
    coverage.arc.radians >= parameters.neededCoverage - 1e-9 ? tentative : nil
  }

  /// The deviation table; nil without a model or if compass headings are ambiguous.
  public var table: DeviationTable? {
    model.flatMap { model in
      DeviationTable(model) { coverage.meanError(near: $0) }
    }
  }

  /// The angle of the board's forward axis clockwise of the bow, with one sigma; nil before a
  /// model.
  ///
  /// Course is the only reference. A mean leeway and soft iron that is not symmetric cannot be
  /// separated from a rotated board, a current only by headings all round. The sigma includes all
  /// of them.
  public var boardYaw: BoardYaw? {
    model.map { model in
      let p = parameters
      let current = p.steadyCurrentSigma * slowness * coverage.onesidedness
      let steady = p.steadyErrorSigma * p.steadyErrorSigma + current * current
      return BoardYaw(model, systematic: steady + p.softIronTwistSigma * p.softIronTwistSigma)
    }
  }

  // MARK: Step

  /// Processes an epoch.
  /// - Returns: Whether it was used, and a detected step.
  public mutating func learn(_ epoch: DeviationEpoch) -> DeviationVerdict {
    let p = parameters
    if let reason = DeviationGate(of: epoch, after: last, p) { return .skipped(reason) }
    let seconds = last.map { min(epoch.timestamp.seconds(since: $0), p.longestGap) } ?? p.errorTime
    last = epoch.timestamp
    epochCount += 1
    slowness += (1 / epoch.speedMetresPerSecond - slowness) / min(Double(epochCount), 1000)
    estimate.covariance.grow(by: Self.walk(p, seconds: seconds))
    coverage.fade(to: .exp(-seconds / p.coverageTime))

    let noise = self.noise(of: epoch)
    let misfit = estimate.misfit(epoch.levelField, onHeading: epoch.course, noise)
    let weight = 1 / (1 + misfit.distanceSquared / (p.cauchyWidth * p.cauchyWidth))
    coverage.visit(epoch.course, weight: weight, error: error(of: epoch))
    // Epochs with common errors share their information.
    estimate.update(
      epoch.levelField, onHeading: epoch.course, noise,
      worth: weight * min(1, seconds / p.errorTime))
    let hasStepped = stepWatch.detectsStep(
      misfit.innovation, variance: misfit.variance, seconds: seconds, p)
    return hasStepped ? handleStep(at: epoch.timestamp) : .learnt
  }

  private func noise(of epoch: DeviationEpoch) -> DeviationNoise {
    let p = parameters
    let course = epoch.courseAccuracy?.radians ?? p.assumedCourseSigma
    return DeviationNoise(
      field: p.fieldSigma * p.fieldSigma, heading: course * course + p.leewaySigma * p.leewaySigma)
  }

  /// The heading by the model less the course, and its sigma; nil if the model had no heading.
  private func error(of epoch: DeviationEpoch) -> (of: Angle, sigma: Angle)? {
    guard let sigma = tentative.predictedError(onHeading: epoch.course),
      let predicted = estimate.heading(ofField: epoch.levelField)
    else { return nil }
    return ((predicted - epoch.course).wrappedToHalfTurn, sigma)
  }

  private mutating func handleStep(at now: Timestamp) -> DeviationVerdict {
    let isSecond = lastStep.map { now.seconds(since: $0) < parameters.repeatTime } ?? false
    lastStep = now
    guard isSecond else {
      estimate.covariance.grow(by: SIMD3(0, 0, parameters.stepSigma * parameters.stepSigma))
      return .stepDetected
    }
    estimate = Self.start(parameters)
    coverage = HeadingCoverage()
    return .startedAnew
  }

  /// The share of a current's drift angle that remains in the heading.
  /// - Source: simulation of 100 boats, drift 5 degrees (3.5 root mean square over headings): 1.6
  ///   degrees left after a full round (one-sidedness 0), 2.2 after 270 degrees (0.3), 4.3 after
  ///   180 (0.64).
  private static func currentShare(_ onesidedness: Double) -> Double { 0.5 + 1.1 * onesidedness }

  private static func walk(_ p: Parameters, seconds: Double) -> SIMD3<Double> {
    let sigmas = SIMD3(p.gainWalk, p.gainWalk, p.offsetWalk)
    return sigmas * sigmas * seconds
  }

  private static func start(_ p: Parameters) -> DeviationModel {
    switch p.prior {
    case .anyYaw:
      // The earth's horizontal field is below 42 µT; raw offsets reach a hundred.
      DeviationModel(forward: .zero, rightward: .zero, sigmas: SIMD3(30, 30, 100))
    case .aligned(let field):
      DeviationModel(
        forward: SIMD3(field, 0, 0), rightward: SIMD3(0, -field, 0),
        sigmas: SIMD3(0.25 * field, 0.25 * field, 60))
    }
  }
}
