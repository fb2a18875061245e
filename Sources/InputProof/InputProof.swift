import Quantities
import RealModule

/// Proves or contradicts what a board's sensors claim, by physics, from any motion. The README has
/// the model and its limits.
///
/// - Accuracy: on 55 recordings by others (BROAD, phones, T-stick, flights, cars) none is
///   contradicted; with wrong axes of the magnetometer in a hand or a pocket 93 to 97 % are found
///   within 90 s. Documentation/Benchmarks.md has the tables.
public struct InputProof: Sendable {
  /// Pauses after which the turn is unknown, s; inertial: `pauseIntervals`, within these limits.
  private static let longestPause = (inertial: 0.1...0.3, field: 1.5)
  private static let pauseIntervals = 2.5
  /// Time without usable rates after which the board is judged as one without a gyroscope, s.
  private static let lost = 10.0
  /// The time over which inertial samples are averaged, s.
  private static let meanSeconds = 0.0075
  /// Largest usable turn between two field samples, rad. A larger one at a rate above `otherUnit`,
  /// rad/s, is in another unit and is used too.
  private static let (largestTurn, otherUnit) = (1.0, 40.0)
  /// Largest force that is a measurement, m/s2 or mg.
  private static let largestForce = 1e5
  /// The length of a block of field and gravity, s.
  private static let blockSeconds = 0.25
  /// The force is gravity where its scatter within a block and the difference of its length from
  /// the usual one are below these shares.
  private static let calm = (scatter: 0.06, distance: 0.03)
  /// The `calm` limits where the iron is known: accelerations then only add scatter.
  private static let moderate = (scatter: 0.3, distance: 0.1)
  /// A sensor is contradicted if its fault has more than `fault` and no fault less than `none`
  /// probability. Below `disagreement` a fault is reported even if its axes are not known.
  private static let certain = (fault: 0.5, none: 1e-6, disagreement: 1e-12)
  /// The probability of one sensor's axes and their mirror image above which a verdict names them.
  private static let named = 0.9
  /// The probability of wrong axes, relative to the prior, below which they are proven right.
  private static let proven = 0.02
  /// The share of errors beyond a stated accuracy, which is a bound of 95 %.
  private static let leftOut = 0.05
  /// Factors that are no fault: those of a sensor's scale, a bank of 50 degrees and soft iron.
  private static let right = (force: 0.6...1.6, rate: 0.7...1.4, field: 0.5...2.0)
  /// Strengths that may be the earth's field with iron beside it, microtesla: from about 3/4 of its
  /// least to about twice its greatest, 22 and 67. Source: WMM2025.
  private static let earth = 16.0...130.0
  private static let usualStrength = 45.0
  /// A rate's scale outside this range is that of another unit, not of another range of a chip.
  private static let rateWithoutUnit = 0.04...25.0
  private static let gravity = 9.806_65
  /// Delays that are no fault, s. Field: those that the heading filter estimates, and those of slow
  /// chips. Gravity: accelerations of a turning board shift the delay by 0.1 s more.
  private static let (usualDelay, usualForceDelay) = (-0.1...0.13, -0.2...0.2)
  /// Delays of field and gravity that differ by less are one delay of the gyroscope, s.
  private static let sameDelay = 0.12
  /// Rates of a clock that are right, and those with which turns are still usable.
  private static let (usualClock, usableClock) = (0.98...1.02, 0.7...1.4)
  /// Angle of the drive from the forward axis: right below the first, wrong above the second, rad.
  private static let (forward, sideways) = (25 * Double.pi / 180, 45 * Double.pi / 180)
  /// Time constant of the usual rate of turn, s.
  private static let rateMemory = 20.0

  /// What is known so far.
  public private(set) var verdicts = InputVerdicts()
  /// The bound of 95 % of the heading errors that possible faults cause: zero where wrong axes are
  /// less probable than 5 %, half a turn while a sensor of the heading is contradicted.
  public private(set) var doubt = Angle.zero

