import Quantities
import RealModule

/// Calibrates during use, with or without an earlier calibration.
///
/// Observations are stored by attitude. Every few seconds all of them are fitted again (`RefitJob`,
/// which may run on another thread), since the yaw of the gyroscope makes the model bilinear. Every
/// fifth block of observations is excluded from the fits: a calibration is committed if it explains
/// these better, or as well and with a smaller predicted error. A calibration that turns out worse
/// than the previous one is rolled back. Steps of the hard iron are detected (`OffsetStep`): shape
/// and field then remain, and seconds of turning are sufficient.
///
/// A value type: the result depends on the input only.
/// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
public struct OnlineCalibrator: Sendable {
  /// The tuning parameters.
  public var parameters: Parameters
  /// Prior knowledge of the earth's field. It may be set later.
  public var prior: FieldPrior
  /// The calibration in use; nil before the first.
  public private(set) var active: CommittedCalibration?
  /// The previous calibrations, oldest first.
  public private(set) var previous: [CommittedCalibration] = []

  private(set) var store = ObservationStore()
  private(set) var validation: [FieldObservation] = []
  private var recent: [FieldObservation] = []
  private var anchor: DistortionAnchor?
  private var start: Timestamp?
  private var newest: Timestamp?
  private var stretch = 0
  private var nextRefit = 0.0
  private var nextStepCheck = 0.0
  private var suspected: OffsetStep?
  private var isRefitWanted = false
  private var contradictions = 0
  /// True once validation has confirmed the calibration in use.
  private var isConfirmed = false

  /// Makes a calibrator.
  /// - Parameters:
  ///   - earlier: A calibration of this sensor on this board from an earlier time.
  ///   - prior: Prior knowledge of the earth's field.
  ///   - parameters: The tuning parameters.
  public init(
    earlier: DistortionEstimate? = nil, prior: FieldPrior = .unknown,
    parameters: Parameters = Parameters()
  ) {
    self.parameters = parameters
    self.prior = prior
    guard let earlier else { return }
    active = CommittedCalibration(estimate: earlier, committedAt: nil, seenError: nil)
    setAnchor(earlier)
  }

  /// Adds an observation.
  /// - Returns: A detected step, a rollback or a rejection; nil otherwise.
  public mutating func add(_ observation: FieldObservation) -> OnlineCalibrationEvent? {
    guard observation.axes?.isYawCarried == true, observation.field.isFinite,
      observation.rate ?? 0 <= parameters.fastestRate
    else { return nil }
    let now = observation.timestamp
    if let newest {
      guard now >= newest else { return nil }
      let isPause = now.seconds(since: newest) > parameters.longestPause
      if isPause || observation.stretch != stretch { interrupt() }
    }
    stretch = observation.stretch
    newest = now
    guard observation.isLevelCertain else { return nil }
    let begin = start ?? now
    start = begin
    let t = now.seconds(since: begin)
    let block = Int(bounded: t / parameters.blockLength)
    let isForValidation =
      block % parameters.blocksPerValidation == parameters.blocksPerValidation - 1
    // Observations at rest repeat the same local distortion; only turning can validate.
    let isTurning = observation.rate ?? 0 >= parameters.slowestRate
    if !isForValidation { store.add(observation) }
    if isTurning {
      if isForValidation { validation.append(observation) }
      recent.append(observation)
    }
    recent.removeAll { now.seconds(since: $0.timestamp) > parameters.stepWindow }
    validation.removeAll { now.seconds(since: $0.timestamp) > parameters.validationAge }
    if t >= nextRefit {
      nextRefit = t + parameters.refitInterval
      isRefitWanted = true
      removeOldObservations(at: now)
      if let event = rollBack() ?? refute() { return event }
    }
    guard t >= nextStepCheck else { return nil }
    nextStepCheck = t + parameters.stepInterval
    return detectStep()
  }

  /// The pending fit; nil if there is none. The call clears it.
  public mutating func startRefit() -> RefitJob? {
    guard isRefitWanted else { return nil }
    isRefitWanted = false
    var fit = ForwardFit(prior: prior)
    fit.anchor = anchor
    guard store.observations.count >= fit.parameters.fewestObservations else { return nil }
    return RefitJob(fit: fit, observations: store.observations)
  }

