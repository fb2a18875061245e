import EarthModel
import Quantities
import RealModule

/// Position and velocity over ground from a receiver and, where there is one, an inertial unit.
///
/// Model. An error-state Kalman filter of 16 errors (`NavigationError`) about a position in the
/// plane that touches the earth nearby.
/// - Receiver: its position error lasts for a minute (first-order Gauss-Markov), so its fixes
///   together say little more than one of them; its velocity is new each time. The position that is
///   given includes the receiver's present error, as the receiver's own does, but takes up its
///   changes only in motion: at rest it does not wander.
/// - Without an inertial unit: the velocity is constant but for white acceleration; while there are
///   no fixes it is forgotten.
/// - With an inertial unit of 17 Hz or more, and a heading: its samples are integrated; the
///   receiver's velocity, of an age that is estimated, shows the errors of tilt, heading and
///   biases. A vehicle that follows its bow does not move sideways. In an outage the velocity stays
///   within what was usual before, and is zero at rest.
/// - Outliers: a fix far from the prediction is rejected until several agree with each other.
///
/// Time comes from the samples. No step allocates memory.
/// - Source: P. D. Groves, Principles of GNSS, Inertial, and Multisensor Integrated Navigation
///   Systems, 2nd edition, chapters 5 (navigation equations), 14 (integration), 15.4 (motion
///   constraints).
public struct PositionFilter: Sendable {
  /// The tuning parameters.
  public var parameters: Parameters

  private(set) var plane: LocalPlane?
  /// Whether the newest fix was the receiver's own dead reckoning.
  private var wasReckoned = false
  var position = SIMD2<Double>.zero
  var velocity = SIMD2<Double>.zero
  private var receiverError = SIMD2<Double>.zero
  /// The age of the receiver's velocity at its fix, s.
  private var delay = 0.0
  /// The speed before an outage.
  private var recentSpeed = RecentSpeed()
  /// What is added to the position: the receiver's error, as far as it was taken up.
  private var offset = SIMD2<Double>.zero
  var errors = ErrorCovariance(diagonal: .zero, count: NavigationError.count)
  /// The time of position and velocity.
  var timestamp: Timestamp?
  /// The stated accuracy of the newest fix, one sigma an axis, metres.
  private(set) var statedSigma = 0.0

  var lastFix: Timestamp?
  private var fixes = SampleRhythm()
  /// The position of the newest fix that was used.
  private var lastPlace: GeodeticPosition?
  private var lastReceived: Fix?
  private var refused: RefusedFixes?
  private var slowSince: Timestamp?
  /// Variance of the velocity on an axis after the newest fix, (m/s)².
  private(set) var velocityVarianceAtFix = 0.0
  /// Low-pass of the normalized squares of the velocity's innovations.
  var divergence = 1.0

  // Inertial navigation.
  var attitude: Rotation<BodyFrame, EarthFrame>?
  var rateBias = SIMD3<Double>.zero
  var forceBias = SIMD3<Double>.zero
  var sum = InertialSum()
  var lastInertial: Timestamp?
  var inertialCount = 0
  var isAtRest = false
  /// Since when the inertial unit is at rest, or is not.
  var restChanged: Timestamp?
  var acceleration = SIMD2<Double>.zero
  var turned = SIMD3<Double>.zero
  var bow = BowTracker()
  var agreement = CompassCourseCheck()
  private var velocityCheck = VelocityCheck()
  /// Whether the newest fix had a velocity.
  private(set) var hasReceiverVelocity = false
  var compass: Timestamp?
  var constrained: Timestamp?
  var barredUntil: Timestamp?

  /// True for a vehicle on wheels in which the board is fixed, its forward axis along the bow:
  /// course is heading then.
  public var isVehicle = false
  /// The receiver's antenna in body axes, metres from the inertial unit: forward, right, down.
  public var antennaMetres = SIMD3<Double>.zero

  /// What is usual for the present state of motion, for the accuracy that is given in an outage;
  /// nil: `parameters`. The gate for the next fix stays that of `parameters`: the state may change
  /// in an outage.
  public var usualMotion: UsualMotion?

