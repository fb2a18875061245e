import Quantities
import RealModule

/// Attitude from the available sensors. The estimator switches between two filters and reports
/// which sensors it uses (`AttitudeMode`).
///
/// With a gyroscope and an accelerometer the `StrapdownFilter` is active; it also works without the
/// magnetometer. The `TiltCompensatedCompass` is active without a gyroscope, or while a gyroscope
/// has come back and level is not found yet. A sensor without samples for longer than
/// `sensorTimeout` counts as absent. When the filter changes, the heading continues from the old
/// filter's value and converges to the new one with the time constant `handoverTime`. Meanwhile the
/// stated accuracy includes the difference.
///
/// The estimator is a large value. A call of a nonmutating function copies it, so those that are
/// called for each sample are inlined, here and in `StrapdownFilter`.
public struct AttitudeEstimator: AttitudeFilter, Sendable {
  /// Time without samples after which a sensor counts as absent, s.
  public var sensorTimeout = 2.0
  /// Time constant of the heading transition from one filter to the other, s. Small: a step; large:
  /// the old filter's error lasts.
  public var handoverTime = 2.0

  private(set) var strapdown: StrapdownFilter
  private var compass = TiltCompensatedCompass()
  private var gravity = GravityTiltCheck()
  private var lastRate: Timestamp?
  private var lastInertial: Timestamp?
  private var lastForce: SIMD3<Double>?
  private var lastForceTimestamp: Timestamp?
  private var lastField: Timestamp?
  private var newest: Timestamp?
  private var isStrapdownActive = false
  /// True if the compass was active while there was no gyroscope: it stays active until level is
  /// found.
  private var isCompassRetained = false
  /// Added to the active filter's heading, rad.
  private var offset = 0.0
  /// Remaining time for which corrections of the strapdown filter's heading are smoothed, s.
  private var smoothingSeconds = 0.0
  /// When samples resumed after a gap of all sensors: there is no heading to continue from.
  private var resumed: Timestamp?
  /// The attitude of the active filter at the newest sample.
  public private(set) var solution: AttitudeSolution?

  /// Longest time between a force and a rate that are combined, s.
  private static var pairing: Double { 0.1 }

  /// Makes an estimator without an attitude.
  /// - Parameters:
  ///   - parameters: The tuning parameters of the strapdown filter.
  ///   - fullScale: The full-scale values of the sensors; nil: detected from the data.
  ///   - mounting: The rotation from sensor axes, along which the limits apply, to body axes.
  public init(
    parameters: StrapdownFilter.Parameters = StrapdownFilter.Parameters(),
    fullScale: SensorFullScale = SensorFullScale(),
    mounting: Rotation<SensorFrame, BodyFrame>? = nil
  ) {
    strapdown = StrapdownFilter(parameters: parameters, fullScale: fullScale, mounting: mounting)
  }

