import Quantities
import RealModule

/// Attitude and magnetic heading from gyroscope, accelerometer and magnetometer.
///
/// Model. The gyroscope propagates the attitude. An error-state Kalman filter estimates 14 errors
/// of it (`ErrorState`): attitude, gyroscope bias and scale, level velocity. Small linear filters
/// explain the measured field (`FieldModel`).
/// - Level: the speed of a body is bounded. Level velocity integrated from specific force is
///   measured to be zero, with a variance that grows with the accelerations. Its drift shows errors
///   of tilt, bias and scale. Vertical velocity is left out: it holds no information on tilt, and
///   an accelerometer at its limit distorts it.
/// - Search: at the start and after a gap, level is the direction of the mean specific force. This
///   works for a tilt error of any size.
/// - Corners: a lasting acceleration may be a tilt. While it lasts, the level correction changes
///   bias and scale little, and the field changes the heading little.
/// - Limits: about an axis at which the gyroscope is at its limit, the attitude variance grows and
///   the attitude follows gravity and field. Bias and scale are not estimated meanwhile.
/// - Field: it corrects heading, bias and scale, never level. Its weight is how well it fits the
///   current explanation. A field that does not fit has little weight. Another explanation, with
///   heading or iron free, replaces the current one when it is much more likely.
/// - Rest: at rest the mean rate is the bias.
/// - Accuracy: the sum of local field distortion, lasting residuals, growth without field
///   corrections, and, until turning has shown the iron, the error that iron could cause.
///
/// Only heading differences enter the equations, so the result does not depend on the azimuth. Time
/// comes from timestamps alone. Prediction runs at every sample, correction every
/// `correctionInterval`. No step allocates memory.
///
/// - Source: the velocity constraint, the latency and the robust weights come from the project's
///   measurements on BROAD (doi 10.3390/data6070072), phones (PerCom 2017) and RepoIMU. A gain
///   restricted to some errors, with Joseph's form, is the consider filter of Schmidt (1966).
public struct StrapdownFilter: AttitudeFilter, Sendable {
  /// The tuning parameters.
  public var parameters: Parameters

  // Estimated state.
  private(set) var attitude: Rotation<BodyFrame, MagneticEarthFrame>?
  private var isHeadingKnown = false
  private(set) var bias = SIMD3<Double>.zero
  private(set) var scale = GyroscopeScale()
  private var velocity = SIMD2<Double>.zero
  private(set) var field = FieldModel()
  private(set) var errors: ErrorCovariance

  // Detectors and monitors.
  private var rest = RestDetector()
  private var rateLimit: SaturationWatch
  private var forceLimit: SaturationWatch
  /// Sensor to body.
  private let sensorAxes: Matrix3
  private var excess = SaturatedRate()
  private var fieldTurn = FieldTurn()
  private var biasConfidence = BiasConfidence()
  private(set) var alignment = Alignment()
  private var monitor = DisturbanceMonitor()
  private var residual = HeadingResidual()
  /// Heading variance at the last field that fitted, rad². Growth since then is dead reckoning.
  private var settledVariance = 0.0
  private(set) var sensor = FieldSensorWatch()
  /// Low-pass of the squared acceleration, m²/s⁴.
  private var motionSquared = 0.0
  /// Low-pass of the horizontal acceleration, m/s².
  private var lastingAcceleration = SIMD2<Double>.zero

  // The newest samples.
  private(set) var timestamp: Timestamp?
  private var fieldTimestamp: Timestamp?
  private(set) var rate = SIMD3<Double>.zero
  private var pendingField: SIMD3<Double>?
  private var interval = CorrectionInterval()
  private var turnRate = 0.0
  private(set) var acceleration = SIMD3<Double>.zero
  /// Sum of heading corrections since `resetHeadingCorrection` was last called, rad.
  private var headingCorrection = 0.0

  /// Makes a filter without an attitude.
  /// - Parameters:
  ///   - parameters: The tuning parameters.
  ///   - fullScale: The full-scale values of the sensors; nil: detected from the data.
  ///   - mounting: The rotation from sensor axes, along which the limits apply, to body axes.
  public init(
    parameters: Parameters = Parameters(), fullScale: SensorFullScale = SensorFullScale(),
    mounting: Rotation<SensorFrame, BodyFrame>? = nil
  ) {
    self.parameters = parameters
    rateLimit = SaturationWatch(
      fullScale: fullScale.radiansPerSecond, least: FullScaleDetector.leastRate)
    forceLimit = SaturationWatch(
      fullScale: fullScale.metresPerSecondSquared, least: FullScaleDetector.leastForce)
    sensorAxes = mounting.map { Matrix3($0) } ?? .identity
    errors = Self.initialErrors(parameters)
  }