  private var usualSpeed: Double { usualMotion?.speed ?? parameters.usualSpeed }
  private var accelerationNoise: Double {
    usualMotion?.accelerationNoise ?? parameters.accelerationNoise
  }

  /// Makes a filter without a position.
  public init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    resetDelay()
  }

  /// Sets the age of the receiver's velocity to that of a receiver that is not known yet.
  mutating func resetDelay() {
    delay = parameters.receiverDelay
    errors.reset(NavigationError.delay, variance: parameters.receiverDelaySigma.squared)
  }

  // MARK: Fixes

  /// Processes a receiver's epoch. One that is no newer than the last, has no position, or repeats
  /// the last one while the receiver moves is ignored.
  public mutating func update(_ fix: Fix) {
    guard let place = fix.position, fix.kind != .none, Self.isPlausible(place) else { return }
    if let lastFix {
      let elapsed = fix.timestamp.seconds(since: lastFix)
      // A clock that was set back by more than a moment: another recording, or a receiver that
      // began again.
      if elapsed < -10 || elapsed > parameters.longestInertialOutage {
        forget()
      } else if elapsed < 0 {
        return
      }
    }
    guard !repeats(fix) else { return }
    velocityCheck.add(
      place, velocity: Self.velocity(of: fix), sigma: sigma(of: fix), at: fix.timestamp)
    var fix = fix
    if velocityCheck.contradicts { fix.forgetVelocity() }
    guard let plane else {
      start(fix, at: place)
      return
    }
    advance(to: fix.timestamp)
    moveOrigin(plane)
    process(fix, at: place)
  }

  /// True while the receiver's velocities contradict its places; they are not used, that of the
  /// newest fix included.
  public var contradictsVelocity: Bool { velocityCheck.contradicts }

  /// True while the last fix is refused as far from the prediction.
  public var refusesLastFix: Bool { refused != nil }

  private static func isPlausible(_ place: GeodeticPosition) -> Bool {
    abs(place.latitude.radians) <= .pi / 2 + 1e-9 && place.longitude.radians.isFinite
  }

  /// True for the epoch of a receiver that has frozen and repeats its last one: with the same time,
  /// or without a time with the same place and velocity to the last digit while it moves.
  private mutating func repeats(_ fix: Fix) -> Bool {
    defer { lastReceived = fix }
    guard let last = lastReceived, last.position == fix.position, last.utc == fix.utc,
      last.speedMetresPerSecond == fix.speedMetresPerSecond, last.course == fix.course
    else { return false }
    if fix.utc != nil { return true }
    let seconds = fix.timestamp.seconds(since: last.timestamp)
    return (fix.speedMetresPerSecond ?? 0) * seconds > 2 && !isAtRest
  }

  private mutating func start(_ fix: Fix, at place: GeodeticPosition) {
    plane = LocalPlane(origin: place, heightMetres: fix.ellipsoidalAltitudeMetres ?? 0)
    (position, receiverError, offset) = (.zero, .zero, .zero)
    (timestamp, lastFix, lastPlace) = (fix.timestamp, fix.timestamp, place)
    attitude = nil
    statedSigma = sigma(of: fix)
    typealias E = NavigationError
    for i in 0..<E.delay { errors.reset(i, variance: 0) }
    for i in 0..<2 {
      // The fix measures position plus receiver error, so that their errors are opposite.
      errors[E.position + i, E.position + i] = statedSigma * statedSigma
      errors[E.receiver + i, E.receiver + i] = statedSigma * statedSigma
      errors[E.position + i, E.receiver + i] = -statedSigma * statedSigma
      errors[E.receiver + i, E.position + i] = -statedSigma * statedSigma
      errors[E.velocity + i, E.velocity + i] = parameters.usualSpeed * parameters.usualSpeed
    }
    velocity = .zero
    applyVelocity(of: fix)
    recordVelocityVariance()
  }

  private mutating func recordVelocityVariance() {
    let v = NavigationError.velocity
    velocityVarianceAtFix = (errors[v, v] + errors[v + 1, v + 1]) / 2
  }

  /// One sigma of a fix on an axis, metres.
  private func sigma(of fix: Fix) -> Double {
    if let c = fix.positionCovarianceSquareMetres {
      let mean = (c[0, 0] + c[1, 1]) / 2
      if mean > 0 { return max(mean.squareRoot(), 0.003) }
    }
    if let radius = fix.horizontalAccuracyMetres, radius > 0 {
      return max(radius / Fix.sigmasIn68PercentRadius, 0.003)
    }
    return parameters.unstatedSigma
  }

  private mutating func process(_ fix: Fix, at place: GeodeticPosition) {
    let p = parameters
    guard let plane, let timestamp else { return }
    let late = fix.timestamp.seconds(since: timestamp)
    let sigma = sigma(of: fix)
    admitSpeed(of: fix)
    growReceiverError(to: sigma, seconds: lastFix.map { fix.timestamp.seconds(since: $0) } ?? 0)
    let measured = plane.metres(to: place)
    let given = position + offset
    let isReckoned = fix.kind == .deadReckoning
    if wasReckoned, !isReckoned {
      // The receiver's own dead reckoning has ended: the jump is the end of its error.
      receiverError = measured - arm.place - position - velocity * late
      offset = receiverError
      for i in 0..<2 { errors.reset(NavigationError.receiver + i, variance: sigma * sigma) }
    }
    wasReckoned = isReckoned
    let expected = position + velocity * late + receiverError + arm.place
    let innovation = measured - expected
    let new = (p.newErrorShare * sigma).squared + p.leastNewError.squared
    let rows = (Self.fixRow(0), Self.fixRow(1))
    let g = (errors.column(rows.0), errors.column(rows.1))
    // A receiver that sees other satellites may jump by its accuracy, and its epochs arrive early
    // or late. Without inertial samples the receiver is the only source of the position.
    let speed = velocity.length
    let (base, time) = attitude == nil ? (p.leastGate, p.fixJitter) : (0, p.fixJitter / 4)
    let room = new + sigma * sigma + base * base + time * time * speed * speed
    let (a, b, c) = (
      rows.0.dot(g.0) + room, rows.1.dot(g.1) + room, rows.0.dot(g.1)
    )
    let determinant = max(a * b - c * c, 1e-12)
    let (y, z) = (innovation.x, innovation.y)
    let square = (b * y * y - 2 * c * y * z + a * z * z) / determinant
    guard square <= p.gate * p.gate else {
      // Where the velocity is not known, any place may be the next.
      if isVelocityKnown { refuse(fix, measured) } else { start(fix, at: place) }
      return
    }
    refused = nil
    (lastFix, statedSigma) = (fix.timestamp, sigma)
    fixes.add(fix.timestamp)
    // The velocity first, so that a jump of the position does not change it.
    applyVelocity(of: fix)
    hasReceiverVelocity = Self.velocity(of: fix) != nil
    if !hasReceiverVelocity {
      checkInertialInnovation(square / 2, limit: p.placeDivergence, at: fix.timestamp)
    }
    // The weight decreases from 3 sigmas to the gate.
    let doubt = max(1, square / 9)
    for i in 0..<2 {
      let y = measured[i] - (position[i] + velocity[i] * late + receiverError[i] + arm.place[i])
      measure(Self.fixRow(i), y, variance: new * doubt + (doubt - 1) * sigma * sigma)
    }
    recordVelocityVariance()
    if isVelocityKnown { recentSpeed.add(square: velocity.lengthSquared / 2, at: fix.timestamp) }
    updateStandstill(fix)
    learnBow(fix)
    // Without an inertial unit the receiver is the only source of a moving body's position.
    lastPlace = attitude == nil && !isStanding ? place : nil
    if lastPlace != nil { offset = measured - position }
    // The receiver's own filter is better than one of its results.
    if !isStanding, isReckoned || fix.kind == .rtkFixed {
      offset = measured - arm.place - position
    }
    if isStanding { hold(given) }
  }

  /// Keeps the reported position of a standing body until the receiver's position is more than
  /// twice its stated sigma away, as after a start or a stop with a wrong position.
  private mutating func hold(_ given: SIMD2<Double>) {
    let change = position + receiverError - given
    let (size, limit) = (change.length, 2 * statedSigma)
    let taken = size > limit ? change * ((size - limit) / size) : .zero
    offset = given + taken - position
  }

  /// Opens the velocity for a speed without a course that is above the estimated one: the body has
  /// started in an unknown direction.
  private mutating func admitSpeed(of fix: Fix) {
    guard attitude == nil, Self.velocity(of: fix) == nil, let speed = fix.speedMetresPerSecond,
      let lastFix
    else { return }
    typealias E = NavigationError
    let known = max(0, errors[E.velocity, E.velocity]).squareRoot()
    guard speed > velocity.length + max(1, 3 * known) else { return }
    slowSince = nil
    let way = speed * max(0, fix.timestamp.seconds(since: lastFix))
    for i in 0..<2 {
      errors.grow(E.velocity + i, by: speed * speed)
      errors.grow(E.position + i, by: way * way)
    }
  }

  private static func fixRow(_ i: Int) -> ErrorVector {
    let (p, r) = (NavigationError.position + i, NavigationError.receiver + i)
    return ErrorVector(mask: p..<p + 1, r..<r + 1)
  }

  private static func velocityRow(_ i: Int) -> ErrorVector {
    let v = NavigationError.velocity + i
    return ErrorVector(mask: v..<v + 1)
  }

  /// The receiver's error changes slowly, and its size is that of the newest fix.
  private mutating func growReceiverError(to sigma: Double, seconds: Double) {
    typealias E = NavigationError
    let kept = Double.exp(-max(0, seconds) / parameters.receiverErrorTime)
    receiverError *= kept
    for i in 0..<2 {
      errors.shrink(E.receiver + i, by: kept)
      errors.grow(E.receiver + i, by: sigma * sigma * (1 - kept * kept))
    }
  }

  private mutating func applyVelocity(of fix: Fix) {
    typealias E = NavigationError
    guard var measured = Self.velocity(of: fix) else { return }
    if let place = fix.position { measured = Self.turned(measured, by: -convergence(at: place)) }
    let speed = measured.length
    let stated = fix.speedAccuracyMetresPerSecond.map { max($0, 0.02) }
    var base = stated ?? parameters.unstatedVelocitySigma
    if let c = fix.velocityCovarianceSquareMetresPerSecondSquared {
      base = max(((c[0, 0] + c[1, 1]) / 2).squareRoot(), 0.02)
    }
    let age = parameters.delayJitter * acceleration.length
    // The error of a course that the receiver has filtered and rounded to whole degrees.
    let coarse = stated == nil ? 0.01 * speed : 0
    let swing = 0.5 * arm.speed.length
    let variance = base * base + age * age + coarse * coarse + swing * swing
    for i in 0..<2 {
      var row = Self.velocityRow(i)
      // Zero without inertial navigation.
      row[E.delay] = -acceleration[i]
      let y = measured[i] - (velocity[i] - delay * acceleration[i]) - arm.speed[i]
      let s = row.dot(errors.column(row)) + variance
      checkInertialInnovation(y * y / s, limit: parameters.divergence, at: fix.timestamp)
      measure(row, y, variance: variance * max(1, y * y / s / 9))
    }
  }

  /// Adds a normalized squared innovation to their average; suspends inertial navigation where the
  /// average exceeds the limit.
  private mutating func checkInertialInnovation(_ square: Double, limit: Double, at t: Timestamp) {
    guard attitude != nil else { return }
    divergence += 0.05 * (min(square, 100) - divergence)
    if divergence > limit { pauseInertial(until: t.advanced(bySeconds: parameters.inertialPause)) }
  }

  /// The angle by which north at a place is turned clockwise from that of the plane, rad. It counts
  /// near the poles only.
  private func convergence(at place: GeodeticPosition) -> Double {
    guard let plane, abs(place.latitude.radians) > Self.polarLatitude else { return 0 }
    return plane.turn(to: LocalPlane(origin: place)).radians
  }

  /// Latitude above which the meridians within a kilometre are not parallel, rad: at 80 degrees
  /// they differ by 0.05 degrees.
  private static var polarLatitude: Double { 80 * .pi / 180 }

  /// Components along axes that are turned clockwise by an angle.
  private static func turned(_ x: SIMD2<Double>, by angle: Double) -> SIMD2<Double> {
    guard angle != 0 else { return x }
    let (c, s) = (Double.cos(angle), Double.sin(angle))
    return SIMD2(c * x.x + s * x.y, c * x.y - s * x.x)
  }

  /// The velocity of an epoch along true north and east; zero for one that is too slow for a
  /// course.
  private static func velocity(of fix: Fix) -> SIMD2<Double>? {
    fix.horizontalVelocity ?? fix.speedMetresPerSecond.flatMap { $0 < 0.5 ? .zero : nil }
  }

  /// Records since when the receiver reports almost no speed, and applies a zero velocity if the
  /// body stands still.
  private mutating func updateStandstill(_ fix: Fix) {
    if let speed = fix.speedMetresPerSecond, speed < 0.15 {
      slowSince = slowSince ?? fix.timestamp
    } else {
      slowSince = nil
    }
    if isStanding { holdStill(seconds: 1) }
  }

  /// True while the body stands: the inertial unit is at rest, or the receiver reports almost no
  /// speed for seconds.
  var isStanding: Bool {
    guard let lastFix, let timestamp else { return false }
    let speed = velocity.length
    if isAtRest, let lastInertial, timestamp.seconds(since: lastInertial) < 1 {
      return isVelocityKnown && speed < 0.5 || isAtRestInOutage(speed, at: timestamp)
    }
    return slowSince.map { lastFix.seconds(since: $0) >= 3 } ?? false && speed < 0.3
  }

  /// Whether the body stands still in an outage. The velocity may be wrong then, so rest for
  /// seconds decides, unless the velocity is certainly not zero.
  private func isAtRestInOutage(_ speed: Double, at t: Timestamp) -> Bool {
    guard isInOutage, let restChanged, t.seconds(since: restChanged) >= parameters.restInOutage
    else { return false }
    let v = NavigationError.velocity
    let sigma = (max(0, errors[v, v] + errors[v + 1, v + 1]) / 2).squareRoot()
    // Wheels cause vibration at any speed; a boat on flat water may have none.
    return isVehicle
      ? speed < max(3 * parameters.outageErrorFactor * sigma, 2 * parameters.fastestSmoothSpeed)
      : speed < min(3 * sigma, parameters.fastestSmoothSpeed)
  }

  /// The age of the newest fix from which fixes are missing, s: longer for a slow receiver.
  public var longestFixAge: Double { fixes.longestAge(atLeast: parameters.briefOutage) }

  /// True while fixes are missing.
  var isInOutage: Bool {
    timestamp.map { fixes.isBroken(at: $0, after: parameters.briefOutage) } ?? false
  }

  /// Limits the drift of inertial navigation's velocity in an outage to the speeds that were usual
  /// before it.
  mutating func boundVelocity(seconds: Double) {
    let usual = recentSpeed.meanSquare(orAtLeast: parameters.leastRecentSpeed)
    let variance = usual * parameters.recentSpeedTime / seconds
    for i in 0..<2 { measure(Self.velocityRow(i), -velocity[i], variance: variance) }
  }

  /// Acceleration of a body that stands, m/s²·√s.
  private static var standingNoise: Double { 0.02 }

  /// Applies a measurement of zero velocity, repeated every `seconds`.
  mutating func holdStill(seconds: Double) {
    for i in 0..<2 {
      measure(Self.velocityRow(i), -velocity[i], variance: 0.02 * 0.02 / max(seconds, 0.05))
    }
  }

  /// Counts a fix that the filter refuses. If several of these agree, or fixes have been refused
  /// for long, the filter is wrong and restarts at the fix.
  private mutating func refuse(_ fix: Fix, _ measured: SIMD2<Double>) {
    let p = parameters
    let known = Self.velocity(of: fix)
    // The accuracy, the effect of an acceleration of 3 m/s², and a speed in any direction.
    let speed = fix.speedMetresPerSecond ?? p.fastestFixes
    var run = refused ?? RefusedFixes(since: fix.timestamp)
    run.add(measured, velocity: known, speed: speed, sigma: sigma(of: fix), at: fix.timestamp)
    refused = run
    guard
      run.count >= p.reacquisitionCount
        || fix.timestamp.seconds(since: run.since) >= p.longestRefusal,
      let plane
    else { return }
    refused = nil
    // Only a velocity that the receiver confirms shows that inertial navigation was right and the
    // place alone was wrong.
    let kept = known.map { ($0 - velocity).length < p.knownVelocity } == true ? inertialState : nil
    let wasInertial = attitude != nil
    start(fix, at: plane.place(at: measured))
    if let kept {
      restore(kept)
    } else if wasInertial {
      barredUntil = fix.timestamp.advanced(bySeconds: p.inertialPause)
    }
  }

  // MARK: Time

  /// Forgets position, velocity and attitude.
  private mutating func forget() {
    var fresh = PositionFilter(parameters: parameters)
    (fresh.antennaMetres, fresh.isVehicle) = (antennaMetres, isVehicle)
    fresh.usualMotion = usualMotion
    self = fresh
  }

  /// Advances without inertial samples.
  mutating func advance(to t: Timestamp) {
    guard let from = timestamp else { return }
    let dt = t.seconds(since: from)
    // The newest inertial sample is hardly older than the fix.
    if attitude != nil, dt < parameters.longestStep * 3 { return }
    guard dt > 0 else { return }
    stopInertial()
    timestamp = t
    typealias E = NavigationError
    let out = lastFix.map { t.seconds(since: $0) } ?? 0
    let kept = Double.exp(-outage(in: dt, fixAge: out) / parameters.velocityMemory)
    position += velocity * dt
    errors.propagate(push: nil, turned: .identity, seconds: dt)
    let noise = isStanding ? Self.standingNoise : parameters.accelerationNoise
    let q = noise * noise
    let limit = parameters.usualSpeed * parameters.usualSpeed
    for i in 0..<2 {
      let (a, v) = (E.position + i, E.velocity + i)
      errors[a, a] += q * dt * dt * dt / 3
      errors[a, v] += q * dt * dt / 2
      errors[v, a] += q * dt * dt / 2
      errors[v, v] += q * dt
      if kept < 1 {
        errors.shrink(v, by: kept)
        errors[v, v] += limit * (1 - kept * kept)
      }
    }
    velocity *= kept
    absorbReceiverError(seconds: dt)
  }

  /// The part of an interval that belongs to an outage, s; `age` is the time from the newest fix to
  /// the interval's end, s.
  private func outage(in dt: Double, fixAge age: Double) -> Double {
    age > parameters.briefOutage ? min(dt, age - parameters.briefOutage) : 0
  }

  /// Adds the change of the receiver's error to the reported position in proportion to the motion.
  mutating func absorbReceiverError(seconds dt: Double) {
    guard !isStanding else { return }
    let change = receiverError - offset
    let speed = velocity.length
    offset += change * (1 - Double.exp(-speed * dt / parameters.offsetDistance))
  }

  /// The factor on the stated errors of inertial navigation at an age of the newest fix, s. In
  /// recordings the errors are larger than the model's, since tilt and heading at the beginning of
  /// an outage are less accurate than they seem in motion.
  private func outageErrorFactor(fixAge age: Double) -> Double {
    guard attitude != nil else { return 1 }
    let p = parameters
    let share = min(max(0, age - p.briefOutage) / p.outageErrorTime, 1)
    return 1 + (p.outageErrorFactor - 1) * share
  }

  /// Moves the plane's origin to the position.
  private mutating func moveOrigin(_ plane: LocalPlane) {
    guard position.lengthSquared > 500 * 500 else { return }
    let next = LocalPlane(
      origin: plane.place(at: position), heightMetres: plane.heightMetres)
    let turn = plane.turn(to: next).radians
    self.plane = next
    refused?.move { next.metres(to: plane.place(at: $0)) }
    position = .zero
    let (c, s) = (Double.cos(turn), Double.sin(turn))
    velocity = Self.turned(velocity, by: turn)
    receiverError = Self.turned(receiverError, by: turn)
    offset = Self.turned(offset, by: turn)
    acceleration = Self.turned(acceleration, by: turn)
    let axis = Rotation<EarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0, -turn))
    attitude = attitude.map { axis * $0 }
    errors.turnAxes(cosine: c, sine: s)
  }

  // MARK: Corrections

  /// Applies a scalar measurement.
  mutating func measure(_ h: ErrorVector, _ innovation: Double, variance: Double) {
    let g = errors.column(h)
    let s = h.dot(g) + variance
    guard s > 0, innovation.isFinite else { return }
    let k = g * (1 / s)
    errors.update(gain: k, covariance: g, variance: s)
    let c = k * innovation
    typealias E = NavigationError
    position += SIMD2(c[E.position], c[E.position + 1])
    velocity += SIMD2(c[E.velocity], c[E.velocity + 1])
    receiverError += SIMD2(c[E.receiver], c[E.receiver + 1])
    delay = min(max(0, delay + c[E.delay]), parameters.longestReceiverDelay)
    guard let current = attitude else { return }
    attitude =
      Rotation<EarthFrame, EarthFrame>(rotationVector: c[block: E.attitude]) * current
    rateBias += c[block: E.rate]
    forceBias += c[block: E.force]
  }

  /// Whether the receiver's velocities or successive positions have determined the velocity.
  var isVelocityKnown: Bool { velocityVarianceAtFix < parameters.knownVelocity.squared }

  // MARK: Result

  /// The position and velocity at an instant after the newest sample; nil without a recent fix.
  public func solution(at t: Timestamp) -> PositionSolution? {
    guard let plane, let timestamp, let lastFix else { return nil }
    let age = t.seconds(since: lastFix)
    // Without a known velocity the last position is soon out of date.
    guard age <= parameters.briefOutage || isVelocityKnown else { return nil }
    guard age <= (attitude == nil ? parameters.longestOutage : parameters.longestInertialOutage)
    else { return nil }
    typealias E = NavigationError
    let dt = max(0, t.seconds(since: timestamp))
    let out = attitude == nil ? outage(in: dt, fixAge: age) : 0
    let memory = parameters.velocityMemory
    let kept = Double.exp(-out / memory)
    let moved = isStanding ? 0 : dt - out + memory * (1 - kept)
    let q = attitude == nil ? accelerationNoise * accelerationNoise : 0
    let limit = usualSpeed * usualSpeed
    func covariance(_ i: Int, _ j: Int) -> Double {
      // Position with the receiver's error, which the given position has taken up, and its own
      // size.
      let r = E.receiver
      var x = errors[i, j] + errors[i, r + j] + errors[r + i, j] + errors[r + i, r + j]
      x += moved * (errors[i, E.velocity + j] + errors[E.velocity + i, j])
      x += moved * moved * errors[E.velocity + i, E.velocity + j]
      guard i == j else { return x }
      let speed = min(q * dt, limit)
      return x + statedSigma * statedSigma + speed * dt * dt / 3
    }
    let doubt = outageErrorFactor(fixAge: age)
    let c =
      SIMD3(covariance(0, 0), covariance(1, 1), covariance(0, 1))
      * SIMD3(repeating: doubt * doubt)
    func speed(_ i: Int, _ j: Int) -> Double {
      let x = errors[E.velocity + i, E.velocity + j] * (kept * doubt).squared
      return i == j ? x + q * dt + limit * (1 - kept * kept) : x
    }
    let given = t == lastFix ? lastPlace : nil
    let place = given ?? plane.place(at: position + offset + velocity * moved)
    let accuracy =
      Fix.sigmasIn68PercentRadius
      * (given == nil ? (max(0, c.x + c.y) / 2).squareRoot() : statedSigma)
    guard given != nil || accuracy <= parameters.widestAccuracy else { return nil }
    return PositionSolution(
      position: place, horizontalAccuracyMetres: accuracy,
      positionCovariance: c,
      velocity: Self.turned(velocity * kept, by: convergence(at: place)),
      velocityCovariance: SIMD3(speed(0, 0), speed(1, 1), speed(0, 1)), fixTimestamp: lastFix,
      fixAgeSeconds: age,
      isInertial: attitude != nil, isStanding: isStanding)
  }
}

extension Fix {
  /// Removes speed and course, which are wrong.
  public mutating func forgetVelocity() {
    (velocity, speedMetresPerSecond, course) = (nil, nil, nil)
    (speedAccuracyMetresPerSecond, courseAccuracy) = (nil, nil)
    velocityCovarianceSquareMetresPerSecondSquared = nil
  }
}