  /// Processes an inertial sample with rate, force or both. A sample older than the last is
  /// ignored.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    let now = sample.timestamp
    if let lastInertial, now < lastInertial { return }
    lastInertial = now
    var whole = sample
    if let force = sample.specificForce?.components {
      (lastForce, lastForceTimestamp) = (force, now)
    } else if sample.angularRate != nil, let force = lastForce, let at = lastForceTimestamp,
      now.seconds(since: at) <= Self.pairing
    {
      // Gyroscope and accelerometer may report alternately.
      whole.specificForce = SpecificForce(metresPerSecondSquared: force)
    }
    if let w = whole.angularRate?.components, let f = whole.specificForce?.components,
      StrapdownFilter.isPlausible(rate: w, force: f)
    {
      // If the strapdown filter was still active this is a gap, which the filter handles itself.
      if isSilent(lastRate, at: now), !isStrapdownActive {
        strapdown.resume(from: compass.solution)
        isCompassRetained = compass.solution != nil
      }
      let before = strapdown.timestamp
      lastRate = now
      strapdown.update(whole)
      if let before {
        compareWithGravity(force: f, rate: w, seconds: now.seconds(since: before), at: now)
      }
    }
    if isCompassNeeded(at: now) { compass.update(sample) }
    updateSolution(at: now)
  }

  private mutating func compareWithGravity(
    force f: SIMD3<Double>, rate w: SIMD3<Double>, seconds dt: Double, at now: Timestamp
  ) {
    guard strapdown.alignment.isLevelFound, strapdown.isForceSound else {
      gravity.interrupt()
      return
    }
    let force = strapdown.acceleration - SIMD3(0, 0, StrapdownFilter.gravity)
    let verdict = gravity.add(
      force, bodyForce: f, rate: w, bias: strapdown.bias, seconds: dt, at: now)
    if let verdict { strapdown.level(by: verdict) }
  }

  /// Processes a field sample. A sample older than the last is ignored.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let now = sample.timestamp
    if let lastField, now < lastField { return }
    if lastRate != nil { strapdown.update(sample) }
    if isCompassNeeded(at: now) { compass.update(sample) }
    lastField = now
    updateSolution(at: now)
  }

  /// Records a receiver's speed, m/s: it bounds what a vehicle's motion explains where gravity
  /// contradicts the tilt. It changes nothing else of the attitude.
  public mutating func record(speedMetresPerSecond speed: Double, at t: Timestamp) {
    gravity.record(speed: speed, at: t)
  }

  /// The rate of turn about the body's axes without the estimated bias, rad/s.
  public var turnRate: SIMD3<Double> { strapdown.turning(strapdown.rate, bias: strapdown.bias) }

  /// The direction up along the body's axes by the strapdown filter; nil while it is not active.
  public var up: SIMD3<Double>? {
    isStrapdownActive ? strapdown.attitude.map { -Matrix3($0).r2 } : nil
  }

  /// True while an axis of the accelerometer is at its limit: its force is not the body's.
  public var isForceAtLimit: Bool { strapdown.isForceAtLimit }

  /// Corrects the tilt by a measured elevation of a body axis, rad, while the strapdown filter is
  /// active.
  mutating func correctTilt(along axis: SIMD3<Double>, elevation: Double, variance: Double) {
    guard isStrapdownActive else { return }
    strapdown.correctTilt(along: axis, elevation: elevation, variance: variance)
  }

  /// The estimated gyroscope bias, body frame.
  public var gyroscopeBias: AngularRate<BodyFrame> { strapdown.gyroscopeBias }

  /// Its error, one sigma on each axis, rad/s.
  public var gyroscopeBiasSigma: SIMD3<Double> { strapdown.gyroscopeBiasSigma }

  /// True while the body lies still.
  public var isAtRest: Bool { strapdown.isAtRest }

  /// The estimated iron that is not in the calibration, body frame.
  public var learntIron: MagneticField<BodyFrame> { strapdown.iron }

  /// Switches to field samples from another calibration.
  /// - Parameters:
  ///   - turn: The change of the field's direction by the calibration, about the vertical; nil if
  ///     there was no usable field before, and north has to be found again.
  ///   - earth: The earth's field according to the calibration.
  ///   - ironSigma: Iron that the calibration may not have removed, one sigma, microtesla.
  public mutating func recalibrate(
    turningFieldBy turn: Angle?, earth: EarthField, ironSigma: Double = 0
  ) {
    strapdown.recalibrate(
      turningFieldBy: turn?.radians, earth: earth, ironSigma: ironSigma)
    compass = TiltCompensatedCompass()
    // The previous heading depends on the old calibration and must not be continued.
    (offset, smoothingSeconds) = (0, 0)
  }

  @inline(__always)
  private var activeSolution: AttitudeSolution? {
    guard var s = isStrapdownActive ? strapdown.solution : compass.solution else { return nil }
    s.mode = mode
    if !s.isLevelKnown, wasTilted { s.headingAccuracy = Angle(radians: .pi) }
    s.tiltContradiction =
      newest.flatMap { gravity.contradiction(at: $0) }.map { Angle(radians: $0) }
    if offset != 0 {
      let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
        rotationVector: SIMD3(0, 0, offset))
      s.attitude = turn * s.attitude
      s.acceleration = s.acceleration.map { turn.rotate($0) }
      s.headingAccuracy = s.headingAccuracy.map {
        Angle(radians: min(.pi, $0.radians + abs(offset)))
      }
    }
    return s
  }

  /// Whether the body was far from level when gravity was last known: then no level is assumed.
  private var wasTilted: Bool {
    strapdown.attitude.map { Matrix3($0).r2.z < Self.levelCosine } ?? false
  }

  /// The cosine of 30 degrees.
  private static var levelCosine: Double { 0.866 }

  @inline(__always)
  private var mode: AttitudeMode {
    guard let newest else { return .none }
    let hasField = lastField.map { newest.seconds(since: $0) <= sensorTimeout } ?? false
    if isStrapdownActive {
      return hasField && !strapdown.sensor.isUnusable ? .nineAxis : .gyroscopeAndAccelerometer
    }
    guard let s = compass.solution else { return .none }
    return !s.isHeadingKnown
      ? .accelerometer : s.isLevelKnown ? .accelerometerAndMagnetometer : .magnetometer
  }

  // MARK: Switching filters

  @inline(__always)
  private var isStrapdownReady: Bool {
    guard let lastRate, let newest, strapdown.attitude != nil else { return false }
    let isSettled = !isCompassRetained || strapdown.alignment.isLevelFound
    return isSettled && newest.seconds(since: lastRate) <= sensorTimeout
  }

  /// While the strapdown filter is active, the compass runs only if it may be needed soon.
  @inline(__always)
  private func isCompassNeeded(at now: Timestamp) -> Bool {
    guard isStrapdownReady, let lastRate else { return true }
    return now.seconds(since: lastRate) > sensorTimeout / 4
  }

  @inline(__always)
  private func isSilent(_ last: Timestamp?, at now: Timestamp) -> Bool {
    last.map { now.seconds(since: $0) > sensorTimeout } ?? false
  }

  /// Switches the active filter if necessary and updates the solution.
  private mutating func updateSolution(at now: Timestamp) {
    let dt = newest.map { max(0, now.seconds(since: $0)) } ?? 0
    if dt > sensorTimeout { resumed = now }
    newest = max(newest ?? now, now)
    offset *= Double.exp(-dt / handoverTime)
    smoothingSeconds = max(0, smoothingSeconds - dt)
    // Corrections by a field that has come back are smoothed.
    let corrected = strapdown.resetHeadingCorrection()
    if smoothingSeconds > 0, isStrapdownActive { offset = wrapped(offset - corrected) }
    // Below a thousandth of a degree the transition has ended.
    if abs(offset) < 2e-5 { offset = 0 }
    let wasActive = isStrapdownActive
    let isReady = isStrapdownReady
    if isReady != wasActive, (isReady ? strapdown.solution : compass.solution) != nil {
      isStrapdownActive = isReady
    }
    continueHeading(
      from: solution, hasChangedFilter: isStrapdownActive != wasActive, corrected: corrected)
    solution = activeSolution
  }

  /// Continues from the previous heading after a change of filter or mode.
  private mutating func continueHeading(
    from before: AttitudeSolution?, hasChangedFilter: Bool, corrected: Double
  ) {
    let mode = mode
    if let resumed, let newest, newest.seconds(since: resumed) <= sensorTimeout {
      (offset, smoothingSeconds) = (0, 0)
      return
    }
    guard let before, before.isHeadingKnown, before.mode != mode else { return }
    if hasChangedFilter || !isStrapdownActive {
      guard let after = activeSolution, after.isHeadingKnown else {
        offset = 0
        return
      }
      // The difference about the vertical; independent of the body axes.
      let difference = before.attitude * after.attitude.inverse
      offset = wrapped(offset + 2 * Double.atan2(y: difference.v.z, x: difference.w))
    } else if mode == .nineAxis, smoothingSeconds == 0 {
      offset = wrapped(offset - corrected)
    }
    if mode == .nineAxis { smoothingSeconds = handoverTime }
  }

  @inline(__always)
  private func wrapped(_ angle: Double) -> Double {
    Angle(radians: angle).wrappedToHalfTurn.radians
  }
}

extension AttitudeEstimator {
  /// Reads or writes all state that affects the next estimate.
  mutating func code(_ c: inout StateCoder) {
    strapdown.code(&c)
    compass.code(&c)
    gravity.code(&c)
    c.code(&lastRate)
    c.code(&lastInertial)
    c.code(&lastForce)
    c.code(&lastForceTimestamp)
    c.code(&lastField)
    c.code(&newest)
    c.code(&isStrapdownActive)
    c.code(&isCompassRetained)
    c.code(&offset)
    c.code(&smoothingSeconds)
    c.code(&resumed)
  }

  /// The whole state, for `restore` with the same parameters. The results are identical to the bit.
  public func saved() -> [UInt64] {
    var copy = self
    var coder = StateCoder()
    copy.code(&coder)
    return coder.words
  }

  /// Restores a saved state.
  /// - Parameter words: The result of `saved()`.
  /// - Returns: False, without any change, if the words are not a state of this version's
  ///   estimator.
  public mutating func restore(_ words: [UInt64]) -> Bool {
    var copy = self
    var coder = StateCoder(reading: words)
    copy.code(&coder)
    guard coder.isComplete else { return false }
    copy.solution = copy.activeSolution
    self = copy
    return true
  }
}
