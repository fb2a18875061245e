import Quantities
import RealModule

/// Calibrates during use, from nothing or from an earlier calibration.
///
/// Observations go into a store by attitude; every few seconds all of it is fitted anew (`RefitJob`, which
/// may run elsewhere), since the carried yaw makes the model bilinear. Every fifth block of observations
/// no fit sees: a calibration is committed where it explains those better, or as well and with a smaller
/// predicted error. One that turns out worse than the one before is rolled back. A change of the hard iron
/// is looked for on the way (`OffsetStep`): then shape and field stay, and seconds of turning do.
///
/// A value: what it says depends on what it was fed and on nothing else.
/// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
public struct OnlineCalibrator: Sendable {
  /// What the calibrator can be tuned by.
  public var parameters: Parameters
  /// What is known of the earth's field. It may become known later.
  public var prior: FieldPrior
  /// The calibration that holds; nil before the first.
  public private(set) var active: CommittedCalibration?
  /// Those before it, the oldest first.
  public private(set) var previous: [CommittedCalibration] = []

  private(set) var store = ObservationStore()
  private(set) var validation: [FieldObservation] = []
  private var recent: [FieldObservation] = []
  private var anchor: DistortionAnchor?
  private var start: Timestamp?
  private var newest: Timestamp?
  private var stretch = 0
  private var nextRefit = 0.0
  private var nextLook = 0.0
  private var suspected: OffsetStep?
  private var isRefitWanted = false
  private var contradictions = 0
  /// True once the calibration in use has agreed with what no fit saw.
  private var isConfirmed = false

  /// Makes a calibrator.
  /// - Parameters:
  ///   - earlier: A calibration of this sensor on this board from an earlier time.
  ///   - prior: What is known of the earth's field.
  ///   - parameters: The tuning.
  public init(
    earlier: DistortionEstimate? = nil, prior: FieldPrior = .unknown,
    parameters: Parameters = Parameters()
  ) {
    self.parameters = parameters
    self.prior = prior
    guard let earlier else { return }
    active = CommittedCalibration(estimate: earlier, committedAt: nil, seenError: nil)
    believe(earlier)
  }

