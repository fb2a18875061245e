import Quantities
import RealModule

/// True north by a receiver with two antennas, the gyroscope and the compass together, as a turn of
/// the attitude filter's north. The heading of the attitude and this turn are the one fused true
/// heading, between the receiver's messages, in turns and in an outage.
///
/// Model. A Kalman filter with eight states; angles clockwise from above.
/// - turn: from true north to the attitude filter's north. What the attitude filter corrects by the
///   field or by gravity is known, and is subtracted: the turn changes by errors of the gyroscope
///   alone, also while the compass pulls the attitude filter.
/// - drift: the gyroscope's remaining bias about the three body axes. A change of the attitude
///   filter's bias changes it by as much, and the variance of that bias is an upper limit of its
///   own. At rest the true rate is zero, which measures it.
/// - scale: the gyroscope's remaining scale error about the vertical.
/// - antenna error: the part of the receiver's error that lasts (multipath), a Gauss-Markov
///   process. It is why many headings in a short time are not better than one.
/// - compass error: local iron and the remaining error of the calibration, a Gauss-Markov process
///   in time and in turned angle. It is learnt while the antennas have a heading, and the compass
///   then carries it on.
/// - lateness: of the receiver's messages, which turns make observable.
///
/// An innovation beyond the gate is rejected. Rejected headings that agree among themselves for
/// `reacquisitionSeconds` are believed. The compass's error does not average out: the stated sigma
/// is never below that of the better single source, which is either the antennas carried on by the
/// gyroscope or the compass.
///
/// - Source: random walks as in `StrapdownFilter.Parameters`; SP90m product manual, p. 20 (error in
///   proportion to one over the baseline; multipath is correlated, less so in motion).
public struct AntennaNorth: Sendable {
  /// Share of the receiver's variance that lasts, and its correlation time, s. Small: many headings
  /// average to nothing; large: a single good one helps little.
  private static let (lastingShare, lastingSeconds) = (0.65, 60.0)
  /// Correlation of the compass's error in time, s, and in turned angle, rad. Both are long: the
  /// error of the calibration and of the place lasts. With 120 s and 0.7 rad, readings counted as
  /// independent, and the compass made the headings of five BROAD trials worse.
  private static let (compassSeconds, compassAngle) = (1800.0, 20.0)
  /// Interval between readings of the compass, s, and the ratio of a reading's variance to its
  /// stated one.
  private static let (compassInterval, compassNoiseShare) = (1.0, 2.0)
  /// Drift before it is known, one sigma, rad/s: a gyroscope's bias at switching on.
  private static let initialDrift = 0.01
  /// Random walk of the drift (in-run bias instability, temperature) as a share of that in the
  /// attitude filter, which is larger because motion disturbs that filter's level.
  private static let driftShare = 0.5
  /// Scale error before it is known, one sigma: of what the attitude filter has not estimated.
  private static let initialScale = 0.01
  /// Lateness of a message and its one sigma, s: solution and transmission take 0.05 to 0.2 s.
  private static let (usualLateness, latenessSigma) = (0.1, 0.06)
  /// Interval at which the covariance is propagated, s.
  private static let step = 0.25
  /// Innovation, in sigmas, beyond which a heading is rejected.
  private static let gate = 4.0
  /// Time for which rejected headings must agree among themselves to be believed, s: a receiver
  /// with wrongly fixed ambiguities finds the right ones within seconds, a gyroscope carries on for
  /// longer.
  private static let reacquisitionSeconds = 30.0
  /// Time after which a lasting contradiction enters the stated accuracy, s.
  private static let doubtSeconds = 10.0
  /// Longest gap between two rejected headings that belong together, s.
  private static let longestPause = 5.0
  /// Sigma beyond which nothing is known, rad.
  private static let largestSigma = 0.35
  /// Time without antennas after which the compass alone is as good, s.
  private static let longestSilence = 1800.0
  /// Cosine of the pitch below which a heading is not used.
  private static let steepest = 0.5
  /// Smallest stated sigma of a heading that is believed, rad: no receiver is better on board.
  private static let smallestSigma = 0.0005

  /// The order of the states; drift has three.
  private static let (turn, drift, scale, lasting, compass, late) = (0, 1, 4, 5, 6, 7)

