import Quantities
import RealModule

/// Finds the state of motion from inertial samples, from speeds, or from both.
///
/// Model. A hidden Markov chain of twelve states (`MotionModel`), each kind of travel with its
/// halts, in continuous time.
/// - A speed over ground, and once a second what the inertial unit shows: size of the shaking over
///   the sensor's learnt noise, turning, steps (autocorrelation over four seconds), slow regular
///   roll and pitch (over forty).
/// - The forward probabilities are those of the state now. The state that is given changes once
///   another one has `Parameters.change`, and is unknown where none has `Parameters.known`:
///   hysteresis beyond that of the chain.
/// - A halt is a part of its travel until it lasts longer than halts do; the stationary state then
///   counts from its beginning.
///
/// Time comes from the samples. No sample allocates memory.
/// - Source: L. R. Rabiner, A Tutorial on Hidden Markov Models, Proc. IEEE 77(2), 1989, equation
///   20.
public struct MotionStateEstimator: Sendable {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// Correlation time of a speed as evidence of moving or halting, s. Small: each fix counts;
    /// large: changes are slow.
    public var speedTime = 6.0
    /// Correlation time of a speed as evidence of the kind of travel, s: a street sets the pace.
    public var paceTime = 45.0
    /// Correlation time of a mean acceleration over four seconds, s.
    public var accelerationTime = 6.0
    /// Assumed accuracy of a speed without one, m/s.
    public var unstatedSpeedSigma = 0.3
    /// Probability at which a state replaces the present one.
    public var change = 0.6
    /// Probability below which the present state is unknown.
    public var known = 0.2
    /// Time without any sample after which the state is unknown, s: a receiver that rests reports
    /// once in 15 minutes at most.
    public var longestSilence = 1000.0

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters.
  public var parameters: Parameters
  private let rates: [MotionVector]
  private var probabilities = MotionModel.start
  private var extractor = MotionFeatureExtractor()
  private var timestamp: Timestamp?
  private var lastSpeed: Timestamp?
  private var speeds = RecentSpeeds()
  private var isMoving = false
  private var current: (state: MotionState, since: Timestamp)?
  private var haltedSince: Timestamp?
  /// Since when each state, in the order of `MotionState.allCases`, has been possible.
  private var risen = SIMD8<UInt64>.zero

  /// Makes an estimator without samples.
  public init(hint: MotionHint = .none, parameters: Parameters = Parameters()) {
    self.parameters = parameters
    rates = MotionModel.rates(hint: hint)
  }

  // MARK: Samples

