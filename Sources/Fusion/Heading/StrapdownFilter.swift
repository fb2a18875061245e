import Quantities
import RealModule

/// Attitude and magnetic heading from gyroscope, accelerometer and magnetometer.
///
/// Model. The gyroscope carries the attitude; nine errors are estimated beside it (error-state Kalman
/// filter, earth frame): attitude, gyroscope bias, velocity.
/// - Level: a body does not gain speed for ever. Velocity integrated from specific force and gravity is
///   measured to be zero with a wide variance; what it drifts by tells the tilt. Unlike a low-passed
///   accelerometer this knows how long an acceleration lasted. Gravity never touches heading.
/// - Heading: the field's horizontal direction, weighted by how far its strength and dip are from those
///   known here (`FieldReference`). Iron nearby never tilts the horizon. The weight never reaches zero,
///   and an innovation that persists in a clean field opens the heading again, so that no wrong start
///   and no disturbance is for ever.
/// - Bias: learnt at rest (`RestDetector`) and, slowly, from what level and heading need.
/// - Latency of the magnetometer after the gyroscope: learnt from motion (`FieldLatency`).
/// Time comes from timestamps alone. Corrections are made every `correctionInterval`, prediction at
/// every sample; nothing is allocated.
///
/// Source of the idea of the velocity measurement: the project's own measurements on BROAD
/// (doi 10.3390/data6070072), where it follows fast motion better than a low-passed accelerometer.
public struct StrapdownFilter: AttitudeFilter, Sendable {
  /// What the filter can be tuned by.
  public var parameters: Parameters

  var attitude: Rotation<BodyFrame, MagneticEarthFrame>?
  var isHeadingKnown = false
  var isLevelSettled = false
  var bias = SIMD3<Double>.zero
  var velocity = SIMD3<Double>.zero
  var errors: ErrorCovariance
  var rest = RestDetector()
  var reference = FieldReference()
  var latency = FieldLatency()
  var interval = CorrectionInterval()

  var timestamp: Timestamp?
  var fieldTimestamp: Timestamp?
  var rate = SIMD3<Double>.zero
  var waitingField: SIMD3<Double>?
  var fieldTurn = FieldTurn()
  var isBiasLearnt = false
  var contradictionSeconds = 0.0
  var turnRate = 0.0
  var meanInnovation = 0.0
  var secondsSinceDisturbance = Double.infinity