  /// Mean and covariance at an instant.
  private struct State {
    var mean = SIMD8<Double>.zero
    var rows = (
      SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero,
      SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero, SIMD8<Double>.zero
    )
    /// Variance of the turn by antennas and gyroscope alone, rad².
    var carried = 0.0

    func variance(_ i: Int) -> Double { row(i)[i] }

    func row(_ i: Int) -> SIMD8<Double> {
      switch i {
      case 0: rows.0
      case 1: rows.1
      case 2: rows.2
      case 3: rows.3
      case 4: rows.4
      case 5: rows.5
      case 6: rows.6
      default: rows.7
      }
    }

    mutating func change(_ body: (inout SIMD8<Double>, Int) -> Void) {
      body(&rows.0, 0)
      body(&rows.1, 1)
      body(&rows.2, 2)
      body(&rows.3, 3)
      body(&rows.4, 4)
      body(&rows.5, 5)
      body(&rows.6, 6)
      body(&rows.7, 7)
    }

    /// Covariance times a row of measurement.
    func times(_ h: SIMD8<Double>) -> SIMD8<Double> {
      var g = SIMD8<Double>.zero
      for i in 0..<8 { g[i] = (row(i) * h).sum() }
      return g
    }

    /// Applies a measurement with an innovation.
    mutating func update(_ h: SIMD8<Double>, _ innovation: Double, variance: Double) {
      let g = times(h)
      let s = (g * h).sum() + variance
      guard s > 0 else { return }
      mean += g * (innovation / s)
      change { row, i in row -= g * (g[i] / s) }
    }

    /// Sets a state's variance, without correlation to the others.
    mutating func reset(_ i: Int, variance: Double) {
      change { row, k in
        row[i] = 0
        if k == i { row = .zero }
        if k == i { row[i] = variance }
      }
    }

    /// Adds variance to a state, at most to a limit.
    mutating func raise(_ i: Int, by variance: Double, atMost limit: Double) {
      let added = max(0, min(variance, limit - self.variance(i)))
      change { row, k in if k == i { row[k] += added } }
    }

    /// Propagates the covariance.
    mutating func grow(_ motion: Motion, lasting: Double, compass: Double) {
      let p = StrapdownFilter.Parameters()
      let before = variance(AntennaNorth.turn)
      let dt = motion.seconds
      let keepsLasting = Double.exp(-dt / AntennaNorth.lastingSeconds)
      let keepsCompass = Double.exp(
        -dt / AntennaNorth.compassSeconds - motion.turnedBothWays / AntennaNorth.compassAngle)
      let axis = motion.vertical
      rows.0 += rows.1 * axis.x + rows.2 * axis.y + rows.3 * axis.z + rows.4 * motion.turned
      rows.5 *= keepsLasting
      rows.6 *= keepsCompass
      change { row, _ in
        row[0] += row[1] * axis.x + row[2] * axis.y + row[3] * axis.z + row[4] * motion.turned
        row[5] *= keepsLasting
        row[6] *= keepsCompass
      }
      rows.0[0] +=
        p.rateNoise * p.rateNoise * dt + p.rateScaleNoise * p.rateScaleNoise * motion.rateSquared
        + motion.unseen * motion.unseen
      let walk = AntennaNorth.driftShare * p.biasDrift
      rows.1[1] += walk * walk * dt
      rows.2[2] += walk * walk * dt
      rows.3[3] += walk * walk * dt
      rows.5[5] += lasting * (1 - keepsLasting * keepsLasting)
      rows.6[6] += compass * (1 - keepsCompass * keepsCompass)
      carried += max(0, rows.0[0] - before)
    }
  }

  /// The motion since the covariance was last propagated.
  private struct Motion {
    var seconds = 0.0
    /// Integral of the vertical along the body's axes, s: what the drift turns.
    var vertical = SIMD3<Double>.zero
    /// Turned by the gyroscope, rad, with sign and without.
    var (turned, turnedBothWays) = (0.0, 0.0)
    /// Integral of the squared rate about all axes, rad²/s.
    var rateSquared = 0.0
    /// Turn in gaps between samples, one sigma, rad.
    var unseen = 0.0
  }

  /// Rejected headings that agree.
  private struct Contradiction {
    var first: Timestamp
    var newest: Timestamp
    /// The innovation, rad.
    var angle: Double
  }