  private var share: Double
  private var turning = RotationRelation(hasOffset: false)
  private var fieldTurning = RotationRelation(hasOffset: true)
  private var dip = DipRelation()
  private var sphere = FieldSphere()
  private var pressure = PressureProof()
  private var forceScale = ScaleEvidence(windows: 40, agreement: 1.05)
  private var rateScale = ScaleEvidence(windows: 3, agreement: 1.15)
  private var fieldScale = ScaleEvidence(windows: 2, agreement: 1.4)
  private var sphereScale = ScaleEvidence(windows: 2, agreement: 1.4)
  /// The earth's field at this place.
  private var expectedMicrotesla: Double?
  private var fieldDelay = SampleDelay(hasOffset: true)
  private var forceDelay = SampleDelay(hasOffset: false)
  private var clock = ClockRate()
  private var drive = ForwardDirection()
  /// From the board's axes to those of a vehicle on wheels; nil without one or a known mount.
  private let vehicleMounting: Matrix3?
  /// The usual rate of turn, squared, rad²/s².
  private var squaredRate = 0.0

  private var lastRate: (value: SIMD3<Double>, at: Timestamp)?
  /// The time of the newest rate, before a pause too, and the usual interval of the rates, s.
  private var (newestRate, rateInterval) = (Timestamp?.none, 0.0)
  /// The end of the newest turn that is known.
  private var newestTurn: Timestamp?
  private var lastForce: SIMD3<Double>?
  /// A force that came without a rate, as from two chips that are read in turn.
  private var waitingForce: SIMD3<Double>?
  private var gathered = Gathered()
  private var ranges = (rate: MeasuringRange(), force: MeasuringRange(), field: MeasuringRange())
  /// The turn since the newest force, rad.
  private var turnedSinceForce = SIMD3<Double>.zero
  private var lastField: (value: SIMD3<Double>, at: Timestamp)?
  /// The turn since the newest field, rad, and its integral over time, rad s.
  private var turned = (turn: SIMD3<Double>.zero, moment: SIMD3<Double>.zero, isWhole: false)
  private var block = Block()
  /// The usual length of the force of calm blocks.
  private var usualForce: Double?
  private var hasGyroscope = false
  /// Whether a turn has shown the hard iron since the field was last compared with gravity.
  private var isIronNew = false

  /// Inertial samples of a short time.
  private struct Gathered: Sendable {
    var start: Timestamp?
    var (force, rate) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    var (forces, rates) = (0.0, 0.0)
    var isCutOff = (force: false, rate: false)

    init(start: Timestamp? = nil) { self.start = start }
  }

  private struct Block: Sendable {
    var start: Timestamp?
    var field = SIMD3<Double>.zero
    var fields = 0.0
    var force = SIMD3<Double>.zero
    var lengths = (sum: 0.0, square: 0.0)
    var forces = 0.0
    /// Whether a force was at the end of its range.
    var isCutOff = false
  }

  /// Makes a proof without samples.
  /// - Parameters:
  ///   - hasSourcedMount: Whether the axes come from a data sheet, a test or a calibration.
  ///   - vehicleMounting: From the board's axes to those of a vehicle on wheels; nil without one.
  public init(
    hasSourcedMount: Bool = false, vehicleMounting: Rotation<SensorFrame, BodyFrame>? = nil
  ) {
    self.vehicleMounting = vehicleMounting.map { Matrix3($0) }
    share = hasSourcedMount ? AxisPosterior.sourced : 1
    judgeAxes()
  }

  /// Takes the axes as sourced from now on: a fit of the field has confirmed them.
  public mutating func trustMount() {
    guard share != AxisPosterior.sourced else { return }
    share = AxisPosterior.sourced
    judgeAxes()
  }

  /// Sets the earth's field at this place.
  public mutating func expect(_ field: EarthField) {
    expectedMicrotesla = field.total
    if dip.expect(sineOfDip: Double.sin(field.dip.radians)) { judgeAxes() }
  }

  /// Adds all samples of a row, along the board's axes and without any calibration.
  public mutating func add(_ row: SensorSamples) {
    if let sample = row.inertial { add(sample) }
    if let sample = row.field { add(sample) }
    if let sample = row.pressure {
      pressure.add(sample)
      judgeScales()
    }
    if row.hasFix, let fix = row.fix { add(fix) }
  }

  // MARK: Samples

