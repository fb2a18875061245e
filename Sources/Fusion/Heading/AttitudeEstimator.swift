import Quantities
import RealModule

/// Attitude by what is there, changing from one way to the other by itself (`AttitudeMode`).
///
/// With a gyroscope and an accelerometer the `StrapdownFilter` speaks, which also bears the loss of the
/// magnetometer; without a gyroscope, or while one that has come back is still finding level, the
/// `TiltCompensatedCompass`. A sensor that falls silent for longer than `patience` is gone. When another
/// filter takes over, heading goes on from where it was and runs to the new one's in `handoverTime`;
/// meanwhile the accuracy says by how much they differ.
public struct AttitudeEstimator: AttitudeFilter, Sendable {
  /// How long a sensor may be silent before the estimator does without it, s.
  public var patience = 2.0
  /// Time constant in which heading goes over from one filter to the other, s. Small: a step; large: the
  /// old filter's error lasts.
  public var handoverTime = 2.0

  private(set) var strapdown: StrapdownFilter
  private var compass = TiltCompensatedCompass()
  private var lastRate: Timestamp?
  private var lastInertial: Timestamp?
  private var lastForce: SIMD3<Double>?
  private var lastForceTimestamp: Timestamp?
  private var lastField: Timestamp?
  private var newest: Timestamp?
  private var isStrapdownSpeaking = false
  /// True where the compass has answered while there was no gyroscope: it goes on until level is found.
  private var isCompassKept = false
  /// What is added to the speaking filter's heading, rad.
  private var offset = 0.0
  /// For how long corrections of the strapdown filter's heading are eased in, s.
  private var easing = 0.0
  /// When samples came again after every sensor had been silent: there is no heading to go on from.
  private var resumed: Timestamp?
  /// The attitude by the filter that speaks, at the newest sample.
  public private(set) var solution: AttitudeSolution?

  /// A force and a rate so far apart in time are still of one motion, s.
  private static var pairing: Double { 0.1 }

  /// Makes an estimator that knows nothing yet.
  /// - Parameters:
  ///   - parameters: The strapdown filter's tuning.
  ///   - fullScale: What the sensors show at their limits; nil: it is found in the data.
  ///   - mounting: How the sensors' axes, along which they have limits, lie in the body.
  public init(
    parameters: StrapdownFilter.Parameters = StrapdownFilter.Parameters(),
    fullScale: SensorFullScale = SensorFullScale(),
    mounting: Rotation<SensorFrame, BodyFrame>? = nil
  ) {
    strapdown = StrapdownFilter(parameters: parameters, fullScale: fullScale, mounting: mounting)
  }

