import Quantities
import RealModule

/// Learns a vehicle's deviation from the course while it goes along.
///
/// Model: `DeviationModel`, six numbers; a Kalman filter tracks them.
/// - Errors of an epoch: the level field (white, with outliers), the course (the receiver's accuracy and
///   leeway), which bends the field along the curve only. Both stay the same for `errorTime`: epochs
///   closer than that count for less.
/// - States: the gains and the offset, each a random walk; the offset moves sooner (cargo, currents).
/// - Outliers: Cauchy weights on the innovation in sigmas.
/// - Steps: innovations that stay large along one direction of the body open the offset; a second one
///   soon after opens all.
/// - Gates: `DeviationGate`; nothing is applied below half a turn of headings.
/// - Not seen: a mean leeway looks like a turned board. A steady current bends the course by a sine of the
///   heading, as B and C do, but not the field's strength: that tells half of it away once all headings
///   were seen. What is left stands in the predicted error.
/// - Accuracy: see this target's README.
public struct DeviationLearner: Equatable, Sendable {
  /// The tuning.
  public let parameters: Parameters
  /// Which headings have been seen.
  public private(set) var coverage = HeadingCoverage()
  /// When the iron was last found moved.
  public private(set) var lastStep: Timestamp?
  /// How many epochs were taken in.
  public private(set) var epochCount = 0

  private var belief: DeviationModel
  private var watch = StepWatch()
  private var last: Timestamp?
  /// The mean of the time that a metre takes, s/m.
  private var slowness = 0.0

  /// Knows nothing but the prior.
  public init(_ parameters: Parameters = .road) {
    self.parameters = parameters
    belief = Self.start(parameters)
  }

  /// Goes on from a model that was learnt before, as long as the vehicle was not changed.
  public init(
    resuming model: DeviationModel, coverage: HeadingCoverage, _ parameters: Parameters = .road
  ) {
    (self.parameters, self.coverage) = (parameters, coverage)
    belief = model
    belief.covariance.grow(by: Self.walk(parameters, seconds: parameters.longestGap))
  }

  // MARK: What is known

  /// What is believed so far, however little was seen: for progress and for saving.
  public var tentative: DeviationModel {
    var model = belief
    let current =
      parameters.steadyCurrentSigma * slowness * Self.currentShare(coverage.onesidedness)
    let steady = parameters.steadyErrorSigma
    // An offset error turns the headings across it by all of itself, those along it not at all.
    let gain = model.gainSquared
    let unrest = gain > 0 ? watch.excess / (2 * gain) : 0
    model.floor = Angle(radians: (steady * steady + current * current + unrest).squareRoot())
    return model
  }

  /// The model to correct a compass with; nil below the needed coverage.
  public var model: DeviationModel? {
    coverage.arc.radians >= parameters.neededCoverage - 1e-9 ? tentative : nil
  }

  /// The deviation table; nil without a model and where no compass heading is unambiguous.
  public var table: DeviationTable? {
    model.flatMap { model in
      DeviationTable(model) { coverage.meanError(near: $0) }
    }
  }

  /// How far the board's forward points clockwise of the bow, and one sigma of it; nil before a model.
  ///
  /// Course is all that tells: a mean leeway, and soft iron that is not symmetric, cannot be told from a
  /// turned board, and a current only by headings all round. All are in the sigma.
  public var boardYaw: BoardYaw? {
    model.map { model in
      let p = parameters
      let current = p.steadyCurrentSigma * slowness * coverage.onesidedness
      let steady = p.steadyErrorSigma * p.steadyErrorSigma + current * current
      return BoardYaw(model, systematic: steady + p.softIronTwistSigma * p.softIronTwistSigma)
    }
  }

  // MARK: Step

  /// Takes an epoch in.
  /// - Returns: What became of it.
  public mutating func learn(_ epoch: DeviationEpoch) -> DeviationVerdict {
    let p = parameters
    if let reason = DeviationGate(of: epoch, after: last, p) { return .skipped(reason) }
    let seconds = last.map { min(epoch.timestamp.seconds(since: $0), p.longestGap) } ?? p.errorTime
    last = epoch.timestamp
    epochCount += 1
    slowness += (1 / epoch.speedMetresPerSecond - slowness) / min(Double(epochCount), 1000)
    belief.covariance.grow(by: Self.walk(p, seconds: seconds))
    coverage.fade(to: .exp(-seconds / p.coverageTime))

    let noise = self.noise(of: epoch)
    let surprise = belief.surprise(epoch.levelField, onHeading: epoch.course, noise)
    let weight = 1 / (1 + surprise.distanceSquared / (p.cauchyWidth * p.cauchyWidth))
    coverage.visit(epoch.course, weight: weight, error: error(of: epoch))
    // Epochs that share their errors share their information.
    belief.take(
      epoch.levelField, onHeading: epoch.course, noise,
      worth: weight * min(1, seconds / p.errorTime))
    let hasStepped = watch.sees(
      surprise.innovation, variance: surprise.variance, seconds: seconds, p)
    return hasStepped ? open(at: epoch.timestamp) : .learnt
  }

  private func noise(of epoch: DeviationEpoch) -> DeviationNoise {
    let p = parameters
    let course = epoch.courseAccuracy?.radians ?? p.assumedCourseSigma
    return DeviationNoise(
      field: p.fieldSigma * p.fieldSigma, heading: course * course + p.leewaySigma * p.leewaySigma)
  }

  /// What the model would have told, less the course, and its sigma; nil where it knew nothing.
  private func error(of epoch: DeviationEpoch) -> (of: Angle, sigma: Angle)? {
    guard let sigma = tentative.predictedError(onHeading: epoch.course),
      let told = belief.heading(ofField: epoch.levelField)
    else { return nil }
    return ((told - epoch.course).wrappedToHalfTurn, sigma)
  }

  private mutating func open(at now: Timestamp) -> DeviationVerdict {
    let isSecond = lastStep.map { now.seconds(since: $0) < parameters.repeatTime } ?? false
    lastStep = now
    guard isSecond else {
      belief.covariance.grow(by: SIMD3(0, 0, parameters.stepSigma * parameters.stepSigma))
      return .stepDetected
    }
    belief = Self.start(parameters)
    coverage = HeadingCoverage()
    return .startedAnew
  }

  /// The share of a current's drift angle that is left in the heading.
  /// - Source: simulation of 100 boats, drift 5 degrees (3.5 root mean square over headings): 1.6 degrees
  ///   left after all round (one-sidedness 0), 2.2 after 270 degrees (0.3), 4.3 after 180 (0.64).
  private static func currentShare(_ onesidedness: Double) -> Double { 0.5 + 1.1 * onesidedness }

  private static func walk(_ p: Parameters, seconds: Double) -> SIMD3<Double> {
    let sigmas = SIMD3(p.gainWalk, p.gainWalk, p.offsetWalk)
    return sigmas * sigmas * seconds
  }

  private static func start(_ p: Parameters) -> DeviationModel {
    switch p.prior {
    case .anyYaw:
      // The earth's horizontal field is below 42 µT; raw offsets of a hundred are met.
      DeviationModel(forward: .zero, rightward: .zero, sigmas: SIMD3(30, 30, 100))
    case .aligned(let field):
      DeviationModel(
        forward: SIMD3(field, 0, 0), rightward: SIMD3(0, -field, 0),
        sigmas: SIMD3(0.25 * field, 0.25 * field, 60))
    }
  }
}