  /// Takes in an observation.
  /// - Returns: What it led to: a step that was noticed, or a rollback.
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
    let begin = start ?? now
    start = begin
    let t = now.seconds(since: begin)
    let block = Int(t / parameters.blockLength)
    let isForValidation =
      block % parameters.blocksPerValidation == parameters.blocksPerValidation - 1
    // A board that lies in a bent field says the same again and again: only turning tells right from wrong.
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
      age(now)
      if let event = rollBack() ?? refute() { return event }
    }
    guard t >= nextLook else { return nil }
    nextLook = t + parameters.stepInterval
    return lookForStep()
  }

  /// The fit that is due; nil where none is. Taking it makes it no longer due.
  public mutating func takeRefit() -> RefitJob? {
    guard isRefitWanted else { return nil }
    isRefitWanted = false
    var fit = ForwardFit(prior: prior)
    fit.anchor = anchor
    guard store.observations.count >= fit.parameters.fewestObservations else { return nil }
    return RefitJob(fit: fit, observations: store.observations)
  }

  /// Takes in what a fit has found.
  /// - Returns: The commit, where it is one.
  public mutating func finish(_ solution: ForwardSolution) -> OnlineCalibrationEvent? {
    let p = parameters
    let candidate = solution.estimate
    guard candidate.inlierShare >= p.leastInliers,
      let score = ValidationScore(candidate, on: validation),
      score.spread.radians >= p.leastSpread.radians, let error = seenError(candidate, solution.yaw)
    else { return nil }
    if let active {
      let own = ValidationScore(active.estimate, on: validation)?.error.radians ?? .infinity
      // What the active one predicts for the attitudes that are met now, not for those at its commit.
      let ownError = seenError(active.estimate, solution.yaw)?.radians ?? .infinity
      let isBetter =
        score.error.radians < p.betterScore * own
        && error.radians < p.toleratedError * ownError
      let isSurer =
        score.error.radians < p.toleratedScore * own && error.radians < p.betterError * ownError
      guard isBetter || isSurer else { return nil }
      remember(active)
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

  private mutating func lookForStep() -> OnlineCalibrationEvent? {
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
    // Iron that stays shows the same change in the next look; a door that was passed does not.
    guard let before = suspected, (before.change - step.change).length < 0.35 * step.change.length
    else {
      suspected = step
      return nil
    }
    suspected = nil
    return take(step, active)
  }

  private mutating func take(
    _ step: OffsetStep, _ before: CommittedCalibration
  ) -> OnlineCalibrationEvent {
    var estimate = before.estimate
    estimate.distortion.offset += step.change
    for i in ForwardState.offset..<DistortionCovariance.order {
      estimate.covariance[i, i] += step.sigma * step.sigma
    }
    remember(before)
    let commit = CommittedCalibration(
      estimate: estimate, committedAt: newest, seenError: seenError(estimate, nil))
    active = commit
    believe(estimate)
    // What was before the step belongs to other iron.
    forgetAllButRecent()
    return .steppedTo(commit, change: step.change)
  }

  /// Goes back where the calibration before explains what came since the commit better.
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
    // One from an earlier time has not said yet what it predicts here.
    before.seenError = before.seenError ?? seenError(before.estimate, nil)
    active = before
    return .rolledBack(before)
  }

  /// Gives a calibration up that the observations contradict, such as one of another board.
  private mutating func refute() -> OnlineCalibrationEvent? {
    let p = parameters
    // Only turning that can show a contradiction can confirm.
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
    // What once agreed with what is measured is not given up for a magnet in passing.
    let needed = isConfirmed ? p.contradictionsWhenConfirmed : p.contradictionsNeeded
    guard contradictions >= needed else { return nil }
    contradictions = 0
    // One that held before and explains it is better than none.
    if let before = previous.last, let other = ValidationScore(before.estimate, on: validation),
      other.error.radians < p.rollbackScore * score.error.radians
    {
      return goBack(to: before)
    }
    self.active = nil
    anchor = nil
    previous.removeAll()
    suspected = nil
    // What was seen before may belong to other iron.
    forgetAllButRecent()
    return .refuted
  }

  /// After a pause, or a turn beyond the gyroscope's range, nobody knows how the carried yaw goes on: what came
  /// before stays as a belief alone.
  private mutating func interrupt() {
    if let active { believe(active.estimate) }
    store = ObservationStore()
    validation.removeAll()
    recent.removeAll()
    suspected = nil
  }

  /// Keeps a calibration to go back to.
  private mutating func remember(_ calibration: CommittedCalibration) {
    previous.append(calibration)
    previous.removeFirst(max(0, previous.count - parameters.keptCalibrations))
  }

  /// Makes an estimate what is believed before the next fits.
  private mutating func believe(_ estimate: DistortionEstimate) {
    anchor = DistortionAnchor(
      estimate, shapeDrift: parameters.shapeDrift, offsetDrift: parameters.offsetDrift)
  }

  private mutating func forgetAllButRecent() {
    guard let begin = recent.first?.timestamp else { return }
    store.removeAll(before: begin)
    validation.removeAll { $0.timestamp < begin }
  }

  /// Lets old observations go; what they taught stays as the belief before the next fits.
  private mutating func age(_ now: Timestamp) {
    guard let oldest = store.observations.first,
      now.seconds(since: oldest.timestamp) > parameters.storeAge, let active
    else { return }
    believe(active.estimate)
    let half = UInt64(parameters.storeAge / 2 * 1e9)
    store.removeAll(before: Timestamp(nanoseconds: now.nanoseconds - min(half, now.nanoseconds)))
  }

  /// The predicted error at the attitudes in the store.
  private func seenError(_ estimate: DistortionEstimate, _ yaw: Angle?) -> Angle? {
    guard let prediction = HeadingErrorPrediction(estimate) else { return nil }
    let seen = store.observations
    guard !seen.isEmpty else { return nil }
    let stride = max(1, seen.count / 48)
    // Where north is on the carried axes hardly matters: all yaws are in the store.
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

/// A calibration that was put to use.
public struct CommittedCalibration: Equatable, Sendable {
  /// The calibration.
  public var estimate: DistortionEstimate
  /// When it was; nil for one from an earlier time.
  public var committedAt: Timestamp?
  /// The predicted heading error at the attitudes seen, one sigma.
  public var seenError: Angle?
}

/// What happened to an online calibration.
public enum OnlineCalibrationEvent: Equatable, Sendable {
  /// A better one is in use.
  case committed(CommittedCalibration)
  /// The hard iron has changed by so much, microtesla along the sensor's axes; the calibration follows.
  case steppedTo(CommittedCalibration, change: SIMD3<Double>)
  /// The one before is in use again.
  case rolledBack(CommittedCalibration)
  /// The one in use contradicts what is measured, and there is no other yet.
  case refuted

  /// The calibration that holds now; nil for none.
  public var calibration: CommittedCalibration? {
    switch self {
    case .committed(let c), .rolledBack(let c): c
    case .steppedTo(let c, _): c
    case .refuted: nil
    }
  }
}

/// A fit that is due: all that it needs, so that it can run on another thread.
public struct RefitJob: Sendable {
  let fit: ForwardFit
  let observations: [FieldObservation]

  /// Fits.
  public func run() throws(CalibrationFitError) -> ForwardSolution { try fit.fit(observations) }
}