  /// Takes in an inertial sample of any completeness; one that is older than the last is passed over.
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
      // Gyroscope and accelerometer may speak in turns.
      whole.specificForce = SpecificForce(metresPerSecondSquared: force)
    }
    if let w = whole.angularRate?.components, let f = whole.specificForce?.components,
      StrapdownFilter.isPlausible(rate: w, force: f)
    {
      // Where nobody spoke meanwhile it is a gap, which the filter bears itself.
      if isSilent(lastRate, at: now), !isStrapdownSpeaking {
        strapdown.resume(from: compass.solution)
        isCompassKept = compass.solution != nil
      }
      lastRate = now
      strapdown.update(whole)
    }
    if isCompassWanted(at: now) { compass.update(sample) }
    settle(at: now)
  }

  /// Takes in a field sample; one that is older than the last is passed over.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let now = sample.timestamp
    if let lastField, now < lastField { return }
    if lastRate != nil { strapdown.update(sample) }
    if isCompassWanted(at: now) { compass.update(sample) }
    lastField = now
    settle(at: now)
  }

  /// Iron beyond the calibration that was learnt so far, body frame.
  public var learntIron: MagneticField<BodyFrame> { strapdown.iron }

  /// Tells that field samples come through another calibration from now on.
  /// - Parameters:
  ///   - turn: By how much the field's direction has moved with it, about the vertical; nil where the field
  ///     said nothing before, and north is to be found anew.
  ///   - earth: The earth's field as the calibration gives it.
  ///   - ironSigma: What iron the calibration may have left, one sigma, microtesla.
  public mutating func recalibrate(
    turningFieldBy turn: Angle?, earth: EarthField, ironSigma: Double = 0
  ) {
    strapdown.recalibrate(
      turningFieldBy: turn?.radians, earth: earth, ironSigma: ironSigma)
    compass = TiltCompensatedCompass()
    // The heading before rests on the old calibration: nothing of it is to be handed over.
    (offset, easing) = (0, 0)
  }

  private var believed: AttitudeSolution? {
    guard var s = isStrapdownSpeaking ? strapdown.solution : compass.solution else { return nil }
    s.mode = mode
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

  private var mode: AttitudeMode {
    guard let newest else { return .none }
    let hasField = lastField.map { newest.seconds(since: $0) <= patience } ?? false
    if isStrapdownSpeaking {
      return hasField && !strapdown.sensor.isUnusable ? .nineAxis : .gyroscopeAndAccelerometer
    }
    guard let s = compass.solution else { return .none }
    return !s.isHeadingKnown
      ? .accelerometer : s.isLevelKnown ? .accelerometerAndMagnetometer : .magnetometer
  }

  // MARK: Handing over

  private var isStrapdownReady: Bool {
    guard let lastRate, let newest, strapdown.attitude != nil else { return false }
    let isSettled = !isCompassKept || strapdown.alignment.isLevelFound
    return isSettled && newest.seconds(since: lastRate) <= patience
  }

  /// While the strapdown filter speaks the compass only needs to be near when it may be wanted.
  private func isCompassWanted(at now: Timestamp) -> Bool {
    guard isStrapdownReady, let lastRate else { return true }
    return now.seconds(since: lastRate) > patience / 4
  }

  private func isSilent(_ last: Timestamp?, at now: Timestamp) -> Bool {
    last.map { now.seconds(since: $0) > patience } ?? false
  }

  /// Lets the other filter speak where it is time.
  private mutating func settle(at now: Timestamp) {
    let dt = newest.map { max(0, now.seconds(since: $0)) } ?? 0
    if dt > patience { resumed = now }
    newest = max(newest ?? now, now)
    offset *= Double.exp(-dt / handoverTime)
    easing = max(0, easing - dt)
    // What a field that has come back corrects at once is shown little by little.
    let corrected = strapdown.takeHeadingCorrection()
    if easing > 0, isStrapdownSpeaking { offset = wrapped(offset - corrected) }
    // Below a thousandth of a degree nothing is left to hand over.
    if abs(offset) < 2e-5 { offset = 0 }
    let wasSpeaking = isStrapdownSpeaking
    let isReady = isStrapdownReady
    if isReady != wasSpeaking, (isReady ? strapdown.solution : compass.solution) != nil {
      isStrapdownSpeaking = isReady
    }
    goOn(from: solution, hasChangedFilter: isStrapdownSpeaking != wasSpeaking, corrected: corrected)
    solution = believed
  }

  /// Goes on from the heading that was told before where the way of telling it has changed.
  private mutating func goOn(
    from before: AttitudeSolution?, hasChangedFilter: Bool, corrected: Double
  ) {
    let mode = mode
    if let resumed, let newest, newest.seconds(since: resumed) <= patience {
      (offset, easing) = (0, 0)
      return
    }
    guard let before, before.isHeadingKnown, before.mode != mode else { return }
    if hasChangedFilter || !isStrapdownSpeaking {
      guard let after = believed, after.isHeadingKnown else {
        offset = 0
        return
      }
      // About the vertical, for any body axis alike.
      let apart = before.attitude * after.attitude.inverse
      offset = wrapped(offset + 2 * Double.atan2(y: apart.v.z, x: apart.w))
    } else if mode == .nineAxis, easing == 0 {
      offset = wrapped(offset - corrected)
    }
    if mode == .nineAxis { easing = handoverTime }
  }

  private func wrapped(_ angle: Double) -> Double {
    Angle(radians: angle).wrappedToHalfTurn.radians
  }
}

extension AttitudeEstimator {
  /// Takes in or gives out all that makes the next estimate.
  mutating func code(_ c: inout StateCoder) {
    strapdown.code(&c)
    compass.code(&c)
    c.code(&lastRate)
    c.code(&lastInertial)
    c.code(&lastForce)
    c.code(&lastForceTimestamp)
    c.code(&lastField)
    c.code(&newest)
    c.code(&isStrapdownSpeaking)
    c.code(&isCompassKept)
    c.code(&offset)
    c.code(&easing)
    c.code(&resumed)
  }

  /// All that the estimator knows, to go on later bit for bit: with the same parameters.
  public func saved() -> [UInt64] {
    var copy = self
    var coder = StateCoder()
    copy.code(&coder)
    return coder.words
  }

  /// Goes on from what was saved.
  /// - Parameter words: What `saved()` gave.
  /// - Returns: False, and nothing is changed, where it is not the state of this version's estimator.
  public mutating func restore(_ words: [UInt64]) -> Bool {
    var copy = self
    var coder = StateCoder(reading: words)
    copy.code(&coder)
    guard coder.isComplete else { return false }
    copy.solution = copy.believed
    self = copy
    return true
  }
}
