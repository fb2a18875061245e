import Quantities
import RealModule

/// The explanations of the field: the filter's own and two that compete with it.
///
/// `own` assumes that the iron beyond the calibration is small. `free` assumes nothing of iron or
/// heading. `turned` assumes the iron of `own` and leaves the heading free. A field that fits none,
/// such as that of a passing magnet, has little weight and changes nothing.
struct FieldModel: Equatable, Sendable {
  private(set) var own = FieldExplanation()
  private(set) var free = FieldExplanation()
  private(set) var turned = FieldExplanation()
  /// Estimated local field distortion, microtesla² along each axis.
  private(set) var roomVariance = 0.0
  /// The magnetometer's latency after the gyroscope, s, and its variance.
  private(set) var latency = 0.0
  private var latencyVariance = 0.0

  /// The result of one measurement for the heading.
  struct Verdict {
    /// The field in the earth frame without the body's iron.
    var clean = SIMD3<Double>.zero
    /// Rotation of the earth frame by another explanation that has replaced `own`, rad, and its
    /// variance.
    var turn: Double?
    var turnVariance = 0.0
    /// The heading error according to the field, rad, and its variance.
    var error = 0.0
    var variance = 0.0
    /// False if the field does not fit, so that the heading relies on the gyroscope.
    var isFamiliar = true
  }

  var isStarted: Bool { own.isOn }
  /// Iron that moves with the body, beyond its calibration, microtesla, body frame.
  var iron: SIMD3<Double> { own.iron }
  /// The earth's field here.
  var earth: EarthField { EarthField(horizontal: own.horizontal, down: own.earth.z) }

  /// Starts with a field in the earth frame, north along x.
  mutating func start(_ z: SIMD3<Double>, _ p: StrapdownFilter.Parameters) {
    own.begin(
      z, horizontalSigma: p.initialStrengthSigma, downSigma: p.initialStrengthSigma,
      ironSigma: p.ironSigma)
    free.begin(
      z, horizontalSigma: p.freeIronSigma, downSigma: p.freeIronSigma, ironSigma: p.freeIronSigma)
    turned.end()
    roomVariance = 2 * p.roomSigma * p.roomSigma
    latencyVariance = p.initialLatencySigma * p.initialLatencySigma
  }

  /// Restarts with the earth's field of a calibration.
  mutating func restart(_ field: EarthField, ironSigma: Double, _ p: StrapdownFilter.Parameters) {
    let wasStarted = isStarted
    start(SIMD3(field.horizontal, 0, field.down), p)
    own.begin(
      SIMD3(field.horizontal, 0, field.down), horizontalSigma: p.recalibratedStrengthSigma,
      downSigma: p.recalibratedStrengthSigma, ironSigma: max(p.ironSigma, ironSigma))
    if !wasStarted { own.end() }
  }

  /// Resets the direction of north; iron, strength and latency remain.
  mutating func loseNorth() {
    turn(by: -Double.atan2(y: own.earth.y, x: own.earth.x))
    turned.end()
  }

  /// Applies a rotation of the filter's earth frame about the vertical.
  mutating func turn(by angle: Double) {
    own.turn(by: angle)
    free.turn(by: angle)
    turned.turn(by: angle)
  }

  /// Processes a mean field.
  ///
  /// - Parameters:
  ///   - z: The field, earth frame, microtesla.
  ///   - turning: Rate x field, earth frame, microtesla/s.
  ///   - rotation: Body to earth.
  ///   - t: The duration of the measurement, s.
  ///   - isMoving: True where the body moves.
  ///   - p: The tuning parameters.
  /// - Returns: The result for the heading.
  mutating func update(
    _ z: SIMD3<Double>, turning: SIMD3<Double>, rotation: Matrix3, seconds t: Double,
    isMoving: Bool, _ p: StrapdownFilter.Parameters
  ) -> Verdict {
    let (drift, ironDrift) = (p.strengthDrift.squared * t, p.ironDrift.squared * t)
    own.grow(earth: drift, iron: ironDrift)
    let (r, variance) = own.innovation(z, rotation)
    let misfit = r.lengthSquared / (roomVariance + variance)
    var weight = min(1, p.foreignGate / misfit)
    if isMoving { own.provenSeconds += t * weight * weight }
    watchRoom(r, variance, t, p)
    own.weigh(weight: weight, seconds: t)
    let share = t / max(p.bendTime, t)
    own.measure(z, rotation, variance: roomVariance / (share * weight * weight))
    let ownLikelihood = likelihood(misfit, variance)
    var verdict = Verdict()
    for isFree in [true, false] where compete(z, rotation, ownLikelihood, isFree: isFree, t, p) {
      let angle = -Double.atan2(y: own.earth.y, x: own.earth.x)
      verdict.turn = angle
      let sigma = own.horizontalSigma / own.horizontal
      verdict.turnVariance = min(sigma * sigma + 0.01, 0.9 * p.roughHeadingSigma.squared)
      turn(by: angle)
      weight = 1
      break
    }
    if verdict.turn == nil { learnLatency(r, turning, weight: weight, seconds: t, p) }
    let now = verdict.turn.map { z.turnedAboutVertical(by: $0) } ?? z
    let iron = (rotation * own.iron).turnedAboutVertical(by: verdict.turn ?? 0)
    verdict.clean = now - iron
    verdict.error = Double.atan2(y: verdict.clean.y, x: verdict.clean.x)
    let horizontal = max(own.horizontal, p.weakestHorizontal)
    verdict.variance = roomVariance / (horizontal * horizontal * share * weight * weight)
    verdict.isFamiliar = weight > 0.5
    return verdict
  }