  private var state: State?
  private var motion = Motion()
  /// The attitude filter at the newest sample.
  private var attitude = Rotation<BodyFrame, MagneticEarthFrame>.identity
  private var at = Timestamp(nanoseconds: 0)
  private var (lastRate, bias) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
  private var biasSigma = SIMD3<Double>.zero
  private var turnRate = 0.0
  private var isAtRest = false
  private var newestHeading = Timestamp(nanoseconds: 0)
  private var newestCompass: Timestamp?
  /// Variances of the receiver's lasting error and of the compass, rad².
  private var (lastingVariance, compassVariance) = (0.0, Double.infinity)
  private var contradiction: Contradiction?

  /// Makes a state without a known north.
  public init() {}

  /// True once a heading of the antennas is known; `follow` is needed from then on.
  public var isOn: Bool { state != nil }

  /// How far the receiver's headings have lately been from the fused one, clockwise, where they
  /// contradict it for longer than some messages; nil where they agree.
  public func contradiction(at t: Timestamp) -> Angle? {
    doubt(at: t).map { Angle(radians: $0) }
  }

  private func doubt(at t: Timestamp) -> Double? {
    guard let c = contradiction, t.seconds(since: c.newest) <= Self.longestPause,
      c.newest.seconds(since: c.first) >= Self.doubtSeconds
    else { return nil }
    return c.angle
  }

  // MARK: Gyroscope

  /// Follows the attitude filter; called after each sample while it works with a gyroscope.
  public mutating func follow(_ filter: AttitudeEstimator) {
    guard state != nil, let now = filter.solution else { return }
    let dt = now.timestamp.seconds(since: at)
    guard dt >= 0 else { return }
    let strapdown = filter.strapdown
    var turned = Rotation<BodyFrame, BodyFrame>.identity
    if dt > strapdown.parameters.longestStep {
      motion.unseen += min(.pi, strapdown.parameters.gapRate * dt)
    } else if dt > 0 {
      let newest = strapdown.rate
      let raw = dt > strapdown.parameters.coarseStep ? (lastRate + newest) * 0.5 : newest
      let rate = strapdown.turning(raw, bias: bias)
      turned = Rotation<BodyFrame, BodyFrame>(rotationVector: rate * dt)
      motion.rateSquared += rate.lengthSquared * dt
      turnRate = Matrix3(now.attitude).r2.dot(rate)
    }
    let down = Matrix3(now.attitude).r2
    if dt <= strapdown.parameters.longestStep {
      // The rest of the filter's turn is its own corrections, about the vertical.
      let difference = now.attitude * (attitude * turned).inverse
      let corrected = 2 * Double.atan2(y: difference.v.z, x: difference.w)
      let byGyroscope = turnRate * dt
      state?.mean[Self.turn] -= Self.wrapped(corrected)
      motion.turned += byGyroscope
      motion.turnedBothWays += abs(byGyroscope)
      motion.vertical += down * dt
      if let mean = state?.mean {
        state?.mean[Self.turn] +=
          (mean[Self.drift] * down.x + mean[Self.drift + 1] * down.y
            + mean[Self.drift + 2] * down.z) * dt + mean[Self.scale] * byGyroscope
      }
    }
    let changed = filter.gyroscopeBias.radiansPerSecond - bias
    for i in 0..<3 { state?.mean[Self.drift + i] += changed[i] }
    bias += changed
    biasSigma = filter.gyroscopeBiasSigma
    motion.seconds += dt
    (attitude, at, lastRate) = (now.attitude, now.timestamp, strapdown.rate)
    isAtRest = filter.isAtRest
    if motion.seconds >= Self.step { propagate() }
    if at.seconds(since: newestHeading) > Self.longestSilence { state = nil }
  }

  private mutating func propagate() {
    state?.grow(
      motion, lasting: lastingVariance, compass: compassVariance.isFinite ? compassVariance : 0)
    if isAtRest, motion.unseen == 0, motion.seconds > 0,
      at.seconds(since: newestHeading) > Self.longestPause, var now = state
    {
      let noise = StrapdownFilter.Parameters().restRateNoise
      let variance = noise * noise / motion.seconds
      var h = SIMD8<Double>.zero
      for i in 0..<3 { h[Self.drift + i] = motion.vertical[i] / motion.seconds }
      let innovation = -motion.turned / motion.seconds - (h * now.mean).sum()
      // A slow swing looks like rest, but differs from the known drift by more than two sigmas.
      if innovation * innovation <= 4 * ((now.times(h) * h).sum() + variance) {
        now.update(h, innovation, variance: variance)
        state = now
      }
    }
    limitDrift()
    motion = Motion()
  }

