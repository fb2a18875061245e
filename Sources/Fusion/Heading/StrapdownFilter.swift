import Quantities
import RealModule

/// Attitude and magnetic heading from gyroscope, accelerometer and magnetometer.
///
/// Model. The gyroscope carries the attitude. An error-state Kalman filter estimates 14 errors beside it
/// (`ErrorState`): attitude, gyroscope bias and scale, level velocity. Small linear filters explain the field
/// (`FieldModel`).
/// - Level: a body does not gain speed for ever. Level velocity integrated from specific force is measured
///   to be zero, with a variance that grows with the accelerations; what it drifts by tells tilt, bias and
///   scale. Vertical velocity is left out: an accelerometer at its limit bends it, and it tells no tilt.
/// - Search: at the start and after a gap level is the direction of the mean specific force, for any size of
///   error.
/// - Corners: an acceleration that lasts may be a tilt. Meanwhile level teaches little of the gyroscope, and the
///   field less of the heading.
/// - Limits: about an axis at which the gyroscope is at its limit the attitude opens and follows gravity and
///   field; nothing is learnt of the gyroscope meanwhile.
/// - Field: it corrects heading, bias and scale, never level, and as much as it fits the explanation of it.
///   A field that does not fit is foreign and counts little; another explanation, with heading or iron free,
///   takes over where it has become much the likelier one.
/// - Rest: a body at rest tells the bias.
/// - Accuracy: what the place bends the field by, residuals that last, what has come by coasting, and, until
///   turning has shown the iron, what iron could hide.
///
/// Only differences of heading enter, so no azimuth is a favourite. Time comes from timestamps alone.
/// Prediction is made at every sample, correction every `correctionInterval`; no step allocates.
///
/// - Source: velocity held near zero, latency and robust weights are the project's measurements on BROAD
///   (doi 10.3390/data6070072), phones (PerCom 2017) and RepoIMU; gain restricted to some errors with
///   Joseph's form is the consider filter of Schmidt (1966).
public struct StrapdownFilter: AttitudeFilter, Sendable {
  /// What the filter can be tuned by.
  public var parameters: Parameters

  // What is believed.
  private(set) var attitude: Rotation<BodyFrame, MagneticEarthFrame>?
  private var isHeadingKnown = false
  private(set) var bias = SIMD3<Double>.zero
  private(set) var scale = GyroscopeScale()
  private var velocity = SIMD2<Double>.zero
  private(set) var field = FieldModel()
  private(set) var errors: ErrorCovariance

  // What is watched.
  private var rest = RestDetector()
  private var rateLimit: SaturationWatch
  private var forceLimit: SaturationWatch
  /// Sensor to body.
  private let sensorAxes: Matrix3
  private var excess = SaturatedRate()
  private var fieldTurn = FieldTurn()
  private var biasDoubt = BiasDoubt()
  private(set) var alignment = Alignment()
  private var monitor = DisturbanceMonitor()
  private var residual = HeadingResidual()
  /// Heading's variance when a familiar field last spoke, rad²: what came since is coasting.
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
  private var waitingField: SIMD3<Double>?
  private var interval = CorrectionInterval()
  private var turnRate = 0.0
  private var acceleration = SIMD3<Double>.zero
  /// By how much heading was corrected since somebody asked, rad.
  private var headingCorrection = 0.0

  /// Makes a filter that knows nothing yet.
  /// - Parameters:
  ///   - parameters: Its tuning.
  ///   - fullScale: What the sensors show at their limits; nil: it is found in the data.
  ///   - mounting: How the sensors' axes, along which they have limits, lie in the body.
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