  // MARK: Samples

  /// Propagates the attitude to the sample's time. A sample without rate or force is ignored.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let w = sample.angularRate?.components, let f = sample.specificForce?.components,
      Self.isPlausible(rate: w, force: f)
    else { return }
    guard let last = timestamp, let current = attitude else {
      start(w, f, sample.timestamp)
      return
    }
    let dt = sample.timestamp.seconds(since: last)
    guard dt > 0 else { return }
    timestamp = sample.timestamp
    rest.update(rate: w, force: f, seconds: dt)
    // After some time without samples the rotation is unknown.
    if dt > parameters.longestStep { excess = SaturatedRate() }
    predict(current, w, f, dt > parameters.longestBridge ? parameters.coarseStep : dt)
    let toSensor = sensorAxes.transposed
    growAttitudeError(rateLimit.update(toSensor * w, seconds: dt), force: f, seconds: dt)
    growVelocityError(forceLimit.update(toSensor * f, seconds: dt))
    if dt > parameters.longestStep { growErrors(afterGap: dt) }
    if interval.seconds >= parameters.correctionInterval { correct() }
  }

  /// Corrects the heading towards the field's north. A field that is implausibly strong or weak, or
  /// that stays constant while the body turns, is ignored.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let m = sample.field.components
    guard m.isFinite, m.lengthSquared > 1 else { return }
    let elapsed = fieldTimestamp.map { sample.timestamp.seconds(since: $0) } ?? 0
    guard elapsed >= 0 else { return }
    fieldTimestamp = sample.timestamp
    let dt = min(elapsed, parameters.longestStep)
    let w = scale.correct(rate - bias) + sensorAxes * excess.rate
    guard sensor.accepts(m, rate: w, seconds: dt) else { return }
    guard let attitude, let timestamp, isHeadingKnown else {
      pendingField = m
      orientHeading()
      return
    }
    fieldTurn.update(m, seconds: dt)
    if excess.isOn, field.isStarted {
      let earth = field.earth
      let stray = (m.length / max(earth.total, 1) - 1) / 0.1
      let expected = Matrix3(attitude).transposed * SIMD3(earth.horizontal, 0, earth.down)
      follow(m - field.iron, expected: expected, weight: 1 / (1 + stray * stray), seconds: dt)
    }
    // The field of a chip that averages for long is older than the newest attitude; a field read
    // between two inertial samples is newer.
    let most = parameters.oldestField
    let known = min(max(timestamp.seconds(since: sample.timestamp), -most), most)
    let then =
      attitude * Rotation<BodyFrame, BodyFrame>(rotationVector: w * -(field.latency + known))
    let matrix = Matrix3(then)
    interval.field.add(
      matrix * m, turning: matrix * w.cross(m), rotation: matrix, seconds: dt)
  }

  /// True for plausible readings: no component above 100 rad/s or 2000 m/s² (200 g).
  static func isPlausible(rate w: SIMD3<Double>, force f: SIMD3<Double>) -> Bool {
    w.lengthSquared < 1e4 && f.lengthSquared < 4e6
  }

  // MARK: Prediction

  private mutating func predict(
    _ current: Rotation<BodyFrame, MagneticEarthFrame>, _ w: SIMD3<Double>, _ f: SIMD3<Double>,
    _ dt: Double
  ) {
    let p = parameters
    // Where samples are missing, the rate is taken as linear in time.
    let free = (dt > p.coarseStep ? (rate + w) * 0.5 : w) - bias
    let turned = scale.correct(free) + sensorAxes * excess.rate
    var next = current * Rotation<BodyFrame, BodyFrame>(rotationVector: turned * dt)
    next.renormalize()
    let matrix = Matrix3(next)
    // The force was sampled slightly before the rate.
    let force = matrix * (f - turned.cross(f) * p.forceLatency)
    let before = acceleration
    acceleration = force + SIMD3(0, 0, Self.gravity)
    // The same for the force.
    let mean = dt > p.coarseStep ? (before + acceleration) * 0.5 : acceleration
    let level = SIMD2(mean.x, mean.y)
    velocity += level * dt
    lastingAcceleration += (level - lastingAcceleration) * (dt / (dt + p.lastingTime))
    motionSquared +=
      (acceleration.lengthSquared - motionSquared) * (dt / (dt + p.motionTime))
    turnRate += (matrix.r2.dot(turned) - turnRate) * (dt / (dt + p.turnRateTime))
    interval.add(
      rotation: matrix, force: force, rate: free,
      jerk: dt > p.coarseStep ? (w - rate).length * dt / 2 : 0, seconds: dt)
    attitude = next
    rate = w
  }

  /// The rate by which the attitude is propagated for a measured rate and a bias, rad/s.
  func turning(_ measured: SIMD3<Double>, bias: SIMD3<Double>) -> SIMD3<Double> {
    scale.correct(measured - bias) + sensorAxes * excess.rate
  }

  /// Increases the attitude variance about the axes at which the gyroscope is at its limit, and
  /// corrects the attitude about them by gravity.
  private mutating func growAttitudeError(
    _ missing: SaturationWatch.Missing, force f: SIMD3<Double>, seconds dt: Double
  ) {
    excess.setLimits(missing.sign)
    guard missing.isThere, let current = attitude else { return }
    let matrix = Matrix3(current)
    for i in 0..<3 where missing.variance[i] > 0 {
      let axis = matrix * sensorAxes.column(i)
      for a in 0..<3 {
        for b in 0..<3 { errors[a, b] += missing.variance[i] * axis[a] * axis[b] }
      }
    }
    // An acceleration of a third of gravity halves the weight of the force direction.
    let push = (f.length / Self.gravity - 1) / 0.3
    follow(f, expected: -matrix.r2, weight: 1 / (1 + push * push), seconds: dt)
  }

  /// Turns the attitude about the saturated axes towards a direction that is known in the earth
  /// frame.
  private mutating func follow(
    _ measured: SIMD3<Double>, expected: SIMD3<Double>, weight: Double, seconds dt: Double
  ) {
    guard excess.isOn, let current = attitude, let m = measured.normalized,
      let e = expected.normalized
    else { return }
    let toSensor = sensorAxes.transposed
    let turn = excess.follow(toSensor * m, expected: toSensor * e, weight: weight, seconds: dt)
    attitude = current * Rotation<BodyFrame, BodyFrame>(rotationVector: sensorAxes * turn)
  }

  /// Increases the velocity variance along the axes at which the accelerometer is at its limit.
  private mutating func growVelocityError(_ missing: SaturationWatch.Missing) {
    guard missing.isThere, let attitude else { return }
    let matrix = Matrix3(attitude)
    let v = ErrorState.velocity
    for i in 0..<3 where missing.variance[i] > 0 {
      let axis = matrix * sensorAxes.column(i)
      for a in 0..<2 {
        for b in 0..<2 { errors[v + a, v + b] += missing.variance[i] * axis[a] * axis[b] }
      }
    }
  }

  /// Increases the variances after a gap, during which the rotation is unknown.
  private mutating func growErrors(afterGap gap: Double) {
    let unknown = min(gap * parameters.gapRate, .pi)
    errors.grow(ErrorState.attitude, count: 3, by: unknown * unknown)
    errors.grow(
      ErrorState.bias, count: 3, by: parameters.biasDrift * parameters.biasDrift * gap)
    (velocity, lastingAcceleration) = (.zero, .zero)
    for i in 0..<2 {
      errors.reset(ErrorState.velocity + i, variance: parameters.initialVelocitySigma.squared)
    }
    interval.field = FieldSum()
    if unknown > parameters.initialTiltSigma { alignment = Alignment() }
  }

  /// Propagates the covariance over the interval.
  private mutating func growErrors(_ t: Double) {
    let p = parameters
    errors.propagate(interval)
    errors.grow(
      ErrorState.attitude, count: 3,
      by: p.rateNoise * p.rateNoise * t
        + p.rateScaleNoise * p.rateScaleNoise * interval.rotationSquared + interval.jerkSquared)
    errors.grow(ErrorState.bias, count: 3, by: p.biasDrift * p.biasDrift * t)
  }

  // MARK: Correction

  /// Corrects the prediction of one interval.
  private mutating func correct() {
    let t = interval.seconds
    growErrors(t)
    if !alignment.isLevelFound { searchLevel(t) }
    // The field is used first: it was rotated to the earth frame by the attitude before this
    // correction.
    if isHeadingKnown, interval.field.count > 0 { correctHeading(interval.field) }
    correctLevel(t)
    monitor.age(t, parameters)
    interval.clear()
  }

  /// Subtracts estimated errors from the state.
  private mutating func inject(_ c: ErrorVector) {
    guard let current = attitude else { return }
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: c[block: ErrorState.attitude])
    attitude = turn * current
    field.turn(by: c[ErrorState.heading])
    headingCorrection += c[ErrorState.heading]
    bias += c[block: ErrorState.bias]
    scale.diagonal += c[block: ErrorState.scale]
    scale.shear += c[block: ErrorState.scale + 3]
    velocity += SIMD2(c[ErrorState.velocity], c[ErrorState.velocity + 1])
  }

  /// Returns the sum of heading corrections since the last call, rad, and resets it.
  mutating func resetHeadingCorrection() -> Double {
    defer { headingCorrection = 0 }
    return headingCorrection
  }

  /// Applies a scalar measurement of error `i`; only the errors in `mask` are corrected.
  private mutating func measure(
    _ i: Int, _ innovation: Double, variance: Double, into mask: ErrorVector
  ) {
    let g = errors[i]
    let s = g[i] + variance
    let k = g * mask * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    inject(k * innovation)
  }

  private static let tiltGain = ErrorVector(mask: 0..<2, 12..<14)
  private static let gyroscopeGain = ErrorVector(mask: 3..<12)
  private static let biasGain = ErrorVector(mask: 0..<14)
  /// The field must not change the tilt: nearby iron would tilt the horizon.
  private static let fieldGain = ErrorVector(mask: 2..<12)
  private static let headingGain = ErrorVector(mask: 2..<3)

  /// False for one second after the gyroscope was at its limit: bias and scale are not estimated
  /// then.
  private var isGyroscopeSound: Bool { rateLimit.secondsSince > 1 }

  // MARK: Level

  private var lastingSquared: Double { (lastingAcceleration * lastingAcceleration).sum() }

  /// Weight of the velocity measurement for bias and scale, 0 to 1.
  private var levelTrust: Double {
    guard isGyroscopeSound else { return 0 }
    return 1 / (1 + lastingSquared / parameters.trustedAcceleration.squared)
  }

  private mutating func correctLevel(_ t: Double) {
    let p = parameters
    let tilt = errors[0, 0] + errors[1, 1]
    if alignment.isLevelFound, tilt > 2 * p.initialTiltSigma.squared { alignment = Alignment() }
    if alignment.isLevelFound {
      let moving = p.velocityNoise + p.velocityMotionNoise * motionSquared.squareRoot()
      let sigma = rest.isAtRest ? p.restVelocityNoise : moving
      let mask = Self.tiltGain + Self.gyroscopeGain * levelTrust
      for i in 0..<2 {
        measure(ErrorState.velocity + i, -velocity[i], variance: sigma * sigma / t, into: mask)
      }
    }
    if rest.isAtRest, isBias(rest.rate, seconds: t) {
      let hidden = isHeadingKnown ? fieldTurn.hiddenRate : 0
      let variance =
        (p.restRateNoise * p.restRateNoise + hidden * hidden * p.hiddenTime) / t
      for i in 0..<3 {
        measure(
          ErrorState.bias + i, rest.rate[i] - bias[i], variance: variance, into: Self.biasGain)
      }
    }
    if !rest.isAtRest { biasConfidence.contradictionSeconds = 0 }
  }

  /// Corrects the tilt by a measured elevation of a body axis, rad. An elevation far from the
  /// attitude's is ignored.
  mutating func correctTilt(along axis: SIMD3<Double>, elevation: Double, variance: Double) {
    guard let attitude, alignment.isLevelFound else { return }
    let r = Matrix3(attitude) * axis
    let level = (1 - r.z * r.z).squareRoot()
    guard level > 0.5 else { return }
    // A turn c of the attitude changes the axis by c x r.
    let (x, y) = (-r.y / level, r.x / level)
    var g = errors[0] * x
    g.add(errors[1], times: y)
    let s = g[0] * x + g[1] * y + variance
    let innovation = elevation - Double.asin(max(-1, min(1, -r.z)))
    guard innovation * innovation <= 16 * s else { return }
    let k = g * Self.tiltGain * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    inject(k * innovation)
  }

  /// Finds level from the mean specific force since the search began. The change of speed during
  /// the search is bounded, so the error decreases with time, whatever its initial size.
  private mutating func searchLevel(_ t: Double) {
    let p = parameters
    guard let current = attitude,
      let turn = alignment.level(
        adding: interval.pushed, squared: interval.pushedSquared, seconds: t)
    else { return }
    attitude = turn * current
    velocity = .zero
    interval.field.turn(by: turn)
    let strayed = p.initialVelocitySigma.squared + (p.swayTime * alignment.spread).squared
    let sigma = strayed.squareRoot() / (Self.gravity * alignment.seconds)
    for i in 0..<2 {
      errors.reset(ErrorState.attitude + i, variance: min(sigma, p.initialTiltSigma).squared)
      errors.reset(ErrorState.velocity + i, variance: strayed)
    }
    if sigma < p.settledTiltSigma || rest.isAtRest { alignment.finish() }
  }

  /// True if the steady rate of a body that seems at rest is bias and not rotation.
  ///
  /// Before a bias is estimated, the rate is accepted as bias if the field is constant. After that,
  /// a rate far from the estimated bias is rotation, unless it lasts for `contradictionTime` in a
  /// constant field: then the bias was wrong.
  private mutating func isBias(_ steadyRate: SIMD3<Double>, seconds t: Double) -> Bool {
    // Without a field this cannot be checked.
    guard !isHeadingKnown || !fieldTurn.isTurning else { return false }
    let (p, b) = (parameters, ErrorState.bias)
    // The level correction soon estimates two of three axes; the third remains as uncertain as
    // before.
    let variance = (b..<b + 3).reduce(0) { max($0, errors[$1, $1]) }
    let gate = max(3 * max(variance, 0).squareRoot(), p.biasGate)
    let isNear = (steadyRate - bias).length < gate
    if isNear || !biasConfidence.isLearnt {
      biasConfidence = BiasConfidence(isLearnt: true)
      return true
    }
    biasConfidence.contradictionSeconds += t
    if biasConfidence.contradictionSeconds > p.contradictionTime { biasConfidence.isLearnt = false }
    return false
  }

  // MARK: Heading

  private mutating func correctHeading(_ sum: FieldSum) {
    let p = parameters
    guard sum.seconds > 0 else { return }
    let z = sum.meanField
    let rotation = sum.meanRotation
    let t = sum.seconds
    let limit = p.roughHeadingSigma.squared
    if !alignment.isLevelFound || errors[2, 2] > limit || !field.isStarted {
      approachHeading(z - rotation * field.iron, t)
      if !alignment.isLevelFound || errors[2, 2] > limit { return }
      if !field.isStarted { field.start(SIMD3(EarthField(of: z).horizontal, 0, z.z), p) }
      return
    }
    let isMoving = interval.rotationSquared / interval.seconds > 0.02 || motionSquared > 0.25
    let verdict = field.update(
      z, turning: sum.meanTurning, rotation: rotation, seconds: t, isMoving: isMoving, p)
    if let turn = verdict.turn {
      turnEarth(by: turn)
      errors.reset(ErrorState.heading, variance: verdict.turnVariance)
    }
    residual.update(verdict.error, seconds: t, age: field.own.seconds)
    var variance = verdict.variance
    let horizontal = max(field.earth.horizontal, p.weakestHorizontal)
    // A lasting acceleration may be a tilt, which turns the field's direction in proportion to the
    // tangent of the dip.
    let tilt = lastingSquared / Self.gravity.squared
    variance += tilt * (verdict.clean.z / horizontal).squared * max(1, p.bendTime / t)
    let mask = isGyroscopeSound ? Self.fieldGain : Self.headingGain
    measure(ErrorState.heading, -verdict.error, variance: variance, into: mask)
    if verdict.isFamiliar { settledVariance = errors[2, 2] }
    monitor.update(clean: verdict.clean, believed: field.earth, seconds: t, p)
  }

  /// Corrects a heading that is only roughly known by the field, before the field model is used.
  private mutating func approachHeading(_ clean: SIMD3<Double>, _ t: Double) {
    let p = parameters
    let horizontal = EarthField(of: clean).horizontal
    guard horizontal > Self.leastHorizontal else { return }
    let bend = field.isStarted ? field.roomVariance : 16
    let noise = bend / (horizontal * horizontal) + 0.01
    measure(
      ErrorState.heading, -Double.atan2(y: clean.y, x: clean.x),
      variance: noise * max(p.bendTime, t) / t, into: Self.headingGain)
    if !alignment.isLevelFound {
      // A tilt error common to all samples turns the field's direction by the dip and does not
      // average out.
      let tilt = ((errors[0, 0] + errors[1, 1]) / 2).squareRoot()
      errors.raise(ErrorState.heading, to: min(tilt * abs(clean.z) / horizontal, 1))
    }
    if field.isStarted { field.loseNorth() }
  }

  /// Horizontal strength below which a field has no usable direction, microtesla.
  private static let leastHorizontal = 0.5

  // MARK: Start

  private mutating func start(_ w: SIMD3<Double>, _ f: SIMD3<Double>, _ at: Timestamp) {
    // In free fall or with a failed accelerometer the vertical is unknown.
    guard f.length > 0.3 * Self.gravity,
      let level = Rotation<BodyFrame, MagneticEarthFrame>(from: f, to: SIMD3(0, 0, -1))
    else { return }
    attitude = level
    (timestamp, rate) = (at, w)
    rest.update(rate: w, force: f, seconds: 0)
    // The specific force can include an acceleration of any size; its length gives a lower bound.
    let pushed = Double.acos(min(1, Self.gravity / f.length))
    let tilt = max(parameters.initialTiltSigma, 2 * pushed)
    errors.grow(ErrorState.attitude, count: 2, by: tilt * tilt)
    orientHeading()
  }

  /// Turns the level attitude so that the stored field points north.
  private mutating func orientHeading() {
    guard let level = attitude, let m = pendingField else { return }
    let z = level.rotate(m - field.iron)
    guard z.x * z.x + z.y * z.y > 1 else { return }
    pendingField = nil
    isHeadingKnown = true
    let angle = -Double.atan2(y: z.y, x: z.x)
    turnEarth(by: angle)
    field.turn(by: angle)
    if field.isStarted { field.loseNorth() }
    errors.reset(
      ErrorState.heading, variance: parameters.initialHeadingSigma * parameters.initialHeadingSigma)
  }

  /// Turns all quantities in the earth frame about the vertical.
  private mutating func turnEarth(by angle: Double) {
    guard let current = attitude else { return }
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(0, 0, angle))
    headingCorrection += angle
    attitude = turn * current
    let matrix = Matrix3(turn)
    func turned(_ x: SIMD2<Double>) -> SIMD2<Double> {
      let y = matrix * SIMD3(x.x, x.y, 0)
      return SIMD2(y.x, y.y)
    }
    (velocity, lastingAcceleration) = (turned(velocity), turned(lastingAcceleration))
    acceleration = turn.rotate(acceleration)
    errors.turnEarth(by: matrix)
  }

  private static func initialErrors(_ p: Parameters) -> ErrorCovariance {
    var d = ErrorVector()
    func variance(_ sigma: Double) -> SIMD3<Double> { SIMD3(repeating: sigma * sigma) }
    d[ErrorState.heading] = p.initialHeadingSigma * p.initialHeadingSigma
    d[block: ErrorState.bias] = variance(p.initialBiasSigma)
    // Half the variance off the diagonal makes the prior independent of the choice of axes.
    d[block: ErrorState.scale] = variance(p.initialScaleSigma)
    d[block: ErrorState.scale + 3] = variance(p.initialScaleSigma) / 2
    let velocity = p.initialVelocitySigma * p.initialVelocitySigma
    (d[ErrorState.velocity], d[ErrorState.velocity + 1]) = (velocity, velocity)
    return ErrorCovariance(diagonal: d)
  }

  /// Restarts level and heading, from another filter's solution if there is one. The estimates of
  /// gyroscope, field and latency remain.
  mutating func resume(from solution: AttitudeSolution?) {
    let fresh = Self.initialErrors(parameters)
    for i in Array(0..<3) + Array(ErrorState.velocity..<ErrorState.count) {
      errors.reset(i, variance: fresh[i, i])
    }
    attitude = nil
    timestamp = nil
    (velocity, lastingAcceleration) = (.zero, .zero)
    (rest, fieldTurn, alignment) = (RestDetector(), FieldTurn(), Alignment())
    (excess, residual) = (SaturatedRate(), HeadingResidual())
    rateLimit.interrupt()
    forceLimit.interrupt()
    monitor = DisturbanceMonitor()
    if field.isStarted { field.loseNorth() }
    interval.clear()
    isHeadingKnown = false
    guard let solution, solution.isHeadingKnown, solution.isLevelKnown else { return }
    isHeadingKnown = true
    attitude = solution.attitude
    timestamp = solution.timestamp
    let tilt = parameters.initialTiltSigma * parameters.initialTiltSigma
    errors.grow(ErrorState.attitude, count: 2, by: tilt)
  }

  /// Finds level again, because gravity contradicts it.
  mutating func level(by gravity: GravityTiltCheck.Verdict) {
    let force = gravity.force
    guard let current = attitude,
      let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
        from: force, to: SIMD3(0, 0, -1))
    else { return }
    attitude = turn * current
    // What followed from the wrong level is as uncertain as at the start.
    errors = Self.initialErrors(parameters)
    for i in 0..<2 { errors.reset(i, variance: parameters.initialTiltSigma.squared) }
    let angle = Double.acos(min(max(-force.z / max(force.length, 1e-9), -1), 1))
    let rate = angle / GravityTiltCheck.shortestWindow
    if let error = gravity.rateError { bias = error }
    for i in 0..<3 { errors.raise(ErrorState.bias + i, to: rate) }
    (scale, velocity, lastingAcceleration) = (GyroscopeScale(), .zero, .zero)
    (alignment, biasConfidence, residual) = (Alignment(), BiasConfidence(), HeadingResidual())
    monitor = DisturbanceMonitor()
    field = FieldModel()
    interval.clear()
  }

  /// True while the accelerometer has not been at its limit for a minute: a mean of its readings is
  /// true.
  var isForceSound: Bool { forceLimit.secondsSince > 60 }
  /// True while an axis of the accelerometer is at its limit.
  var isForceAtLimit: Bool { forceLimit.secondsSince == 0 }

  /// Switches to a field from another calibration. Estimates that depend on the old calibration are
  /// reset; level and gyroscope estimates remain.
  /// - Parameters:
  ///   - turn: The change of the field's direction by the new calibration, radians; nil if there
  ///     was no usable field before, and north has to be found again.
  ///   - earth: The earth's field according to the new calibration.
  ///   - ironSigma: Iron that the new calibration may not have removed, one sigma, microtesla.
  mutating func recalibrate(
    turningFieldBy turn: Double?, earth: EarthField, ironSigma: Double
  ) {
    let p = parameters
    interval.clear()
    field.restart(earth, ironSigma: ironSigma, p)
    (monitor, residual) = (DisturbanceMonitor(), HeadingResidual())
    pendingField = nil
    if let turn, isHeadingKnown { errors.raise(ErrorState.heading, to: abs(turn)) }
    isHeadingKnown = isHeadingKnown && turn != nil
    // The old field may have spoilt the gyroscope's bias about the vertical. The other axes stay as
    // certain as they were: with these open again, the accelerations of a vehicle are taken for a
    // bias within seconds, and tilt and heading follow.
    guard let current = attitude, turn.map({ abs($0) > p.largeRecalibration }) ?? true else {
      return
    }
    let down = Matrix3(current).r2 * p.recalibratedBiasSigma
    let b = ErrorState.bias
    for i in 0..<3 {
      for k in 0..<3 { errors[b + i, b + k] += down[i] * down[k] }
    }
  }

  /// Standard gravity, m/s². Local gravity differs by 0.3 %, which only scales an acceleration.
  static var gravity: Double { 9.806_65 }

  // MARK: Output

  /// The attitude at the newest sample; nil before the first usable one.
  @inline(__always)
  public var solution: AttitudeSolution? {
    guard let attitude, let timestamp else { return nil }
    var s = AttitudeSolution(
      timestamp: timestamp, attitude: attitude, isHeadingKnown: isHeadingKnown, isLevelKnown: true)
    s.rateOfTurn = AngularSpeed(radiansPerSecond: turnRate)
    s.acceleration = acceleration
    guard isHeadingKnown else { return s }
    s.headingAccuracy = headingAccuracy
    s.disturbance = sensor.isUnusable ? .disturbed : monitor.state
    if field.isStarted { s.earthField = field.earth }
    return s
  }

  /// The bound of 95 % of heading errors.
  ///
  /// The filter models field distortions as noise, so its variance is too large while the field
  /// fits: only a part of it is used. Growth since the last field that fitted is used in full.
  @inline(__always)
  private var headingAccuracy: Angle {
    let variance = errors[ErrorState.heading, ErrorState.heading]
    let isRough = !field.isStarted || variance > parameters.roughHeadingSigma.squared
    if isRough || !alignment.isLevelFound {
      return Angle(radians: min(.pi, 2 * variance.squareRoot() + 0.09))
    }
    let horizontal = max(field.earth.horizontal, parameters.weakestHorizontal)
    let across = horizontal * horizontal
    var square =
      parameters.localFieldAccuracy.squared + parameters.accuracyFactor.squared * variance
    square += 4 * max(0, variance - settledVariance)
    square += (parameters.residualPeakFactor * residual.peak).squared
    // After another explanation has replaced the current one, north is as uncertain as its field.
    let unknown = field.own.horizontalSigma.squared - parameters.knownField.squared
    square += parameters.directionFactor.squared * max(0, unknown) / across
    var stated = square.squareRoot()
    // One by one: a list of both would be allocated.
    if field.free.isOn { stated = max(stated, accuracy(against: field.free)) }
    if field.turned.isOn { stated = max(stated, accuracy(against: field.turned)) }
    return Angle(radians: min(.pi, stated))
  }

  /// Lower bound of the stated accuracy while another explanation of the field competes, rad.
  @inline(__always)
  private func accuracy(against other: FieldExplanation) -> Double {
    let sigma = other.horizontalSigma / (other.horizontal + 1)
    // Without turning, iron and a wrong north cannot be separated.
    let isOpen = sigma > parameters.untestedSigma || other.evidence > parameters.suspicion
    let least = isOpen ? min(2 * sigma, parameters.untestedAccuracy) : 0
    guard other.evidence > 2 * parameters.suspicion else { return least }
    let apart = abs(Double.atan2(y: other.earth.y, x: other.earth.x))
    return max(least, min(apart, parameters.largestConflict))
  }

  /// The estimated gyroscope bias, body frame.
  public var gyroscopeBias: AngularRate<BodyFrame> { AngularRate(radiansPerSecond: bias) }

  /// Its error, one sigma on each axis, rad/s.
  public var gyroscopeBiasSigma: SIMD3<Double> {
    let b = ErrorState.bias
    return SIMD3(errors[b, b], errors[b + 1, b + 1], errors[b + 2, b + 2])
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .greatestFiniteMagnitude))
      .squareRoot()
  }

  /// The estimated iron that moves with the body and is not in the calibration, body frame.
  public var iron: MagneticField<BodyFrame> { MagneticField(components: field.iron) }

  /// True while the body lies still.
  public var isAtRest: Bool { rest.isAtRest }

  /// Reads or writes the whole state except the parameters.
  mutating func code(_ c: inout StateCoder) {
    c.code(&attitude)
    c.code(&isHeadingKnown)
    c.code(&bias)
    c.code(&scale.diagonal)
    c.code(&scale.shear)
    c.code(&velocity.x)
    c.code(&velocity.y)
    c.code(&motionSquared)
    c.code(&lastingAcceleration.x)
    c.code(&lastingAcceleration.y)
    residual.code(&c)
    c.code(&settledVariance)
    field.code(&c)
    errors.code(&c)
    rest.code(&c)
    rateLimit.code(&c)
    forceLimit.code(&c)
    excess.code(&c)
    fieldTurn.code(&c)
    c.code(&biasConfidence.isLearnt)
    c.code(&biasConfidence.contradictionSeconds)
    alignment.code(&c)
    monitor.code(&c)
    sensor.code(&c)
    c.code(&timestamp)
    c.code(&fieldTimestamp)
    c.code(&rate)
    c.code(&pendingField)
    interval.code(&c)
    c.code(&turnRate)
    c.code(&acceleration)
    c.code(&headingCorrection)
  }
}