  /// Evaluates the result of a fit.
  /// - Returns: The commit; nil if the result is not committed.
  public mutating func finish(_ solution: ForwardSolution) -> OnlineCalibrationEvent? {
    let p = parameters
    let candidate = solution.estimate
    guard candidate.inlierShare >= p.leastInliers,
      let score = ValidationScore(candidate, on: validation),
      score.spread.radians >= p.leastSpread.radians, let error = seenError(candidate, solution.yaw)
    else { return nil }
    if let active {
      let own = ValidationScore(active.estimate, on: validation)?.error.radians ?? .infinity
      // The prediction for the current attitudes, not for those at the commit.
      let ownError = seenError(active.estimate, solution.yaw)?.radians ?? .infinity
      let isBetter =
        score.error.radians < p.betterScore * own
        && error.radians < p.toleratedError * ownError
      let isMoreCertain =
        score.error.radians < p.toleratedScore * own && error.radians < p.betterError * ownError
      guard isBetter || isMoreCertain else { return nil }
      storePrevious(active)
    } else if error.radians > p.firstError.radians || score.error.radians > p.firstError.radians {
      return nil
    }
    let commit = CommittedCalibration(
      estimate: candidate, committedAt: newest, seenError: error)
    active = commit
    suspected = nil
    isConfirmed = true
    return .committed(commit)
  }

  // MARK: Steps and rollback

  private mutating func detectStep() -> OnlineCalibrationEvent? {
    let p = parameters
    guard let active, let error = active.seenError ?? seenError(active.estimate, nil),
      error.radians < p.stepError.radians,
      let score = ValidationScore(active.estimate, on: recent),
      score.spread.radians >= p.stepSpread.radians,
      let step = OffsetStep(active.estimate, in: recent)
    else { return nil }
    let isStep =
      step.change.length > max(p.leastStep, p.leastStepSigmas * step.sigma)
      && step.residualAfter < p.stepResidualShare * step.residualBefore
    guard isStep else {
      suspected = nil
      return nil
    }
    // Iron on the board shows the same change in the next check; a passing disturbance does not.
    guard let before = suspected, (before.change - step.change).length < 0.35 * step.change.length
    else {
      suspected = step
      return nil
    }
    // The second check: a change of the iron on the board does not change north by the gyroscope.
    // External iron bends the field, and the change that fits it best has a different north.
    guard let carried = northBefore(recent, active.estimate),
      abs((step.north.after - carried).wrappedToHalfTurn.radians) < p.stepTurn.radians
    else { return nil }
    suspected = nil
    return commit(step, active)
  }

  /// North in the gyroscope's reference by the observations before a window; nil where these do not
  /// show it.
  private func northBefore(_ window: [FieldObservation], _ estimate: DistortionEstimate) -> Angle? {
    guard let begin = window.first?.timestamp else { return nil }
    let before = store.observations.filter {
      $0.timestamp < begin && begin.seconds(since: $0.timestamp) < parameters.carriedNorth
    }
    return OffsetStep(estimate, in: before)?.north.before
  }

  private mutating func commit(
    _ step: OffsetStep, _ before: CommittedCalibration
  ) -> OnlineCalibrationEvent {
    var estimate = before.estimate
    estimate.distortion.offset += step.change
    for i in ForwardState.offset..<DistortionCovariance.order {
      estimate.covariance[i, i] += step.sigma * step.sigma
    }
    storePrevious(before)
    let commit = CommittedCalibration(
      estimate: estimate, committedAt: newest, seenError: seenError(estimate, nil))
    active = commit
    setAnchor(estimate)
    // Observations before the step belong to other iron.
    removeAllButRecent()
    return .steppedTo(commit, change: step.change)
  }

  /// Restores the previous calibration if it explains the observations since the commit better.
  private mutating func rollBack() -> OnlineCalibrationEvent? {
    let p = parameters
    guard let active, let committedAt = active.committedAt, let before = previous.last else {
      return nil
    }
    let since = validation.filter { $0.timestamp > committedAt }
    guard since.count >= p.rollbackObservations,
      let own = ValidationScore(active.estimate, on: since),
      let other = ValidationScore(before.estimate, on: since),
      own.spread.radians >= p.leastSpread.radians,
      other.error.radians < p.rollbackScore * own.error.radians,
      other.error.radians < own.error.radians - p.rollbackDifference.radians
    else { return nil }
    return goBack(to: before)
  }

  private mutating func goBack(to before: CommittedCalibration) -> OnlineCalibrationEvent {
    previous.removeLast()
    var before = before
    // A calibration from an earlier time has no predicted error here yet.
    before.seenError = before.seenError ?? seenError(before.estimate, nil)
    active = before
    return .rolledBack(before)
  }