  /// Carries the attitude to the sample's instant. A sample without rate or force is passed over.
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
    // A rate holds for no longer than a step: what happened in a gap is not known.
    if dt > parameters.longestStep { excess = SaturatedRate() }
    predict(current, w, f, dt > parameters.longestStep ? parameters.coarseStep : dt)
    let toSensor = sensorAxes.transposed
    open(rateLimit.update(toSensor * w, seconds: dt), force: f, seconds: dt)
    doubt(forceLimit.update(toSensor * f, seconds: dt))
    if dt > parameters.longestStep { bridge(gap: dt) }
    if interval.seconds >= parameters.correctionInterval { correct() }
  }

  /// Draws the heading towards the field's north. A field that no earth has, or that stands still in a
  /// body that turns, is passed over.
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
      waitingField = m
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
    // A chip that averages for long tells an older field than the newest attitude; one that is read
    // between two inertial samples a newer one.
    let most = parameters.oldestField
    let known = min(max(timestamp.seconds(since: sample.timestamp), -most), most)
    let then =
      attitude * Rotation<BodyFrame, BodyFrame>(rotationVector: w * -(field.latency + known))
    let matrix = Matrix3(then)
    interval.field.add(
      matrix * m, turning: matrix * w.cross(m), rotation: matrix, seconds: dt)
  }

  /// True of what a sensor can say: no part measures more than 100 rad/s or 2000 m/s² (200 g).
  static func isPlausible(rate w: SIMD3<Double>, force f: SIMD3<Double>) -> Bool {
    w.lengthSquared < 1e4 && f.lengthSquared < 4e6
  }

  // MARK: Prediction

  private mutating func predict(
    _ current: Rotation<BodyFrame, MagneticEarthFrame>, _ w: SIMD3<Double>, _ f: SIMD3<Double>,
    _ dt: Double
  ) {
    let p = parameters
    let free = w - bias
    let turned = scale.correct(free) + sensorAxes * excess.rate
    var next = current * Rotation<BodyFrame, BodyFrame>(rotationVector: turned * dt)
    next.renormalize()
    let matrix = Matrix3(next)
    // The force was felt a little earlier than the rate is given.
    let force = matrix * (f - turned.cross(f) * p.forceLatency)
    acceleration = force + SIMD3(0, 0, Self.gravity)
    let level = SIMD2(acceleration.x, acceleration.y)
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

  /// Opens the attitude about the axes at which the gyroscope is at its limit by what it may miss, and
  /// follows it about them by gravity.
  private mutating func open(
    _ missing: SaturationWatch.Missing, force f: SIMD3<Double>, seconds dt: Double
  ) {
    excess.keep(missing.sign)
    guard missing.isThere, let current = attitude else { return }
    let matrix = Matrix3(current)
    for i in 0..<3 where missing.variance[i] > 0 {
      let axis = matrix * sensorAxes.column(i)
      for a in 0..<3 {
        for b in 0..<3 { errors[a, b] += missing.variance[i] * axis[a] * axis[b] }
      }
    }
    // A push of a third of gravity halves what the direction of the force is worth.
    let push = (f.length / Self.gravity - 1) / 0.3
    follow(f, expected: -matrix.r2, weight: 1 / (1 + push * push), seconds: dt)
  }

  /// Turns the attitude about the axes at their limit towards a direction that is known in the earth frame.
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

  /// Opens the velocity along the axes at which the accelerometer is at its limit by what it may miss.
  private mutating func doubt(_ missing: SaturationWatch.Missing) {
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

  /// After a gap nobody knows how far the body turned meanwhile.
  private mutating func bridge(gap: Double) {
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

  /// Carries the covariance over the interval.
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

  /// Corrects what an interval has predicted.
  private mutating func correct() {
    let t = interval.seconds
    growErrors(t)
    if !alignment.isLevelFound { searchLevel(t) }
    // The field first: it was turned to the earth by the attitude as it was.
    if isHeadingKnown, interval.field.count > 0 { correctHeading(interval.field) }
    correctLevel(t)
    monitor.age(t, parameters)
    interval.clear()
  }

  /// Takes errors out of what is believed.
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

  /// By how much heading was corrected since the last call, rad.
  mutating func takeHeadingCorrection() -> Double {
    defer { headingCorrection = 0 }
    return headingCorrection
  }

  /// Takes in a measurement of one error, into those that `mask` names.
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
  /// Iron nearby must not tilt the horizon.
  private static let fieldGain = ErrorVector(mask: 2..<12)
  private static let headingGain = ErrorVector(mask: 2..<3)

  /// False for a second after the gyroscope was at its limit: nothing is learnt of it.
  private var isGyroscopeSound: Bool { rateLimit.secondsSince > 1 }

  // MARK: Level

  private var lastingSquared: Double { (lastingAcceleration * lastingAcceleration).sum() }

  /// The share of what velocity tells of the gyroscope that is believed, 0 to 1.
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
    if !rest.isAtRest { biasDoubt.contradictionSeconds = 0 }
  }

  /// Level by the mean specific force since the search began: what a body gains of speed meanwhile is
  /// bounded, so that the error falls with time, and no size of it is too large.
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

  /// True where the steady rate of a body that seems to rest is the gyroscope's bias and no turn.
  ///
  /// Before any bias is learnt it is taken on trust where the field stands still. After that a rate far from
  /// the learnt bias is a turn, unless it lasts for `contradictionTime` in a field that stands still: then
  /// the bias was wrong.
  private mutating func isBias(_ steadyRate: SIMD3<Double>, seconds t: Double) -> Bool {
    // Without a field nothing can contradict.
    guard !isHeadingKnown || !fieldTurn.isTurning else { return false }
    let (p, b) = (parameters, ErrorState.bias)
    // Level teaches two of three axes soon; the third is as uncertain as before.
    let variance = (b..<b + 3).reduce(0) { max($0, errors[$1, $1]) }
    let gate = max(3 * max(variance, 0).squareRoot(), p.biasGate)
    let isNear = (steadyRate - bias).length < gate
    if isNear || !biasDoubt.isLearnt {
      biasDoubt = BiasDoubt(isLearnt: true)
      return true
    }
    biasDoubt.contradictionSeconds += t
    if biasDoubt.contradictionSeconds > p.contradictionTime { biasDoubt.isLearnt = false }
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
    // A lasting acceleration may be a tilt, which turns the field's direction by the dip.
    let tilt = lastingSquared / Self.gravity.squared
    variance += tilt * (verdict.clean.z / horizontal).squared * max(1, p.bendTime / t)
    let mask = isGyroscopeSound ? Self.fieldGain : Self.headingGain
    measure(ErrorState.heading, -verdict.error, variance: variance, into: mask)
    if verdict.isFamiliar { settledVariance = errors[2, 2] }
    monitor.update(clean: verdict.clean, believed: field.earth, seconds: t, p)
  }

  /// While heading is not known to some degrees it follows the field, which explains nothing yet.
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
      // A common tilt turns the field's direction by the dip, and does not average away.
      let tilt = ((errors[0, 0] + errors[1, 1]) / 2).squareRoot()
      errors.raise(ErrorState.heading, to: min(tilt * abs(clean.z) / horizontal, 1))
    }
    if field.isStarted { field.loseNorth() }
  }

  /// A field that points straight down has no direction, microtesla.
  private static let leastHorizontal = 0.5

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
    errors.grow(ErrorState.attitude, count: 2, by: tilt * tilt)
    orientHeading()
  }

  /// Turns the level attitude to the waiting field's north.
  private mutating func orientHeading() {
    guard let level = attitude, let m = waitingField else { return }
    let z = level.rotate(m - field.iron)
    guard z.x * z.x + z.y * z.y > 1 else { return }
    waitingField = nil
    isHeadingKnown = true
    let angle = -Double.atan2(y: z.y, x: z.x)
    turnEarth(by: angle)
    field.turn(by: angle)
    if field.isStarted { field.loseNorth() }
    errors.reset(
      ErrorState.heading, variance: parameters.initialHeadingSigma * parameters.initialHeadingSigma)
  }

  /// Turns what is told in the earth frame about the vertical.
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
    // Half the variance beside the diagonal makes the prior the same for every choice of axes.
    d[block: ErrorState.scale] = variance(p.initialScaleSigma)
    d[block: ErrorState.scale + 3] = variance(p.initialScaleSigma) / 2
    let velocity = p.initialVelocitySigma * p.initialVelocitySigma
    (d[ErrorState.velocity], d[ErrorState.velocity + 1]) = (velocity, velocity)
    return ErrorCovariance(diagonal: d)
  }

  /// Starts level and heading anew, from another filter's where there is one, and keeps what was learnt of
  /// gyroscope, field and latency.
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

  /// Goes over to a field that comes through another calibration: what the old one had left is forgotten;
  /// level and gyroscope stay.
  /// - Parameters:
  ///   - turn: By how much the field's direction has moved with the new calibration, radians; nil where
  ///     the old field said nothing, and north is to be found anew.
  ///   - earth: The earth's field as the new calibration gives it.
  ///   - ironSigma: What iron the new calibration may have left, one sigma, microtesla.
  mutating func recalibrate(
    turningFieldBy turn: Double?, earth: EarthField, ironSigma: Double
  ) {
    let p = parameters
    interval.clear()
    field.restart(earth, ironSigma: ironSigma, p)
    (monitor, residual) = (DisturbanceMonitor(), HeadingResidual())
    waitingField = nil
    let isGoingOn = isHeadingKnown && turn != nil
    if let turn, isGoingOn {
      errors.raise(ErrorState.heading, to: abs(turn))
      guard abs(turn) > p.largeRecalibration else { return }
    }
    isHeadingKnown = isGoingOn
    // A field that was far off has taught the gyroscope wrongly.
    for i in 0..<3 { errors.raise(ErrorState.bias + i, to: p.initialBiasSigma) }
  }

  /// Standard gravity, m/s²: its local value differs by 0.3 %, which only scales an acceleration.
  static var gravity: Double { 9.806_65 }

  // MARK: What is told

  /// The attitude at the newest sample; nil before the first usable one.
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

  /// The radius that holds 95 % of heading errors.
  ///
  /// The filter takes the bends of the field for noise, so that its variance is too large while a familiar field
  /// speaks: a part of it counts. What has grown since by coasting counts in full.
  private var headingAccuracy: Angle {
    let p = parameters
    let variance = errors[ErrorState.heading, ErrorState.heading]
    let isRough = !field.isStarted || variance > p.roughHeadingSigma.squared
    if isRough || !alignment.isLevelFound {
      return Angle(radians: min(.pi, 2 * variance.squareRoot() + 0.09))
    }
    let horizontal = max(field.earth.horizontal, p.weakestHorizontal)
    let across = horizontal * horizontal
    var square = p.localFieldAccuracy.squared + p.accuracyFactor.squared * variance
    square += 4 * max(0, variance - settledVariance)
    square += (p.residualPeakFactor * residual.peak).squared
    // After another explanation has taken over, north is no better known than its field.
    let unknown = field.own.horizontalSigma.squared - p.knownField.squared
    square += p.directionFactor.squared * max(0, unknown) / across
    var stated = square.squareRoot()
    for other in [field.free, field.turned] where other.isOn {
      stated = max(stated, accuracy(against: other))
    }
    return Angle(radians: min(.pi, stated))
  }

  /// What is stated at least while another explanation of the field competes, rad.
  private func accuracy(against other: FieldExplanation) -> Double {
    let p = parameters
    let sigma = other.horizontalSigma / (other.horizontal + 1)
    // Iron and north look alike until turning has told them apart.
    let isOpen = sigma > p.untestedSigma || other.evidence > p.suspicion
    let least = isOpen ? min(2 * sigma, p.untestedAccuracy) : 0
    guard other.evidence > 2 * p.suspicion else { return least }
    let apart = abs(Double.atan2(y: other.earth.y, x: other.earth.x))
    return max(least, min(apart, p.largestConflict))
  }

  /// The magnetometer's latency after the gyroscope as learnt so far, seconds.
  public var fieldLatencySeconds: Double { field.latency }

  /// The gyroscope's bias as learnt so far, body frame.
  public var gyroscopeBias: AngularRate<BodyFrame> { AngularRate(radiansPerSecond: bias) }

  /// Iron that moves with the body beyond its calibration, as learnt so far, body frame.
  public var iron: MagneticField<BodyFrame> { MagneticField(components: field.iron) }

  /// True while the body lies still.
  public var isAtRest: Bool { rest.isAtRest }

  /// Takes in or gives out all but the parameters.
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
    c.code(&biasDoubt.isLearnt)
    c.code(&biasDoubt.contradictionSeconds)
    alignment.code(&c)
    monitor.code(&c)
    sensor.code(&c)
    c.code(&timestamp)
    c.code(&fieldTimestamp)
    c.code(&rate)
    c.code(&waitingField)
    interval.code(&c)
    c.code(&turnRate)
    c.code(&acceleration)
    c.code(&headingCorrection)
  }
}
