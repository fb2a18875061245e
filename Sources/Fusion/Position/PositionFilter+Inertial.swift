import EarthModel
import Quantities
import RealModule

/// Inertial samples of the present interval.
struct InertialSum: Sendable {
  /// Integral of the specific force along the earth's axes, m/s.
  var push = SIMD3<Double>.zero
  /// Integral of the rotation from body to earth, s.
  var turned = Matrix3.zero
  /// Integral of the squared rate, rad²/s.
  var rateSquared = 0.0
  /// Integral of the squared acceleration, m²/s³.
  var forceSquared = 0.0
  var seconds = 0.0
}

extension PositionFilter {
  /// How far the compass of a vehicle is from its heading by course, rad; nil where they agree, and
  /// without both.
  public var compassContradiction: Double? { agreement.contradicts ? agreement.difference : nil }

  /// Integrates an inertial sample. Without an attitude, and without a fix, it does nothing.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let w = sample.angularRate?.components, let f = sample.specificForce?.components,
      StrapdownFilter.isPlausible(rate: w, force: f)
    else { return }
    let elapsed = lastInertial.map { sample.timestamp.seconds(since: $0) } ?? 1
    guard elapsed > 0 else { return }
    lastInertial = sample.timestamp
    inertialCount = elapsed <= parameters.longestStep ? min(inertialCount + 1, 1000) : 0
    guard let current = attitude, let from = timestamp, let plane else { return }
    let dt = sample.timestamp.seconds(since: from)
    guard dt > 0 else { return }
    guard elapsed <= parameters.longestStep * 3 else {
      stopInertial()
      return
    }
    timestamp = sample.timestamp
    integrate(current, w - rateBias, f - forceBias, dt, plane)
    if sum.seconds >= parameters.interval { growInertialErrors() }
  }

  private mutating func integrate(
    _ current: Rotation<BodyFrame, EarthFrame>, _ w: SIMD3<Double>, _ f: SIMD3<Double>,
    _ dt: Double, _ plane: LocalPlane
  ) {
    // The earth's rotation along north and down.
    let latitude = plane.origin.latitude.radians
    let spin = SIMD3(
      Self.earthRate * Double.cos(latitude), 0, -Self.earthRate * Double.sin(latitude))
    let before = Matrix3(current)
    let rate = w - before.transposed * spin
    var next = current * Rotation<BodyFrame, BodyFrame>(rotationVector: rate * dt)
    next.renormalize()
    let matrix = Matrix3(next)
    // The force between both attitudes.
    let force = (before * f + matrix * f) * 0.5
    // Twice the cross product with the spin, horizontal part.
    let a = SIMD2(
      force.x + 2 * spin.z * velocity.y, force.y - 2 * spin.z * velocity.x)
    position += velocity * dt + a * (dt * dt / 2)
    velocity += a * dt
    attitude = next
    // A receiver does not see vibration.
    let share = dt / (dt + 0.3)
    turned += (rate - turned) * share
    acceleration += (a - acceleration) * share
    sum.push += force * dt
    sum.turned = sum.turned + matrix * dt
    sum.rateSquared += w.lengthSquared * dt
    sum.forceSquared += a.lengthSquared * dt
    sum.seconds += dt
  }

  /// WGS 84's rate of rotation, rad/s (NIMA TR8350.2, table 3.1).
  private static var earthRate: Double { 7.292_115e-5 }

  private mutating func growInertialErrors() {
    typealias E = NavigationError
    let (p, t) = (parameters, sum.seconds)
    errors.propagate(push: sum.push, turned: sum.turned, seconds: t)
    errors.grow(
      E.velocity, count: 2,
      by: p.forceNoise * p.forceNoise * t + p.forceScaleNoise * p.forceScaleNoise * sum.forceSquared
    )
    errors.grow(
      E.attitude, count: 3,
      by: p.rateNoise * p.rateNoise * t + p.rateScaleNoise * p.rateScaleNoise * sum.rateSquared)
    errors.grow(E.rate, count: 3, by: p.rateBiasDrift * p.rateBiasDrift * t)
    errors.grow(E.force, count: 3, by: p.forceBiasDrift * p.forceBiasDrift * t)
    errors.grow(E.delay, by: p.receiverDelayDrift.squared * t)
    sum = InertialSum()
    absorbReceiverError(seconds: t)
    guard let timestamp else { return }
    if let constrained, timestamp.seconds(since: constrained) < 0.5 { return }
    constrained = timestamp
    guard !isStanding else { return holdStill(seconds: 0.5) }
    followBow()
    if isInOutage { boundVelocity(seconds: 0.5) }
  }

  /// A vehicle that follows its bow has no speed sideways.
  private mutating func followBow() {
    guard isVehicle || bow.isFollowed, let heading = headingNow else { return }
    let speed = velocity.length
    guard speed > 1 else { return }
    typealias E = NavigationError
    // On a vehicle the board is known to point along the bow: a lasting difference is an error of
    // the heading.
    let angle = heading + (isVehicle ? 0 : bow.angle)
    let (c, s) = (Double.cos(angle), Double.sin(angle))
    let forward = velocity.x * c + velocity.y * s
    let sideways = velocity.y * c - velocity.x * s
    let p = parameters
    if forward > p.fastestProvenReverse, !isInOutage { bow.prove() }
    let fastest = bow.isProven && !isInOutage ? p.fastestProvenReverse : p.fastestReverse
    if isVehicle, forward < -fastest {
      driveForward(forward, along: SIMD2(c, s))
      return
    }
    bow.endReverse()
    var h = ErrorVector.zero
    h[E.velocity] = -s
    h[E.velocity + 1] = c
    h[E.heading] = -forward
    let sigma = p.sidewaysSpeed + 0.02 * speed
    measure(h, -sideways, variance: sigma * sigma * 2)
  }

  /// No vehicle drives backwards fast: in an outage the velocity has drifted, and with fixes the
  /// heading is half a turn off.
  private mutating func driveForward(_ forward: Double, along axis: SIMD2<Double>) {
    guard let timestamp else { return }
    bow.addReverse(seconds: 0.5)
    if isInOutage {
      typealias E = NavigationError
      var h = ErrorVector.zero
      (h[E.velocity], h[E.velocity + 1]) = (axis.x, axis.y)
      measure(h, -forward, variance: parameters.fastestReverse.squared)
    } else if bow.reversed >= parameters.longestReverse {
      bow.endReverse()
      pauseInertial(until: timestamp)
    }
  }

  /// The heading of the body's forward axis, true, rad.
  var headingNow: Double? { attitude.map { Self.heading(of: $0) } }

  /// The heading of the body's forward axis from the north of an attitude, rad.
  private static func heading<Earth: Frame>(of attitude: Rotation<BodyFrame, Earth>) -> Double {
    let m = Matrix3(attitude)
    return Double.atan2(y: m.r1.x, x: m.r0.x)
  }

  /// Learns by how much course and heading differ.
  mutating func learnBow(_ fix: Fix) {
    guard let heading = headingNow, let course = fix.course, let speed = fix.speedMetresPerSecond,
      speed > 4, abs(turned.z) < 0.2
    else { return }
    bow.add(course.radians - heading, seconds: 1)
  }

  /// The attitude of the attitude filter: the start of inertial navigation, and later a weak
  /// measurement of heading.
  ///
  /// - Parameters:
  ///   - other: From body to earth with any north.
  ///   - north: The direction of that north; nil if it is unknown. In a vehicle the course is used
  ///     in place of a compass.
  ///   - bias: The gyroscope's bias by the attitude filter, rad/s.
  ///   - rateBiasSigma: Its error, one sigma on each axis, rad/s.
  ///   - isAtRest: Whether the body lies still.
  ///   - t: The time.
  public mutating func orient(
    _ other: Rotation<BodyFrame, MagneticEarthFrame>, north: KnownNorth?,
    rateBias bias: SIMD3<Double>, rateBiasSigma: SIMD3<Double>, isAtRest: Bool, at t: Timestamp
  ) {
    if isAtRest != self.isAtRest { (self.isAtRest, restChanged) = (isAtRest, t) }
    guard let current = attitude else {
      if isVehicle { compareWithCourse(other, north) }
      startInertial(other, north: north, rateBias: bias, rateBiasSigma: rateBiasSigma, at: t)
      return
    }
    guard let north, north.sigma < Self.roughHeading, let compass, t.seconds(since: compass) >= 1
    else { return }
    self.compass = t
    let difference =
      Angle(radians: Self.turn(from: current, to: other) + north.turn).wrappedToHalfTurn
      .radians
    let h = NavigationError.heading
    let known = north.sigma * north.sigma
    let s = errors[h, h] + known
    if isVehicle {
      // The course takes precedence: the compass may be uncalibrated, or beside a loudspeaker's
      // magnet.
      let gate = parameters.compassGate * s.squareRoot()
      agreement.add(difference, gate: gate, isMoving: velocity.length > parameters.leastCourseSpeed)
      if abs(difference) > gate || agreement.contradicts { return }
      if abs(difference) < .pi / 2 { bow.prove() }
    }
    let doubt = max(1, difference * difference / s / 4)
    measure(
      ErrorVector(mask: h..<h + 1), difference,
      variance: known * north.errorSeconds * doubt)
  }

  /// At each fix without inertial navigation: the turn since the fix before, and the comparison of
  /// a vehicle's compass with its course, on straight ways.
  private mutating func compareWithCourse(
    _ other: Rotation<BodyFrame, MagneticEarthFrame>, _ north: KnownNorth?
  ) {
    let heading = Self.heading(of: other)
    guard let lastFix, isVelocityKnown, agreement.begin(at: lastFix, heading: heading) else {
      return
    }
    guard let north, north.isCompass else { return }
    let course = Double.atan2(y: velocity.y, x: velocity.x)
    let error = north.sigma * north.sigma + 4 * parameters.courseHeading.squared
    let difference = Angle(radians: heading + north.turn - course).wrappedToHalfTurn.radians
    agreement.addAtFix(
      difference, gate: parameters.compassGate * error.squareRoot(),
      isMoving: velocity.length > parameters.leastCourseSpeed,
      mayReverse: abs(difference) > Self.opposite && north.sigma < Self.roughHeading
        && velocity.length < parameters.fastestProvenReverse)
  }

  /// Variance of the velocity for a course, (m/s)². Where the receiver reports no velocity, it is
  /// that of the velocity between its positions over some seconds.
  private var courseVariance: Double {
    velocityVarianceAtFix
      + (hasReceiverVelocity ? 0 : (statedSigma / parameters.courseBase).squared)
  }

  /// Difference of compass and course from which a vehicle may drive backwards, rad.
  private static var opposite: Double { 135 * .pi / 180 }

  /// Heading error above which inertial navigation does not start, one sigma, rad.
  private static var roughHeading: Double { 0.5 }

  private mutating func startInertial(
    _ other: Rotation<BodyFrame, MagneticEarthFrame>, north: KnownNorth?,
    rateBias bias: SIMD3<Double>, rateBiasSigma: SIMD3<Double>, at t: Timestamp
  ) {
    guard inertialCount > 20, let lastFix, t.seconds(since: lastFix) < 2,
      barredUntil.map({ t > $0 }) ?? true
    else { return }
    let turn: Double
    let sigma: Double
    let heading = Self.heading(of: other)
    if isVehicle, north?.isCompass ?? true {
      // Not by the compass: with a compass that is half a turn off, the vehicle would seem to drive
      // backwards, and nothing would contradict it.
      let square = velocity.lengthSquared
      guard isVelocityKnown, square > max(parameters.leastCourseSpeed.squared, 9 * courseVariance),
        agreement.isStraight(to: heading, sinceFixAt: lastFix),
        !agreement.mayReverse || agreement.contradicts
      else { return }
      turn = Double.atan2(y: velocity.y, x: velocity.x) - heading
      sigma = (parameters.courseHeading.squared + courseVariance / square).squareRoot()
    } else if let north, north.sigma < Self.roughHeading {
      (turn, sigma) = (north.turn, north.sigma)
    } else {
      return
    }
    // From here on the position goes with the inertial samples.
    advance(to: t)
    attitude = Rotation<MagneticEarthFrame, EarthFrame>(rotationVector: SIMD3(0, 0, turn)) * other
    moveToUnit()
    (rateBias, forceBias) = (bias, .zero)
    (sum, divergence, compass) = (InertialSum(), 1, t)
    bow.beginHeading()
    resetInertialErrors(headingSigma: sigma, rateBiasSigma: rateBiasSigma)
  }

  private mutating func resetInertialErrors(headingSigma: Double, rateBiasSigma: SIMD3<Double>) {
    typealias E = NavigationError
    let p = parameters
    for i in 0..<3 {
      errors.reset(E.attitude + i, variance: p.initialTilt.squared)
      errors.reset(E.rate + i, variance: max(p.initialRateBias, rateBiasSigma[i]).squared)
      errors.reset(E.force + i, variance: p.initialForceBias.squared)
    }
    errors.grow(E.heading, by: headingSigma.squared)
  }

  /// The turn about the vertical, clockwise, that takes one attitude nearest to another, rad.
  static func turn<A: Frame, B: Frame>(
    from x: Rotation<BodyFrame, A>, to y: Rotation<BodyFrame, B>
  ) -> Double {
    let (a, b) = (Matrix3(y), Matrix3(x))
    return Double.atan2(y: a.r1.dot(b.r0) - a.r0.dot(b.r1), x: a.r0.dot(b.r0) + a.r1.dot(b.r1))
  }

  /// The attitude and velocity of inertial navigation, for the attitude filter and the heading; nil
  /// while no samples are integrated.
  public var inertialSolution: InertialSolution? {
    guard let attitude, let timestamp else { return nil }
    let (v, h) = (NavigationError.velocity, NavigationError.heading)
    let sigma = (max(0, errors[v, v] + errors[v + 1, v + 1]) / 2).squareRoot()
    return InertialSolution(
      timestamp: timestamp, attitude: attitude, velocity: velocity, velocitySigma: max(sigma, 0.05),
      headingSigma: max(0, errors[h, h]).squareRoot())
  }

  /// Position and velocity of the antenna relative to the inertial unit, along north and east.
  var arm: (place: SIMD2<Double>, speed: SIMD2<Double>) {
    guard antennaMetres != .zero, let attitude else { return (.zero, .zero) }
    let place = attitude.rotate(antennaMetres)
    let speed = attitude.rotate(turned.cross(antennaMetres))
    return (SIMD2(place.x, place.y), SIMD2(speed.x, speed.y))
  }

  /// Moves the position from the antenna to the inertial unit, once the attitude is known.
  private mutating func moveToUnit() { position -= arm.place }

  /// Continues without inertial samples, as after a change of the mount.
  public mutating func stopInertial() {
    guard attitude != nil else { return }
    position += arm.place
    attitude = nil
    (sum, acceleration, turned) = (InertialSum(), .zero, .zero)
    inertialCount = 0
    typealias E = NavigationError
    for i in E.attitude..<E.receiver { errors.reset(i, variance: 0) }
    errors.reset(E.delay, variance: errors[E.delay, E.delay])
  }

  /// Continues without inertial samples for a while, because they contradict the receiver.
  mutating func pauseInertial(until t: Timestamp) {
    stopInertial()
    (barredUntil, divergence) = (t, 1)
    // What contradicted the receiver may have been taken for a delay.
    resetDelay()
    for i in 0..<2 { errors.grow(NavigationError.velocity + i, by: 4) }
    errors.grow(NavigationError.position, count: 2, by: 25)
  }

  /// Attitude and biases, which remain valid after a new start at another place.
  var inertialState: (Rotation<BodyFrame, EarthFrame>, SIMD3<Double>, SIMD3<Double>)? {
    attitude.map { ($0, rateBias, forceBias) }
  }

  mutating func restore(_ kept: (Rotation<BodyFrame, EarthFrame>, SIMD3<Double>, SIMD3<Double>)) {
    (attitude, rateBias, forceBias) = kept
    moveToUnit()
    resetInertialErrors(headingSigma: 0, rateBiasSigma: .zero)
  }
}