  /// Processes an inertial sample.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let features = extractor.add(sample), advance(to: sample.timestamp) else { return }
    let logs = MotionModel.logLikelihood(features)
    weigh(movesBySpeed ? MotionModel.moving(logs) : logs)
    chooseState()
  }

  /// Processes a speed over ground.
  ///
  /// - Parameters:
  ///   - speed: Metres per second.
  ///   - sigma: Its accuracy, m/s; nil where it is not stated.
  ///   - t: The time of the speed.
  public mutating func update(
    speedMetresPerSecond speed: Double, accuracy sigma: Double?, at t: Timestamp
  ) {
    guard speed >= 0, speed.isFinite, advance(to: t) else { return }
    let elapsed = lastSpeed.map { max(0, t.seconds(since: $0)) } ?? parameters.speedTime
    lastSpeed = t
    func weight(_ time: Double) -> Double { 1 - Double.exp(-elapsed / time) }
    let error = sigma ?? parameters.unstatedSpeedSigma
    isMoving = speed > max(1, 3 * error)
    let logs = MotionModel.logLikelihood(speed: speed, sigma: error)
    var sum = logs.moving * weight(parameters.speedTime) + logs.pace * weight(parameters.paceTime)
    if let (before, seconds) = speeds.before(t) {
      sum +=
        MotionModel.logLikelihood(
          acceleration: (speed - before) / seconds, sigma: 2.0.squareRoot() * error / seconds)
        * weight(parameters.accelerationTime)
    }
    speeds.add(speed, at: t)
    weigh(sum)
    chooseState()
  }

  /// Whether the receiver has just reported a speed that a body at rest never has.
  private var movesBySpeed: Bool {
    guard let lastSpeed, let timestamp, timestamp.seconds(since: lastSpeed) < 3 else {
      return false
    }
    return isMoving
  }

  // MARK: Chain

  /// Predicts to a time; false for one in the past. A clock that went back by more than a moment
  /// starts anew.
  private mutating func advance(to t: Timestamp) -> Bool {
    guard let from = timestamp else {
      timestamp = t
      return true
    }
    let elapsed = t.seconds(since: from)
    if elapsed < -10 {
      let hintedRates = rates
      self = MotionStateEstimator(rates: hintedRates, parameters: parameters)
      timestamp = t
      return true
    }
    guard elapsed >= 0 else { return false }
    timestamp = t
    if elapsed > parameters.longestSilence { current = nil }
    probabilities = Self.predicted(
      probabilities, rates, seconds: min(elapsed, 2 * parameters.longestSilence))
    return true
  }

  private init(rates: [MotionVector], parameters: Parameters) {
    (self.rates, self.parameters) = (rates, parameters)
  }

  private static func predicted(
    _ p: MotionVector, _ rates: [MotionVector], seconds: Double, step longest: Double = 2
  ) -> MotionVector {
    var p = p
    var left = seconds
    // The shortest mean time is 8 s.
    while left > 0 {
      let step = min(left, longest)
      left -= step
      var change = MotionVector.zero
      for i in 0..<MotionModel.count { change += rates[i] * p[i] }
      p += change * step
    }
    return p
  }

  private mutating func weigh(_ logs: MotionVector) {
    var sum = 0.0
    let most = logs.max()
    for i in 0..<MotionModel.count {
      probabilities[i] *= Double.exp(logs[i] - most)
      sum += probabilities[i]
    }
    guard sum > 1e-200, sum.isFinite else {
      probabilities = MotionModel.start
      return
    }
    probabilities /= sum
  }

  /// Chooses the state to give.
  private mutating func chooseState() {
    guard let t = timestamp else { return }
    if haltProbability > 0.5 { haltedSince = haltedSince ?? t } else { haltedSince = nil }
    var best: (state: MotionState, p: Double)?
    for (k, state) in MotionState.allCases.enumerated() {
      let p = probability(of: state)
      if p < 0.2 || risen[k] == 0 { risen[k] = t.nanoseconds }
      if p > best?.p ?? 0 { best = (state, p) }
    }
    if let best, best.p >= parameters.change, best.state != current?.state {
      current = (best.state, begin(of: best.state, t))
    } else if let state = current?.state, probability(of: state) < parameters.known {
      current = nil
    }
  }

  private func begin(of state: MotionState, _ t: Timestamp) -> Timestamp {
    if state == .stationary, let haltedSince { return haltedSince }
    let index = MotionState.allCases.firstIndex(of: state) ?? 0
    return min(t, Timestamp(nanoseconds: risen[index]))
  }

  /// The probability that the body has no speed, in whatever state.
  private var haltProbability: Double {
    var sum = probabilities[MotionModel.stationary]
    for state in MotionState.allCases where state != .stationary {
      sum += probabilities[MotionModel.index(of: state) + 1]
    }
    return sum
  }

  // MARK: Result

  /// The probability of a state, 0 to 1. What is left to 1 is motion of another kind.
  public func probability(of state: MotionState) -> Double {
    let i = MotionModel.index(of: state)
    return probabilities[i] + (state == .stationary ? 0 : probabilities[i + 1])
  }

  /// What is usual for the present motion and for what may follow within a minute, weighted by the
  /// probabilities.
  public var usualMotion: UsualMotion {
    let p = Self.predicted(probabilities, rates, seconds: 60, step: 5)
    var (speed, noise, left) = (0.0, 0.0, 1.0)
    func add(_ usual: UsualMotion, _ share: Double) {
      speed += share * usual.speed * usual.speed
      noise += share * usual.accelerationNoise * usual.accelerationNoise
      left -= share
    }
    for state in MotionState.allCases {
      let i = MotionModel.index(of: state)
      add(MotionModel.usual(state), p[i] + (state == .stationary ? 0 : p[i + 1]))
    }
    add(MotionModel.usual(nil), max(0, left))
    return UsualMotion(speed: speed.squareRoot(), accelerationNoise: noise.squareRoot())
  }

  /// The state of motion at a time; nil where it is unknown.
  public func solution(at t: Timestamp) -> MotionSolution? {
    guard let current, let timestamp, t.seconds(since: timestamp) <= parameters.longestSilence
    else { return nil }
    return MotionSolution(
      state: current.state, probability: min(1, probability(of: current.state)),
      since: current.since)
  }
}

/// The last eight speeds.
private struct RecentSpeeds: Sendable {
  private var speeds = SIMD8<Double>.zero
  private var times = SIMD8<UInt64>.zero
  private var next = 0

  mutating func add(_ speed: Double, at t: Timestamp) {
    (speeds[next], times[next]) = (speed, t.nanoseconds)
    next = (next + 1) % 8
  }

  /// The newest speed that is at least 3.5 s older, and by how much; nil where it is older than 6.5
  /// s.
  func before(_ t: Timestamp) -> (speed: Double, seconds: Double)? {
    var found: (Double, Double)?
    for k in 0..<8 where times[k] > 0 && times[k] < t.nanoseconds {
      let age = t.seconds(since: Timestamp(nanoseconds: times[k]))
      if age >= 3.5, age < found?.1 ?? 6.5 { found = (speeds[k], age) }
    }
    return found
  }
}

/// A state of motion.
public struct MotionSolution: Equatable, Sendable {
  /// The state.
  public var state: MotionState
  /// Its probability, 0 to 1.
  public var probability: Double
  /// The time at which it began.
  public var since: Timestamp
}