  private mutating func add(_ sample: InertialSample<SensorFrame>) {
    let t = sample.timestamp
    // The mean of a short time: gyroscope and accelerometer may be two chips, and faster samples
    // show no more.
    if let force = sample.specificForce?.components, force.isFinite {
      gathered.force += force
      gathered.forces += 1
      if ranges.force.cutsOff(force) { gathered.isCutOff.force = true }
    }
    if let rate = sample.angularRate?.components, rate.isFinite {
      gathered.rate += rate
      gathered.rates += 1
      if ranges.rate.cutsOff(rate) { gathered.isCutOff.rate = true }
    }
    guard let start = gathered.start, t >= start else {
      gathered.start = t
      return
    }
    guard t.seconds(since: start) >= Self.meanSeconds else { return }
    let mean = gathered
    gathered = Gathered(start: t)
    if mean.isCutOff.force {
      block.isCutOff = true
      interruptForce()
    }
    if mean.isCutOff.rate {
      interruptTurn()
      // The gyroscope works, only its range has ended.
      newestTurn = newestTurn.map { max($0, t) }
    }
    add(
      force: mean.forces > 0 && !mean.isCutOff.force ? mean.force / mean.forces : nil,
      rate: mean.rates > 0 && !mean.isCutOff.rate ? mean.rate / mean.rates : nil, at: t)
  }

  /// The turn from here on is unknown.
  private mutating func interruptTurn() {
    interruptForce()
    interruptField()
    lastRate = nil
  }

  /// The turn from the newest force to the next one is unknown.
  private mutating func interruptForce() {
    turning.interrupt()
    forceDelay.interrupt()
    (lastForce, waitingForce, turnedSinceForce) = (nil, nil, .zero)
  }

  /// The turn from the newest field to the next one is unknown.
  private mutating func interruptField() {
    fieldTurning.interrupt()
    fieldDelay.interrupt()
    turned.isWhole = false
  }

  private mutating func add(force: SIMD3<Double>?, rate: SIMD3<Double>?, at t: Timestamp) {
    if let force {
      addToBlock(force)
      forceDelay.add(force, at: t)
      if let vehicleMounting { drive.add(force: vehicleMounting * force) }
    }
    endBlock(at: t)
    detectGyroscope(at: t)
    guard let rate else {
      waitingForce = force
      return
    }
    updateRateInterval(to: t)
    let force = force ?? waitingForce
    waitingForce = nil
    defer {
      lastRate = (rate, t)
      if let force { (lastForce, turnedSinceForce) = (force, .zero) }
    }
    guard let last = lastRate, t > last.at else { return }
    let seconds = t.seconds(since: last.at)
    guard seconds <= longestInertialPause else { return interruptTurn() }
    newestTurn = t
    detectGyroscope(at: t)
    let turn = (rate + last.value) * (seconds / 2)
    squaredRate += (rate.lengthSquared - squaredRate) * seconds / (seconds + Self.rateMemory)
    fieldDelay.add(turn: turn, at: last.at)
    forceDelay.add(turn: turn, at: last.at)
    fieldDelay.endBlock(at: t)
    forceDelay.endBlock(at: t)
    if let field = lastField {
      turned.turn += turn
      turned.moment += turn * (t.seconds(since: field.at) - seconds / 2)
    }
    turnedSinceForce += turn
    guard let force, let before = lastForce else { return }
    let isCalm = calmness
    let isJudged = turning.add(
      force, products: .outer((force + before) / 2, turnedSinceForce), turn: turnedSinceForce,
      at: t, isUsable: isCalm)
    guard isJudged else { return }
    judgeRate(by: turning.judged, restBelow: 0.05)
    judgeAxes()
  }

  /// Detects whether there is a gyroscope. Without rates, or with rates at 1 Hz, only field and
  /// gravity are compared.
  private mutating func detectGyroscope(at t: Timestamp) {
    let isThere = newestTurn.map { t.seconds(since: $0) < Self.lost } ?? false
    guard hasGyroscope != isThere else { return }
    hasGyroscope = isThere
    dip.clear()
    judgeAxes()
  }