  // MARK: Competition

  /// - Returns: True if the other explanation has become the own one.
  private mutating func compete(
    _ z: SIMD3<Double>, _ rotation: Matrix3, _ ownLikelihood: Double, isFree: Bool,
    _ t: Double, _ p: StrapdownFilter.Parameters
  ) -> Bool {
    var other = isFree ? free : turned
    defer {
      if isFree { free = other } else { turned = other }
    }
    let isMature = own.provenSeconds > p.matureTime
    // As a parameter: a captured variable is allocated.
    func begin(_ other: inout FieldExplanation) {
      let down =
        isMature ? (9 + roomVariance + own.downVariance).squareRoot() : p.freeIronSigma
      other.begin(
        isFree ? z : z - rotation * own.iron, iron: isFree ? .zero : own.iron,
        horizontalSigma: p.freeIronSigma, downSigma: down,
        ironSigma: isFree ? p.freeIronSigma : p.ironSigma)
    }
    if !other.isOn {
      guard own.agreement < 0.5 else { return false }
      begin(&other)
    }
    other.grow(earth: p.strengthDrift.squared * t, iron: p.ironDrift.squared * t)
    let (r, variance) = other.innovation(z, rotation)
    let misfit = r.lengthSquared / (roomVariance + variance)
    let weight = min(1, p.foreignGate / misfit)
    let more = likelihood(misfit, variance) - ownLikelihood
    let share = t / max(p.otherBendTime, t)
    other.measure(z, rotation, variance: roomVariance / (share * weight * weight))
    other.weigh(evidence: share * more, weight: weight, seconds: t)
    let h = other.horizontal
    let rival = isFree ? turned : free
    // With a wrong heading only, strength and dip are unchanged.
    let change = SIMD2(h - own.horizontal, other.earth.z - own.earth.z)
    let isUsual =
      isFree
      ? !isMature || abs(change.x) < 0.35 * own.horizontal
      : (change * change).sum() < (0.2 * own.horizontal).squared
    if other.evidence > p.evidenceGate, !rival.isOn || other.evidence >= rival.evidence,
      other.seconds > p.leastCompetition, other.agreement > 0.7, isUsual,
      other.horizontalSigma < 0.25 * h
    {
      own = other
      own.becomeOwn()
      // Iron found only in part is still searched for.
      if isFree {
        other.becomeOwn()
      } else {
        other.end()
        // Its evidence was against the explanation that was replaced.
        free.becomeOwn()
      }
      turned.end()
      return true
    }
    let isWorse = other.evidence < -2 || other.horizontalSigma < p.testedSigma * h
    if (own.agreement > 0.8 && other.evidence < 2 && isWorse) || other.evidence < -6 {
      other.end()
    } else if other.seconds > 4, other.agreement < 0.5 {
      begin(&other)
    }
    return false
  }

  /// The logarithm of the likelihood of an innovation of three components, with a share of
  /// outliers.
  private func likelihood(_ misfit: Double, _ variance: Double) -> Double {
    let stray = 0.02
    let ratio = roomVariance / (roomVariance + variance)
    let regular = ratio * ratio.squareRoot() * Double.exp(-misfit / 2)
    return Double.log((1 - stray) * regular + 0.3 * stray)
  }

  /// Estimates the local field distortion. The contribution of a magnet is limited.
  private mutating func watchRoom(
    _ r: SIMD3<Double>, _ variance: Double, _ t: Double, _ p: StrapdownFilter.Parameters
  ) {
    let (least, most) = (p.roomSigma * p.roomSigma, p.largestRoomSigma * p.largestRoomSigma)
    let square = r.lengthSquared / 3
    let known = min(max(square - variance, 0), 4 * roomVariance)
    roomVariance += (known - roomVariance) * min(1, t / p.roomTime)
    roomVariance = min(max(roomVariance, least), most)
  }

  /// Estimates the latency from the field residual during a turn. The component along the heading
  /// direction is left out: it cannot be separated from a heading error.
  private mutating func learnLatency(
    _ r: SIMD3<Double>, _ turning: SIMD3<Double>, weight: Double, seconds t: Double,
    _ p: StrapdownFilter.Parameters
  ) {
    latencyVariance += p.latencyDrift * p.latencyDrift * t
    guard weight > 0.99, own.horizontal > p.weakestHorizontal else { return }
    let n = SIMD3(-own.earth.y, own.earth.x, 0) / own.horizontal
    let rest = r - n * r.dot(n)
    let turn = turning - n * turning.dot(n)
    let square = turn.lengthSquared
    let noise = roomVariance * p.latencyBendTime / t
    let gain = latencyVariance / (square * latencyVariance + noise)
    latency += gain * turn.dot(rest)
    latency = min(max(latency, -p.largestLatency / 2), p.largestLatency)
    latencyVariance -= gain * square * latencyVariance
  }

  mutating func code(_ c: inout StateCoder) {
    own.code(&c)
    free.code(&c)
    turned.code(&c)
    c.code(&roomVariance)
    c.code(&latency)
    c.code(&latencyVariance)
  }
}

extension EarthField {
  /// The components of a field in the earth frame, microtesla; its azimuth is not used.
  init(of z: SIMD3<Double>) {
    self.init(horizontal: (z.x * z.x + z.y * z.y).squareRoot(), down: z.z)
  }
}

extension SIMD3<Double> {
  fileprivate func turnedAboutVertical(by angle: Double) -> Self {
    let (c, s) = (Double.cos(angle), Double.sin(angle))
    return SIMD3(c * x - s * y, s * x + c * y, z)
  }
}

extension Double {
  var squared: Double { self * self }
}
