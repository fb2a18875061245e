import Quantities
import RealModule

/// Altitude above mean sea level and vertical speed from pressure altitude, with GNSS altitude or a
/// QNH as reference.
///
/// Model. Six states: altitude, vertical speed, the offset between altitude and pressure altitude,
/// the scale of pressure altitude, the suction of the wind of driving, and the bias of the vertical
/// acceleration. The barometer measures altitude less offset, precisely and without delay. GNSS
/// measures altitude, coarsely and with errors that last for seconds to minutes. The offset drifts
/// with the weather and, in a car, with fan and windows. Warm air stretches the scale: 25 kelvin
/// above the standard atmosphere are 9 %. A moving car has a lower pressure inside, in proportion
/// to the square of its speed. A QNH sets the offset once. Without a reference the altitude is
/// unknown, but the vertical speed is known. Where an accelerometer with an attitude measures the
/// vertical acceleration, it is integrated, and only its noise and bias are unknown. While neither
/// pressures nor fixes come, the vertical speed stays within what was usual before.
public struct AltitudeFilter: Sendable {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// Vertical acceleration that is not modelled, m/s²·√s. Small: only slow lifts are followed;
    /// large: noise shows.
    public var accelerationNoise = 0.5
    /// Noise of a measured vertical acceleration, m/s²·√s.
    public var measuredNoise = 0.05
    /// Further noise in proportion to the whole acceleration, √s: errors of tilt and scale, and
    /// vibration.
    public var measuredNoiseShare = 0.1
    /// Bias of the vertical acceleration, one sigma, m/s²: 1.5 % of gravity in the accelerometer's
    /// scale.
    public var accelerationBias = 0.15
    /// Drift of that bias, m/s²/√s.
    public var accelerationBiasDrift = 0.002
    /// Error of one pressure altitude, m. BMP280 (BST-BMP280-DS001, table 2): ±0.12 hPa relative, 1
    /// m; noise 1.3 Pa, 0.11 m. Draughts dominate.
    public var pressureSigma = 0.7
    /// Drift of the offset, m/√s: 2.4 m in an hour. Scale and suction explain the rest of what the
    /// project's recorded drives show (leaving out one of three drives: 0.02 to 0.04).
    public var offsetDrift = 0.04
    /// Correlation time of GNSS altitude errors, s (exponential): all fixes within twice that time
    /// together have the weight of one.
    public var fixCorrelationTime = 12.0
    /// Altitude error of a QNH in the region, m: 1 hPa of pressure gradient and age is 8 m.
    public var qnhSigma = 8.0
    /// Error of a height difference by pressure, as a fraction, one sigma: air that is 11 kelvin
    /// off the standard's.
    public var scaleSigma = 0.04
    /// Suction of the wind of driving, one sigma, m/(m/s)²: a pressure coefficient of 0.2 is 0.01.
    public var suctionSigma = 0.01
    /// Speed above which suction no longer grows in the model, m/s.
    public var largestSpeed = 40.0
    /// Innovation of a pressure altitude, in sigmas, above which the pressure has jumped and not
    /// the body: a door, a fan, a tunnel. Only within `longestStep`.
    public var stepGate = 6.0
    /// Longest interval between pressures in which the movement of a lift is too small to be taken
    /// for a jump, s.
    public var longestStep = 0.3
    /// Difference of a fix from the altitude, in sigmas of both, above which the fix is stray.
    public var fixGate = 3.0
    /// Time after which stray fixes are followed, s.
    public var longestStray = 3.0
    /// Assumed one-sigma accuracy of a fix without one, m.
    public var unstatedFixSigma = 10.0
    /// Time without pressure and fix after which the vertical speed is bounded, s; longer where
    /// they come slowly.
    public var briefOutage = 2.5
    /// Correlation time of a vertical speed, s: in an outage, a measurement of zero speed is
    /// applied once in that time, with the usual speed before as its sigma. Small: a lasting climb
    /// is lost; large: errors of the acceleration become a climb.
    public var recentClimbTime = 5.0
    /// Least usual vertical speed, one sigma, m/s.
    public var leastRecentClimb = 0.3