  /// Averages the interval between rates.
  private mutating func updateRateInterval(to t: Timestamp) {
    let seconds = newestRate.map { t.seconds(since: $0) } ?? 0
    newestRate = t
    if seconds > 0, seconds < Self.longestPause.inertial.upperBound {
      rateInterval += (seconds - rateInterval) / 8
    }
  }

  /// Whether turns still come: without them the turn is not zero but unknown.
  private func hasTurn(at t: Timestamp) -> Bool {
    newestTurn.map { t.seconds(since: $0) < Self.longestPause.inertial.upperBound } ?? false
  }

  private var longestInertialPause: Double {
    let range = Self.longestPause.inertial
    return max(range.lowerBound, min(range.upperBound, Self.pauseIntervals * rateInterval))
  }

  private mutating func add(_ sample: FieldSample<SensorFrame>) {
    let (field, t) = (sample.field.components, sample.timestamp)
    guard field.isFinite else { return }
    if let last = lastField, t <= last.at {
      // A single stamp in the future must not block the samples after it.
      guard last.at.seconds(since: t) > Self.longestPause.field else { return }
      lastField = nil
      return interruptField()
    }
    detectGyroscope(at: t)
    guard !ranges.field.cutsOff(field) else { return interruptField() }
    fieldTurning.begin(at: field)
    fieldDelay.add(field, at: t)
    block.field += field
    block.fields += 1
    endBlock(at: t)
    defer {
      lastField = (field, t)
      turned = (.zero, .zero, true)
    }
    guard hasGyroscope, let last = lastField else { return }
    let seconds = t.seconds(since: last.at)
    // Between two samples the field is taken as linear.
    guard seconds <= Self.longestPause.field, turned.isWhole, hasTurn(at: t),
      turned.turn.length < Self.largestTurn || turned.turn.length > Self.otherUnit * seconds
    else { return fieldTurning.interrupt() }
    let origin = fieldTurning.origin ?? .zero
    let products =
      Matrix3.outer(last.value - origin, turned.turn)
      + .outer((field - last.value) / seconds, turned.moment)
    let isJudged = fieldTurning.add(
      field, products: products, turn: turned.turn, at: t, isUsable: { _ in true })
    guard isJudged else { return }
    if fieldTurning.judged != nil, fieldTurning.judged == fieldTurning.newest { isIronNew = true }
    judgeStrength()
    judgeAxes()
  }

  private mutating func add(_ fix: Fix) {
    if let metres = fix.altitudeMetres {
      pressure.compare(
        altitudeMetres: metres, speed: fix.speedMetresPerSecond, at: fix.timestamp)
    }
    if let utc = fix.utc { clock.add(utc, at: fix.timestamp) }
    if let speed = fix.speedMetresPerSecond, let course = fix.course {
      drive.add(speed: speed, course: course.radians, at: fix.timestamp)
    }
    judgeScales()
  }

  private mutating func addToBlock(_ force: SIMD3<Double>) {
    let length = force.length
    guard length < Self.largestForce else { return }
    block.force += force
    block.lengths.sum += length
    block.lengths.square += length * length
    block.forces += 1
  }

  /// Ends the block of field and gravity.
  private mutating func endBlock(at t: Timestamp) {
    guard let start = block.start else {
      block.start = t
      return
    }
    let seconds = t.seconds(since: start)
    guard abs(seconds) < Self.longestPause.field else {
      block = Block()
      block.start = t
      return
    }
    // Stamps of a slow magnetometer may be older than those of the forces before it.
    guard seconds >= Self.blockSeconds else { return }
    let ended = block
    block = Block()
    block.start = t
    let field = ended.field / max(1, ended.fields)
    if ended.fields > 0, sphere.add(field) { judgeSphere() }
    guard ended.forces > 0, !ended.isCutOff else { return }
    let force = ended.force / ended.forces
    let mean = ended.lengths.sum / ended.forces
    let scatter = max(0, ended.lengths.square / ended.forces - mean * mean).squareRoot()
    updateUsualForce(force.length, mean: mean, scatter: scatter)
    guard ended.fields > 0, let usual = usualForce, usual > 0 else { return }
    let iron =
      hasGyroscope ? fieldTurning.newest.map { (offset: $0.offset, strength: $0.length) } : nil
    let limit = hasGyroscope ? Self.moderate : Self.calm
    guard !hasGyroscope || iron != nil, scatter < limit.scatter * usual,
      abs(force.length / usual - 1) < limit.distance
    else { return }
    // With the hard iron of an earlier motion, a magnet that has come since could decide the sign
    // of the dip.
    let showsSign = !hasGyroscope || isIronNew
    guard dip.add(field: field, down: force / -usual, iron: iron, showsSign: showsSign) else {
      return
    }
    isIronNew = false
    judgeAxes()
  }