  /// Rejects a calibration that contradicts the observations, such as one of another board.
  private mutating func refute() -> OnlineCalibrationEvent? {
    let p = parameters
    // Only motion that could contradict can confirm.
    guard let active, let score = ValidationScore(active.estimate, on: validation),
      score.spread.radians >= p.leastSpread.radians
    else {
      contradictions = 0
      return nil
    }
    let limit = max(p.refutedError.radians, p.refutedFactor * (active.seenError?.radians ?? 0))
    guard score.error.radians > limit else {
      (contradictions, isConfirmed) = (0, true)
      return nil
    }
    contradictions += 1
    // A confirmed calibration is not rejected because of a passing magnet.
    let needed = isConfirmed ? p.contradictionsWhenConfirmed : p.contradictionsNeeded
    guard contradictions >= needed else { return nil }
    contradictions = 0
    // A previous calibration that fits is better than none.
    if let before = previous.last, let other = ValidationScore(before.estimate, on: validation),
      other.error.radians < p.rollbackScore * score.error.radians
    {
      return goBack(to: before)
    }
    self.active = nil
    anchor = nil
    previous.removeAll()
    suspected = nil
    // Earlier observations may belong to other iron.
    removeAllButRecent()
    return .refuted
  }

  /// Resets after a gap, or after a turn beyond the gyroscope's range, since the yaw is then
  /// unknown. The active calibration remains as the prior.
  private mutating func interrupt() {
    if let active { setAnchor(active.estimate) }
    store = ObservationStore()
    validation.removeAll()
    recent.removeAll()
    suspected = nil
  }

  /// Stores a calibration for a rollback.
  private mutating func storePrevious(_ calibration: CommittedCalibration) {
    previous.append(calibration)
    previous.removeFirst(max(0, previous.count - parameters.keptCalibrations))
  }

  /// Sets the prior of the next fits.
  private mutating func setAnchor(_ estimate: DistortionEstimate) {
    anchor = DistortionAnchor(
      estimate, shapeDrift: parameters.shapeDrift, offsetDrift: parameters.offsetDrift)
  }

  private mutating func removeAllButRecent() {
    guard let begin = recent.first?.timestamp else { return }
    store.removeAll(before: begin)
    validation.removeAll { $0.timestamp < begin }
  }

  /// Removes old observations; the active calibration becomes the prior of the next fits.
  private mutating func removeOldObservations(at now: Timestamp) {
    guard let oldest = store.observations.first,
      now.seconds(since: oldest.timestamp) > parameters.storeAge, let active
    else { return }
    setAnchor(active.estimate)
    let half = UInt64(nanosecondsIn: parameters.storeAge / 2)
    store.removeAll(before: Timestamp(nanoseconds: now.nanoseconds - min(half, now.nanoseconds)))
  }

  /// The predicted error at the attitudes in the store.
  private func seenError(_ estimate: DistortionEstimate, _ yaw: Angle?) -> Angle? {
    guard let prediction = HeadingErrorPrediction(estimate) else { return nil }
    let seen = store.observations
    guard !seen.isEmpty else { return nil }
    let stride = max(1, seen.count / 48)
    // The origin of yaw hardly matters: the store has all yaws.
    let (c, s) = (Double.cos(yaw?.radians ?? 0), Double.sin(yaw?.radians ?? 0))
    var (sum, n) = (0.0, 0.0)
    for i in Swift.stride(from: 0, to: seen.count, by: stride) {
      guard let a = seen[i].axes, let down = a.down.normalized else { continue }
      let level: SIMD3<Double> = a.x * c + a.y * s
      guard let north = (level - down * level.dot(down)).normalized else { continue }
      let sigma = prediction.sigma(down: down, north: north)
      sum += sigma * sigma
      n += 1
    }
    return n > 0 ? Angle(radians: (sum / n).squareRoot()) : nil
  }
}

/// A calibration in use.
public struct CommittedCalibration: Equatable, Sendable {
  /// The calibration.
  public var estimate: DistortionEstimate
  /// Time of the commit; nil for one from an earlier time.
  public var committedAt: Timestamp?
  /// The predicted heading error at the observed attitudes, one sigma.
  public var seenError: Angle?
}

/// A change of the calibration in use.
public enum OnlineCalibrationEvent: Equatable, Sendable {
  /// A better calibration is in use.
  case committed(CommittedCalibration)
  /// The hard iron changed, microtesla along the sensor's axes; the calibration is corrected.
  case steppedTo(CommittedCalibration, change: SIMD3<Double>)
  /// The previous calibration is in use again.
  case rolledBack(CommittedCalibration)
  /// The calibration contradicted the observations and was rejected; there is no other yet.
  case refuted

  /// The calibration in use now; nil if there is none.
  public var calibration: CommittedCalibration? {
    switch self {
    case .committed(let c), .rolledBack(let c): c
    case .steppedTo(let c, _): c
    case .refuted: nil
    }
  }
}

/// A pending fit with all its inputs, so that it can run on another thread.
public struct RefitJob: Sendable {
  let fit: ForwardFit
  let observations: [FieldObservation]

  /// Runs the fit.
  public func run() throws(CalibrationFitError) -> ForwardSolution { try fit.fit(observations) }
}