  /// Makes the drift as certain as the attitude filter's bias is.
  private mutating func limitDrift() {
    guard var now = state else { return }
    for i in 0..<3 {
      let known = biasSigma[i] * biasSigma[i]
      let variance = now.variance(Self.drift + i)
      guard known > 0, variance > 1.1 * known else { continue }
      now.update(
        Self.axis(Self.drift + i), -now.mean[Self.drift + i],
        variance: variance * known / (variance - known))
    }
    state = now
  }

  // MARK: Measurements

  /// Uses a heading of the receiver.
  /// - Parameters:
  ///   - heading: The heading.
  ///   - sigma: Its accuracy.
  ///   - filter: The attitude filter at that time, which works with a gyroscope.
  ///   - t: When the heading came.
  public mutating func update(
    _ heading: TrueHeading, sigma: Angle, with filter: AttitudeEstimator, at t: Timestamp
  ) {
    guard let solution = filter.solution, sigma.radians.isFinite, heading.angle.radians.isFinite
    else { return }
    // The steeper the body, the less accurately a direction determines its heading.
    let level = Double.cos(solution.attitude.attitudeAngles.pitch.radians)
    guard level >= Self.steepest else { return }
    let stated = max(sigma.radians, Self.smallestSigma) / level
    let lasting = Self.lastingShare * stated * stated
    let noise = stated * stated - lasting
    let measured = heading.angle.radians - solution.attitude.attitudeAngles.heading.radians
    guard measured.isFinite else { return }
    follow(filter)
    propagate()
    guard var now = state else {
      start(measured, filter, solution, lasting: lasting, noise: noise, at: t)
      return
    }
    // A receiver that states another accuracy has another lasting error.
    if lasting > lastingVariance {
      now.raise(Self.lasting, by: lasting - lastingVariance, atMost: lasting)
    }
    lastingVariance = lasting
    var h = Self.axis(Self.turn) + Self.axis(Self.lasting)
    h[Self.late] = -turnRate
    let innovation = Self.wrapped(measured - (h * now.mean).sum())
    let s = (now.times(h) * h).sum() + noise
    guard innovation * innovation <= Self.gate * Self.gate * s else {
      reject(innovation, allowance: 3 * s.squareRoot(), filter, at: t)
      return
    }
    contradiction = nil
    now.update(h, innovation, variance: noise)
    now.mean[Self.turn] = Self.wrapped(now.mean[Self.turn])
    now.carried = now.variance(Self.turn)
    (state, newestHeading) = (now, t)
  }

  private mutating func start(
    _ measured: Double, _ filter: AttitudeEstimator, _ solution: AttitudeSolution,
    lasting: Double, noise: Double, at t: Timestamp
  ) {
    var new = State()
    turnRate = solution.rateOfTurn?.radiansPerSecond ?? 0
    new.mean[Self.turn] = Self.wrapped(measured + turnRate * Self.usualLateness)
    new.mean[Self.late] = Self.usualLateness
    new.reset(Self.turn, variance: .pi * .pi)
    for i in 0..<3 {
      let sigma = min(Self.initialDrift, filter.gyroscopeBiasSigma[i])
      new.reset(Self.drift + i, variance: sigma * sigma)
    }
    new.reset(Self.scale, variance: Self.initialScale * Self.initialScale)
    new.reset(Self.lasting, variance: lasting)
    new.reset(Self.late, variance: Self.latenessSigma * Self.latenessSigma)
    var h = Self.axis(Self.turn) + Self.axis(Self.lasting)
    h[Self.late] = -turnRate
    new.update(h, 0, variance: noise)
    new.carried = new.variance(Self.turn)
    (lastingVariance, contradiction, motion) = (lasting, nil, Motion())
    (newestHeading, newestCompass, compassVariance) = (t, nil, .infinity)
    (attitude, at) = (solution.attitude, solution.timestamp)
    (lastRate, bias) = (filter.strapdown.rate, filter.gyroscopeBias.radiansPerSecond)
    biasSigma = filter.gyroscopeBiasSigma
    isAtRest = filter.isAtRest
    state = new
  }