  /// Averages the length of the mean force over calm blocks, and adds the mean length of the forces
  /// to the scale: vibration and turning shorten the mean vector, not the mean length.
  private mutating func updateUsualForce(_ length: Double, mean: Double, scatter: Double) {
    guard length > 0, scatter < Self.calm.scatter * mean else { return }
    usualForce = usualForce.map { $0 + (length - $0) / 40 } ?? length
    forceScale.add(mean)
    judgeScales()
  }

  /// Whether the mean force of a block is gravity.
  private var calmness: (SIMD3<Double>) -> Bool {
    let usual = usualForce ?? Self.gravity
    return { abs($0.length / usual - 1) < Self.calm.distance }
  }

  // MARK: Verdicts

  /// Adds the scale of a window that determines it well, or roughly where the unit is wrong.
  private mutating func judgeRate(by window: RotationRelation.Window?, restBelow limit: Double) {
    // In a turn about one axis wrong axes may fit better by chance, with any scale.
    guard let window, window.axes == .identity else { return }
    let isGood = window.rest < limit && window.sigma < 0.05 * window.scale
    let isOtherUnit =
      !Self.rateWithoutUnit.contains(window.scale) && window.rest < 0.1
      && window.sigma < 0.15 * window.scale
    guard isGood || isOtherUnit else { return }
    rateScale.add(window.scale)
    judgeScales()
  }

  private mutating func judgeStrength() {
    guard let window = fieldTurning.judged, window.length > 0 else { return }
    // With an impossible field the fit did not separate the scale from the iron.
    judgeRate(by: window, restBelow: Self.earth.contains(window.length) ? 0.03 : 0)
    // A turn about one axis shows a part of the field only.
    guard window == fieldTurning.newest, window.rest < 0.1, window.sigma < 0.1 * window.scale
    else { return }
    fieldScale.add(window.length)
    judgeScales()
  }

  /// Adds the radius of a sphere to the field's scale where there is no gyroscope. A radius that
  /// the earth's field cannot have, larger than `earth` or below 1 microtesla, is always added.
  private mutating func judgeSphere() {
    guard let window = sphere.newest, window.radius > 0 else { return }
    guard
      window.isSphere && !hasGyroscope || window.radius > Self.earth.upperBound || window.radius < 1
    else { return }
    sphereScale.add(window.radius)
    judgeScales()
  }

  private mutating func judgeScales() {
    var fault: InputVerdicts.Fault?
    if let factor = rateScale.value, !Self.right.rate.contains(factor) {
      fault = .scale(.rate, factor: factor)
    }
    if let factor = impossibleFactor(fieldScale) ?? impossibleFactor(sphereScale) {
      fault = .scale(.field, factor: factor)
    }
    if let factor = forceScale.value.map({ Self.gravity / $0 }), !Self.right.force.contains(factor)
    {
      fault = .scale(.force, factor: factor)
    }
    scaleFault = fault
    conclude()
  }

  /// What is contradicted besides axes and units, the worst for a heading first.
  private var otherFault: InputVerdicts.Fault? {
    if let factor = clock.factor, !Self.usualClock.contains(factor) {
      return .clock(factor: factor)
    }
    let delays = (fieldDelay.seconds, forceDelay.seconds)
    if let seconds = delays.0, !Self.usualDelay.contains(seconds) {
      // Where gravity is as late as the field, the gyroscope's stamps are early.
      let isRate = delays.1.map { abs($0 - seconds) < Self.sameDelay } ?? false
      return isRate ? .delay(.rate, seconds: -seconds) : .delay(.field, seconds: seconds)
    }
    if let seconds = delays.1, !Self.usualForceDelay.contains(seconds) {
      return .delay(.force, seconds: seconds)
    }
    if let angle = drive.angle, abs(angle) > Self.sideways {
      return .forward(Angle(radians: angle))
    }
    return pressure.factor.map { .scale(.pressure, factor: $0) }
      ?? pressure.fault.map { .pressure($0) }
  }