  /// Makes a filter that knows nothing yet.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    errors = Self.initialErrors(parameters)
  }

  /// The magnetometer's latency after the gyroscope as learnt so far, seconds.
  public var fieldLatencySeconds: Double { latency.seconds }

  /// The gyroscope's bias as learnt so far, body frame.
  public var gyroscopeBias: AngularRate<BodyFrame> { AngularRate(radiansPerSecond: bias) }

  /// True while the body lies still.
  public var isAtRest: Bool { rest.isAtRest }

  /// True while the field's strength and dip are far from those known here.
  var isDisturbed: Bool { reference.varianceFactor > parameters.disturbedFactor }

  // MARK: Steps

  /// Carries the attitude to the sample's instant. A sample without rate or force is passed over.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let w = sample.angularRate?.components, let f = sample.specificForce?.components,
      w.isFinite, f.isFinite
    else { return }
    guard let last = timestamp, let current = attitude else {
      start(w, f, sample.timestamp)
      return
    }
    let dt = sample.timestamp.seconds(since: last)
    guard dt > 0 else { return }
    timestamp = sample.timestamp
    rest.update(rate: w, force: f, seconds: dt)
    predict(current, w, f, min(dt, parameters.longestStep))
    if dt > parameters.longestStep { bridge(gap: dt) }
    if interval.seconds >= parameters.correctionInterval { correct() }
  }

  /// Draws the heading towards the field's north.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let m = sample.field.components
    guard m.isFinite, m.lengthSquared > 1 else { return }
    guard let attitude, let timestamp, isHeadingKnown else {
      waitingField = m
      orientHeading()
      fieldTimestamp = sample.timestamp
      return
    }
    let elapsed = fieldTimestamp.map { sample.timestamp.seconds(since: $0) } ?? 0
    fieldTimestamp = sample.timestamp
    let dt = min(max(elapsed, 0), parameters.longestStep)
    fieldTurn.update(m, seconds: dt)
    let w = rate - bias
    // A chip that averages for long tells an older field than the newest attitude.
    let known = min(max(timestamp.seconds(since: sample.timestamp), 0), parameters.oldestField)
    let z = attitude.rotate(latency.advance(m, rate: w, known: known))
    reference.update(earthField: z, seconds: dt)
    interval.add(field: z, turning: attitude.rotate(w.cross(m)), seconds: dt)
  }

  /// The attitude at the newest sample; nil before the first usable one.
  public var solution: AttitudeSolution? {
    guard let attitude, let timestamp else { return nil }
    let disturbance: DisturbanceState? =
      !isHeadingKnown
      ? nil
      : isDisturbed
        ? .disturbed
        : secondsSinceDisturbance < parameters.recoveryTime ? .recovering : .clean
    let local = parameters.localFieldSigma * (isDisturbed ? 3 : 1)
    return AttitudeSolution(
      timestamp: timestamp, attitude: attitude, isHeadingKnown: isHeadingKnown, isLevelKnown: true,
      headingAccuracy: isHeadingKnown
        ? Angle(radians: min(.pi, 2 * (errors.headingVariance + local * local).squareRoot())) : nil,
      rateOfTurn: AngularSpeed(radiansPerSecond: turnRate), disturbance: disturbance)
  }

  // MARK: Start

  private mutating func start(_ w: SIMD3<Double>, _ f: SIMD3<Double>, _ at: Timestamp) {
    // In free fall or with a dead accelerometer there is no down to start from.
    guard f.length > 0.3 * Self.gravity,
      let level = Rotation<BodyFrame, MagneticEarthFrame>(from: f, to: SIMD3(0, 0, -1))
    else { return }
    attitude = level
    (timestamp, rate) = (at, w)
    rest.update(rate: w, force: f, seconds: 0)
    // A push of any size hides in the specific force; its length tells at least how much.
    let pushed = Double.acos(min(1, Self.gravity / f.length))
    let tilt = max(parameters.initialTiltSigma, 2 * pushed)
    errors.grow(attitude: SIMD3(tilt * tilt, tilt * tilt, 0), bias: 0, velocity: 0)
    orientHeading()
  }

  // MARK: Prediction

  private mutating func predict(
    _ current: Rotation<BodyFrame, MagneticEarthFrame>, _ w: SIMD3<Double>, _ f: SIMD3<Double>,
    _ dt: Double
  ) {
    let turned = w - bias
    var next =
      current * Rotation<BodyFrame, BodyFrame>(rotationVector: turned * dt)
    next.renormalize()
    let matrix = Matrix3(next)
    let force = matrix * f
    velocity += (force + SIMD3(0, 0, Self.gravity)) * dt
    let gain = dt / (dt + parameters.turnRateTime)
    turnRate += ((matrix * turned).z - turnRate) * gain
    interval.add(
      rotation: matrix, force: force, speedOfRotation: turned.length,
      jerk: dt > parameters.coarseStep ? (w - rate).length * dt / 2 : 0, seconds: dt)
    attitude = next
    rate = w
  }

  /// After a gap nobody knows how far the body turned meanwhile.
  private mutating func bridge(gap: Double) {
    let unknown = min(gap * parameters.gapRate, .pi)
    errors.grow(attitude: SIMD3(repeating: unknown * unknown), bias: 0, velocity: 0)
    velocity = .zero
  }

  // MARK: Correction

  private mutating func correct() {
    let t = interval.seconds
    errors.propagate(turned: interval.turned, pushed: interval.pushed)
    let p = parameters
    let angular =
      p.rateNoise * p.rateNoise * t
      + p.rateScaleNoise * p.rateScaleNoise * interval.rotationSquared
      + interval.jerkSquared
    errors.grow(
      attitude: SIMD3(repeating: angular), bias: p.biasDrift * p.biasDrift * t,
      velocity: p.forceNoise * p.forceNoise * t)
    let still = rest.isAtRest
    let sigma = still ? p.restVelocityNoise : p.velocityNoise
    if let c = errors.updateVelocity(
      innovation: -velocity, variance: sigma * sigma / t, touchesBias: isLevelSettled)
    {
      inject(c)
    }
    if still, isBias(rest.rate, seconds: t),
      let c = errors.updateBias(
        innovation: rest.rate - bias, variance: p.restRateNoise * p.restRateNoise / t)
    {
      inject(c)
    }
    if !isHeadingKnown { settleLevel() }
    if isHeadingKnown, let z = interval.meanField, let turning = interval.meanTurning {
      if isLevelSettled {
        correctHeading(z, turning, interval.fieldSeconds)
      } else {
        realign(z)
      }
    }
    interval.clear()
  }

  mutating func inject(_ c: ErrorCovariance.Correction) {
    guard let current = attitude else { return }
    attitude =
      Rotation<MagneticEarthFrame, MagneticEarthFrame>(rotationVector: c.attitude) * current
    bias += c.bias
    velocity += c.velocity
  }

  private static func initialErrors(_ p: Parameters) -> ErrorCovariance {
    ErrorCovariance(
      attitude: SIMD3(0, 0, p.initialHeadingSigma),
      bias: p.initialBiasSigma, velocity: p.initialVelocitySigma)
  }

  /// Standard gravity, m/s²: its local value differs by 0.3 %, which only scales a vertical velocity.
  static var gravity: Double { 9.806_65 }
}