  /// Records a heading beyond the gate. Those that agree for long are believed: what was learnt of
  /// the gyroscope and of the lateness stays.
  private mutating func reject(
    _ innovation: Double, allowance: Double, _ filter: AttitudeEstimator, at t: Timestamp
  ) {
    guard var c = contradiction, t.seconds(since: c.newest) <= Self.longestPause,
      abs(Self.wrapped(innovation - c.angle)) <= allowance
    else {
      contradiction = Contradiction(first: t, newest: t, angle: innovation)
      return
    }
    c.newest = t
    c.angle = innovation
    contradiction = c
    guard t.seconds(since: c.first) >= Self.reacquisitionSeconds, var now = state else { return }
    now.mean[Self.turn] = Self.wrapped(now.mean[Self.turn] + innovation)
    now.reset(Self.turn, variance: allowance * allowance / 9 + lastingVariance)
    now.reset(Self.lasting, variance: lastingVariance)
    now.mean[Self.lasting] = 0
    // The compass's error was learnt from the north that is now discarded.
    now.reset(Self.compass, variance: 0)
    now.mean[Self.compass] = 0
    compassVariance = .infinity
    now.carried = now.variance(Self.turn)
    (state, contradiction, newestHeading) = (now, nil, t)
  }

  /// Uses the compass, which the attitude filter's heading follows.
  /// - Parameters:
  ///   - turn: Declination and deviation: from true north to the compass's.
  ///   - sigma: One sigma of the compass's heading.
  ///   - t: The time.
  public mutating func update(compassTurn turn: Angle, sigma: Angle, at t: Timestamp) {
    let isDue = newestCompass.map { t.seconds(since: $0) >= Self.compassInterval } ?? true
    guard state != nil, isDue, sigma.radians.isFinite, turn.radians.isFinite else { return }
    propagate()
    guard var now = state else { return }
    let variance = sigma.radians * sigma.radians
    if !compassVariance.isFinite {
      now.reset(Self.compass, variance: variance)
    } else if variance > compassVariance {
      // The compass is less certain than it was: what was learnt of it counts less.
      now.raise(Self.compass, by: variance - compassVariance, atMost: variance)
    }
    compassVariance = variance
    let h = Self.axis(Self.turn) + Self.axis(Self.compass)
    let innovation = Self.wrapped(turn.radians - (h * now.mean).sum())
    let noise = variance * Self.compassNoiseShare
    let s = (now.times(h) * h).sum() + noise
    newestCompass = t
    // A compass that contradicts the antennas is disturbed: it waits until they are less certain.
    guard innovation * innovation <= Self.gate * Self.gate * s else { return }
    now.update(h, innovation, variance: noise)
    now.mean[Self.turn] = Self.wrapped(now.mean[Self.turn])
    state = now
  }

  // MARK: Result

  /// The clockwise turn from true north to the attitude filter's north with its one sigma, rad: an
  /// attitude's heading and the turn together are the true heading. Nil where none is known.
  public func value(at t: Timestamp) -> (radians: Double, sigma: Double)? {
    guard var now = state else { return nil }
    var motion = motion
    let age = max(0, t.seconds(since: at))
    motion.seconds += age
    let down = Matrix3(attitude).r2
    motion.vertical += down * age
    now.grow(
      motion, lasting: lastingVariance, compass: compassVariance.isFinite ? compassVariance : 0)
    let floor = min(now.carried, compassVariance)
    var sigma = max(0, now.variance(Self.turn), floor).squareRoot()
    if let doubt = doubt(at: t) { sigma = max(sigma, abs(doubt) / 2) }
    guard sigma <= Self.largestSigma else { return nil }
    let drift = SIMD3(
      now.mean[Self.drift], now.mean[Self.drift + 1], now.mean[Self.drift + 2])
    return (Self.wrapped(now.mean[Self.turn] + drift.dot(down) * age), sigma)
  }

  /// Time since the newest heading of the antennas that was used, s; nil before the first.
  public func outageSeconds(at t: Timestamp) -> Double? {
    state == nil ? nil : max(0, t.seconds(since: newestHeading))
  }

  private static func axis(_ i: Int) -> SIMD8<Double> {
    var h = SIMD8<Double>.zero
    h[i] = 1
    return h
  }

  private static func wrapped(_ radians: Double) -> Double {
    Angle(radians: radians).wrappedToHalfTurn.radians
  }
}