  /// The factor to the expected strength of the field; nil where the strength is possible.
  private func impossibleFactor(_ scale: ScaleEvidence) -> Double? {
    guard let strength = scale.value else { return nil }
    let factor = (expectedMicrotesla ?? Self.usualStrength) / strength
    let isPossible =
      expectedMicrotesla == nil ? Self.earth.contains(strength) : Self.right.field.contains(factor)
    return isPossible ? nil : factor
  }

  private var scaleFault: InputVerdicts.Fault?
  private var axesFault: InputVerdicts.Fault?
  private var probabilityOfFault = 0.0

  private mutating func judgeAxes() {
    let posterior = AxisPosterior(
      turning: turning.odds, fieldTurning: fieldTurning.odds, dip: dip.odds, share: share,
      hasGyroscope: hasGyroscope)
    probabilityOfFault = 1 - posterior.none
    func state(_ suspect: AxisPosterior.Suspect) -> InputVerdicts.State {
      if posterior.none < Self.certain.none, suspect.probability > Self.certain.fault {
        return .contradicted
      }
      return suspect.remaining < Self.proven ? .proven : .unproven
    }
    verdicts.field = state(posterior.field)
    let rate = state(posterior.rate)
    verdicts.rate = hasGyroscope || rate == .contradicted ? rate : .unproven
    verdicts.force = state(posterior.force)
    axesFault = nil
    if posterior.none < Self.certain.none {
      let suspects = [
        (SampleQuantity.field, posterior.field), (.rate, posterior.rate), (.force, posterior.force),
      ]
      let worst = suspects.max { $0.1.probability < $1.1.probability } ?? suspects[0]
      let suspect = worst.1
      let ofBest = suspect.ofAxes + suspect.ofOpposite
      if suspect.probability > Self.named, ofBest > Self.named {
        axesFault = .axes(
          worst.0, suspect.axes, isMirrorOpen: suspect.ofOpposite > 0.05 * suspect.ofAxes)
      } else if hasGyroscope, posterior.none < Self.certain.disagreement {
        // Without a gyroscope, a vehicle's field and gravity disagree without a fault too.
        axesFault = .disagreement(worst.0)
      }
    }
    conclude()
  }

  private mutating func conclude() {
    let other = otherFault
    verdicts.fault = scaleFault ?? axesFault ?? other
    let isLate = if case .delay? = other { true } else { false }
    let isClockWrong = clock.factor.map { !Self.usualClock.contains($0) } ?? false
    verdicts.time =
      isLate || isClockWrong
      ? .contradicted : fieldDelay.seconds ?? forceDelay.seconds != nil ? .proven : .unproven
    verdicts.forward =
      drive.angle.map {
        abs($0) < Self.forward ? .proven : abs($0) > Self.sideways ? .contradicted : .unproven
      } ?? .unproven
    verdicts.pressure =
      pressure.factor != nil || pressure.fault != nil
      ? .contradicted : pressure.isProven ? .proven : .unproven
    let wrong = probabilityOfFault
    let ofAxes = wrong > Self.leftOut ? .pi * (1 - Self.leftOut / wrong) : 0
    doubt = Angle(
      radians: verdicts.headingFault != nil ? .pi : max(ofAxes, min(.pi, doubt(of: other))))
  }

  /// What a fault that makes a heading worse by a known amount adds to its accuracy, rad.
  private func doubt(of fault: InputVerdicts.Fault?) -> Double {
    switch fault {
    case .delay(_, let seconds)?: 2 * abs(seconds) * squaredRate.squareRoot()
    case .clock(let factor)?: Self.usableClock.contains(factor) ? 0 : .pi
    case .forward(let angle)?: abs(angle.radians) + Self.forward
    default: 0
    }
  }
}