    /// The default tuning.
    public init() {}
  }

  /// The tuning parameters of the filter.
  public var parameters: Parameters
  private var state = ErrorVector.zero
  private var covariance = ErrorCovariance(diagonal: .zero, count: Self.count)
  private var timestamp: Timestamp?
  private var hasPressure = false
  private var lastFix: Timestamp?
  private var lastPressure: Timestamp?
  /// The pressure altitude at which the scale has no effect, m: that of the first sample.
  private var pivotMetres = 0.0
  /// The speed over ground, m/s.
  private var speed = 0.0
  /// The times of pressures, fixes and references.
  private var references = SampleRhythm()
  /// Seconds of stray fixes in a row.
  private var straySeconds = 0.0
  /// The vertical speed before an outage.
  private var recentClimb = RecentSpeed()
  /// The measured acceleration since `timestamp`.
  private var lift = LiftSum()
  /// True once GNSS or a QNH has given a reference.
  public private(set) var isReferenced = false

  // The states.
  private static var altitude: Int { 0 }
  private static var climb: Int { 1 }
  private static var offset: Int { 2 }
  private static var scale: Int { 3 }
  private static var suction: Int { 4 }
  private static var bias: Int { 5 }
  private static var count: Int { 6 }

  /// Makes a filter without an altitude.
  public init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Metres above mean sea level; nil without a reference.
  public var altitudeMetres: Double? { isReferenced ? state[Self.altitude] : nil }
  /// One sigma of the altitude, metres.
  public var accuracyMetres: Double? {
    isReferenced ? max(covariance[Self.altitude, Self.altitude], 0).squareRoot() : nil
  }
  /// Metres per second, up; nil until it is known to 1 m/s.
  public var verticalSpeedMetresPerSecond: Double? {
    timestamp != nil && covariance[Self.climb, Self.climb] < 1 ? state[Self.climb] : nil
  }
  /// The vertical speed with any uncertainty, metres per second up, with its one sigma; nil before
  /// a sample.
  public var verticalMotion: (metresPerSecond: Double, sigma: Double)? {
    timestamp.map { _ in
      (state[Self.climb], max(covariance[Self.climb, Self.climb], 0).squareRoot())
    }
  }

  /// Sets the reference by a QNH.
  /// - Parameters:
  ///   - altitude: The pressure altitude that the QNH gives, metres above mean sea level.
  ///   - sigma: The error of the QNH as a height, one sigma, m; nil: `Parameters.qnhSigma`.
  ///   - t: The time.
  public mutating func reference(
    altitudeByQNHMetres altitude: Double, sigmaMetres sigma: Double? = nil, at t: Timestamp
  ) {
    advance(to: t)
    defer { record(t) }
    // Above the sea the scale of the air adds to its error.
    var row = ErrorVector.zero
    let squeezed = 1 - state[Self.scale]
    (row[Self.altitude], row[Self.scale]) = (squeezed, -altitude)
    measure(row, altitude - state[Self.altitude] * squeezed, (sigma ?? parameters.qnhSigma).squared)
    isReferenced = true
  }

  /// Processes a pressure altitude, metres in the standard atmosphere.
  /// - Parameters:
  ///   - h: The pressure altitude.
  ///   - speed: The speed over ground, metres per second; nil where it is unknown.
  ///   - t: The time of the sample.
  public mutating func update(
    pressureAltitudeMetres h: Double, speedMetresPerSecond speed: Double? = nil, at t: Timestamp
  ) {
    guard h.isFinite else { return }
    let wasEmpty = timestamp == nil
    let elapsed = lastPressure.map { t.seconds(since: $0) }
    lastPressure = t
    advance(to: t)
    defer { record(t) }
    self.speed = min(speed ?? self.speed, parameters.largestSpeed)
    let r = parameters.pressureSigma.squared
    if wasEmpty {
      // Altitude and offset are unknown together; only their difference is measured.
      state[Self.altitude] = h
      (hasPressure, pivotMetres) = (true, h)
    } else if !hasPressure {
      // GNSS came first: altitude is known, so the offset follows.
      (hasPressure, pivotMetres) = (true, h)
      state[Self.offset] = state[Self.altitude] - h
      covariance.copy(Self.altitude, to: Self.offset, adding: r)
      return
    }
    // Where the pressure altitude would be in standard air, relative to the pivot.
    let height = state[Self.altitude] - state[Self.offset] - pivotMetres
    let squeezed = 1 - state[Self.scale]
    let wind = self.speed * self.speed
    let expected = pivotMetres + height * squeezed - state[Self.suction] * wind
    var row = ErrorVector.zero
    (row[Self.altitude], row[Self.offset]) = (squeezed, -squeezed)
    (row[Self.scale], row[Self.suction]) = (-height, -wind)
    let innovation = h - expected
    if isReferenced, let elapsed, elapsed < parameters.longestStep {
      let usual = row.dot(covariance.column(row)) + r
      // The offset takes the step.
      if innovation.squared > parameters.stepGate.squared * usual {
        covariance.grow(Self.offset, by: innovation.squared)
      }
    }
    measure(row, innovation, r)
  }

  /// Processes a receiver's altitude, metres above mean sea level, with its one-sigma accuracy; nil or
  /// 0 where it is not known.
  public mutating func update(fixAltitudeMetres h: Double, sigmaMetres: Double?, at t: Timestamp) {
    guard h.isFinite else { return }
    let stated = sigmaMetres.flatMap { $0 > 0 ? $0 : nil }
    let sigma = max(stated ?? parameters.unstatedFixSigma, 0.01)
    if timestamp == nil { state[Self.altitude] = h }
    advance(to: t)
    defer { record(t) }
    // Correlated errors are weighted by time, not by count.
    let independent = 2 * parameters.fixCorrelationTime
    let elapsed = lastFix.map { max(t.seconds(since: $0), 1e-3) } ?? independent
    let repetition = max(1, independent / elapsed)
    admit(h - state[Self.altitude], sigma: sigma, after: min(elapsed, independent))
    measure(
      Self.ofAltitude, h - state[Self.altitude], sigma.squared * (isReferenced ? repetition : 1))
    lastFix = t
    isReferenced = true
  }

  /// Opens altitude and climb again where several fixes in a row contradict them: then the
  /// acceleration or the pressure is wrong.
  private mutating func admit(_ innovation: Double, sigma: Double, after seconds: Double) {
    guard isReferenced else { return }
    let usual = covariance[Self.altitude, Self.altitude] + sigma.squared
    guard innovation.squared > parameters.fixGate.squared * usual else {
      straySeconds = 0
      return
    }
    straySeconds += min(seconds, 1)
    guard straySeconds >= parameters.longestStray else { return }
    straySeconds = 0
    covariance.grow(Self.altitude, by: innovation.squared)
    covariance.grow(Self.offset, by: innovation.squared)
    covariance.grow(Self.climb, by: 4)
  }

  /// Processes a measured acceleration. It takes effect with the next pressure or fix, in an outage
  /// each second.
  /// - Parameters:
  ///   - a: The vertical acceleration without gravity, m/s², up.
  ///   - magnitude: The magnitude of the acceleration vector without gravity, m/s².
  ///   - t: The time of the sample.
  public mutating func update(
    upwardAcceleration a: Double, of magnitude: Double, at t: Timestamp
  ) {
    guard let timestamp, a.isFinite, magnitude.isFinite else { return }
    lift.add(a, magnitude, at: t, since: timestamp)
    if isOutage(at: t), lift.seconds >= Self.outageStep { advance(to: t) }
  }

  /// Longest step in an outage, s.
  private static var outageStep: Double { 1 }

  private func isOutage(at t: Timestamp) -> Bool {
    references.isBroken(at: t, after: parameters.briefOutage)
  }

  /// Records a pressure, fix or reference that was processed.
  private mutating func record(_ t: Timestamp) {
    references.add(t)
    recentClimb.add(
      square: state[Self.climb].squared + max(covariance[Self.climb, Self.climb], 0), at: t)
  }

  /// Longest time over which steps are made, s: after it only the uncertainty is left.
  private static var longestCarry: Double { 300 }

  /// A copy of the filter propagated to a later time without a measurement.
  public func carried(to t: Timestamp) -> AltitudeFilter {
    var copy = self
    if timestamp != nil { copy.advance(to: t) }
    return copy
  }

  /// The time of the newest pressure, fix or reference.
  public var newest: Timestamp? { references.newest }

  private mutating func advance(to t: Timestamp) {
    let p = parameters
    guard let last = timestamp else {
      timestamp = t
      // Covers any place on earth, vertical speeds of a lift, and any weather.
      var variance = ErrorVector.zero
      (variance[Self.altitude], variance[Self.climb]) = (1e7, 4)
      variance[Self.offset] = 1e7
      (variance[Self.scale], variance[Self.suction]) = (
        p.scaleSigma.squared, p.suctionSigma.squared
      )
      variance[Self.bias] = p.accelerationBias.squared
      covariance = ErrorCovariance(diagonal: variance, count: Self.count)
      return
    }
    guard t > last else { return }
    if lift.covers(t.seconds(since: last)) {
      step(to: t, by: lift)
    } else {
      var reached = last
      let isStepped = isOutage(at: t) && t.seconds(since: last) < Self.longestCarry
      while reached < t {
        reached = min(t, isStepped ? reached.advanced(bySeconds: Self.outageStep) : t)
        step(to: reached, by: nil)
      }
    }
    lift = LiftSum()
  }

  /// Propagates over a step, with the measured acceleration where there is one.
  private mutating func step(to t: Timestamp, by lift: LiftSum?) {
    guard let last = timestamp else { return }
    let (p, dt) = (parameters, t.seconds(since: last))
    timestamp = t
    let (h, v, b) = (Self.altitude, Self.climb, Self.bias)
    state[h] += state[v] * dt
    covariance.add(v, to: h, times: dt)
    var q = p.accelerationNoise.squared
    if let lift {
      state[h] += lift.metres - state[b] * dt * dt / 2
      state[v] += lift.metresPerSecond - state[b] * dt
      covariance.add(b, to: h, times: -dt * dt / 2)
      covariance.add(b, to: v, times: -dt)
      covariance[b, b] += p.accelerationBiasDrift.squared * dt
      let share = p.measuredNoiseShare.squared * lift.squaredMagnitude / lift.seconds
      q = min(q, p.measuredNoise.squared + share)
    }
    // White acceleration integrated once and twice.
    covariance[h, h] += q * dt * dt * dt / 3
    covariance[h, v] += q * dt * dt / 2
    covariance[v, h] += q * dt * dt / 2
    covariance[v, v] += q * dt
    if hasPressure { covariance[Self.offset, Self.offset] += p.offsetDrift.squared * dt }
    if isOutage(at: t) {
      let usual = recentClimb.meanSquare(orAtLeast: p.leastRecentClimb)
      measure(Self.ofClimb, -state[v], usual * p.recentClimbTime / dt)
    }
  }

  private static var ofAltitude: ErrorVector { ErrorVector(mask: altitude..<altitude + 1) }
  private static var ofClimb: ErrorVector { ErrorVector(mask: climb..<climb + 1) }

  private mutating func measure(_ row: ErrorVector, _ innovation: Double, _ variance: Double) {
    let g = covariance.column(row)
    let s = row.dot(g) + variance
    let gain = g * (1 / s)
    state.add(gain, times: innovation)
    covariance.update(gain: gain, covariance: g, variance: s)
  }
}

/// The integral of a vertical acceleration.
private struct LiftSum: Sendable {
  /// The change of the height and of the vertical speed, upwards.
  var (metres, metresPerSecond) = (0.0, 0.0)
  /// The integral of the squared magnitude of the whole acceleration, m²/s³.
  var squaredMagnitude = 0.0
  /// The time that the samples cover, and the longest interval between two, s.
  var (seconds, longest) = (0.0, 0.0)

  /// Longest interval over which an acceleration is taken as constant, s.
  private static let longestInterval = 0.1

  mutating func add(_ a: Double, _ magnitude: Double, at t: Timestamp, since begin: Timestamp) {
    let dt = t.seconds(since: begin) - seconds
    guard dt > 0 else { return }
    metres += metresPerSecond * dt + a * dt * dt / 2
    metresPerSecond += a * dt
    squaredMagnitude += magnitude * magnitude * dt
    seconds += dt
    longest = max(longest, dt)
  }

  /// Whether the samples cover an interval, but for a sample at its end.
  func covers(_ interval: Double) -> Bool {
    seconds > 0 && longest <= Self.longestInterval
      && abs(interval - seconds) <= Self.longestInterval / 2
  }
}
