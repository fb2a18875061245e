import CalibrationFit
import Chips
import Configuration
import EarthModel
import Formats
import Fusion
import InputProof
import Quantities
import RealModule
import Storage

/// Makes one estimate from samples in sensor axes. A value that depends on its input only, so that
/// a replay gives the same estimates bit for bit.
public struct Pipeline: Sendable {
  /// Longest age of a valid attitude or field, s.
  private static let longestAge = 2.0
  /// Age of an attitude above which its heading accuracy degrades, s.
  private static let usualAge = 0.25
  /// Longest age of a valid altitude, s.
  private static let longestAltitudeAge = 60.0
  /// Interval between reports of the learnt deviation, s: it changes in hours.
  private static let deviationInterval = 3600.0
  /// Largest turn of the field by a new calibration for which the heading is kept, rad.
  private static let largestRecalibration = 0.3
  /// The same for the first calibration, rad. After a smaller turn, raw and calibrated field agree
  /// about north; a larger one shows that the heading was wrong by an unknown angle.
  private static let largestFirstCalibration = 0.05
  /// Largest angle between the heading before the first calibration and the north of its field,
  /// rad: above it the heading is found anew.
  private static let largestFirstNorth = 0.2
  /// Largest change of the field by a new calibration for which the learnt deviation is kept,
  /// microtesla.
  private static let smallRecalibration = 2.0
  /// Upper limit of the iron assumed to remain after a new calibration, one sigma, microtesla.
  private static let largestIronLeft = 2.0

  private var configuration: PipelineConfiguration
  private var mounting: Rotation<SensorFrame, BodyFrame>
  private var mountFinder: MountFinder?
  var attitude: AttitudeEstimator
  private var heave: HeaveFilter?
  private var sea: SeaStateEstimator?
  private var pressures = PressureHistory()
  private var altitude: AltitudeFilter
  var antennaNorth = AntennaNorth()
  var antennaTilt = AntennaTilt()
  var antennaHeadings: AntennaHeadings
  var navigation = PositionFilter()
  var motion: MotionStateEstimator
  /// When the state of motion last received a speed of inertial navigation.
  var inertialSpeedTime: Timestamp?
  /// When the attitude filter's result was last passed to the position filter.
  var guidedAt: Timestamp?
  /// True while the receiver rests because no fix is wanted yet. Estimates then have no position by
  /// dead reckoning.
  var isReceiverResting = false
  private(set) var place = PlaceOfFix()
  private(set) var north: TrueNorth
  private var newest = Timestamp(nanoseconds: 0)
  private var first: Timestamp?
  private(set) var field: (body: MagneticField<BodyFrame>, at: Timestamp)?
  private var hasQNHReference = false
  private var pressure: (hectopascal: Double, at: Timestamp)?
  /// The newest reading of another compass, the newest with a magnetic heading, and that with a
  /// true one: most compasses send them in two sentences.
  private(set) var compass:
    (newest: HeadingSample, magnetic: HeadingSample?, `true`: HeadingSample?)?
  private var calibration: CalibrationChoice
  private var applied: AppliedCalibration?
  private var online: OnlineCalibration?
  private var load: LoadCompensation?
  /// The physical checks of the samples, and the corrections that follow from them where allowed.
  private var proof: InputProof
  private var correction = InputCorrection()
  private var stopped = StoppedSensors()
  private var celsius: Double?
  private(set) var vehicle: VehicleDeviation?
  private var deviationOffered: Timestamp?

  /// Makes a pipeline without samples.
  public init(configuration: PipelineConfiguration = PipelineConfiguration()) {
    self.configuration = configuration
    mounting = configuration.board.mounting
    attitude = Self.estimator(configuration, mounting)
    mountFinder = configuration.board.mount == .automatic ? MountFinder() : nil
    altitude = Self.altitude(configuration)
    heave = configuration.activity.mayFloat ? HeaveFilter() : nil
    sea = configuration.activity.isAfloat ? SeaStateEstimator() : nil
    navigation = Self.navigation(configuration)
    antennaHeadings = AntennaHeadings(
      configuration.board.receiver?.baseline ?? Board.Baseline(),
      isOnWheels: Self.isWheeled(configuration), earlier: configuration.learntBaseline)
    motion = MotionStateEstimator(hint: configuration.activity.motionHint)
    north = TrueNorth(model: configuration.magneticModel)
    load = configuration.load
    proof = Self.proof(configuration)
    vehicle = Self.vehicle(configuration)
    calibration = configuration.calibration
    if case .fitted(let fitted) = calibration {
      applied = AppliedCalibration(fitted, estimate: configuration.calibrationEstimate)
    }
    let (runner, tap) = (configuration.refitRunner, configuration.tap)
    if configuration.onlineCalibration {
      online = OnlineCalibration(
        earlier: configuration.calibrationEstimate, fullScale: configuration.sensorLimits,
        runner: tap.flatMap { tap in runner.map { TappedRefits(runner: $0, tap: tap) } } ?? runner)
    }
    tap?.begin(StartState(configuration))
  }

  /// An estimator for the sensors' ranges and mounting.
  private static func estimator(
    _ configuration: PipelineConfiguration, _ mounting: Rotation<SensorFrame, BodyFrame>
  ) -> AttitudeEstimator {
    AttitudeEstimator(fullScale: configuration.sensorLimits, mounting: mounting)
  }

  /// A calibration that was fitted, and a board file, state the axes.
  private static func proof(
    _ configuration: PipelineConfiguration, isCorrected: Bool = false
  ) -> InputProof {
    var isStated = isCorrected || configuration.board.areAxesStated
    if case .fitted = configuration.calibration { isStated = true }
    return InputProof(
      hasSourcedMount: isStated,
      vehicleMounting: isWheeled(configuration) ? configuration.board.mounting : nil)
  }

  /// Whether the board is fixed in a vehicle on wheels.
  private static func isWheeled(_ configuration: PipelineConfiguration) -> Bool {
    configuration.activity == .automotiveNavigation && !configuration.board.hasUnknownMount
  }

  private static func altitude(_ configuration: PipelineConfiguration) -> AltitudeFilter {
    var parameters = AltitudeFilter.Parameters()
    parameters.accelerationNoise = configuration.activity.verticalAccelerationNoise
    return AltitudeFilter(parameters: parameters)
  }

  private static func navigation(_ configuration: PipelineConfiguration) -> PositionFilter {
    var filter = PositionFilter()
    filter.antennaMetres = antennaMetres(configuration.board.receiver)
    filter.isVehicle = isWheeled(configuration)
    return filter
  }

  /// The antenna in body axes, m from the sensors: forward, right, down.
  private static func antennaMetres(_ receiver: Board.Receiver?) -> SIMD3<Double> {
    guard let a = receiver?.antenna else { return .zero }
    return SIMD3(a.forward, a.right, -a.up)
  }

  /// The antenna of a fix; that of the first receiver where its own is not known.
  private func antennaMetres(of fix: Fix) -> SIMD3<Double> {
    let receivers = configuration.board.receivers
    let index = Int(fix.receiver)
    return Self.antennaMetres(
      receivers.indices.contains(index) ? receivers[index] : receivers.first)
  }

  /// Puts the present load into a row with a field, where the load is read from its own source: the
  /// estimates then depend on rows only.
  package func complete(_ row: inout SensorSamples) {
    if row.field != nil, row.load == nil { row.load = load?.now }
  }

  /// Processes all samples of one row.
  public mutating func process(_ received: SensorSamples) {
    var row = correction.isNone ? received : correction.correct(received)
    removeStopped(&row)
    proof.add(row)
    if configuration.board.axes == .proven, correctAxes() {
      row = correction.correct(received)
      stopped.clean(&row)
    }
    newest = max(newest, row.timestamp)
    first = first ?? row.timestamp
    if let load = row.load { self.load?.update(load, at: row.timestamp) }
    if let sample = row.inertial {
      process(configuration.inertialCorrection?.correct(sample, celsius: celsius) ?? sample)
    }
    if let sample = row.field { process(load?.clean(sample) ?? sample) }
    if let sample = row.pressure {
      celsius = sample.celsius ?? celsius
      process(sample)
    }
    if row.hasFix, let fix = row.fix { process(fix) }
    if let received = row.heading, let heading = join(received) {
      compass = (
        heading, heading.magnetic == nil ? compass?.magnetic : heading,
        heading.true == nil ? compass?.true : heading
      )
    }
  }

  /// Removes the samples of inertial sensors that have stopped.
  private mutating func removeStopped(_ row: inout SensorSamples) {
    guard let sample = row.inertial else { return }
    let up =
      stopped.needsUp(sample) ? attitude.up.map { mounting.inverse.rotate($0) } : nil
    stopped.add(sample, up: up)
    stopped.clean(&row)
  }

  private mutating func process(_ sample: InertialSample<SensorFrame>) {
    if let force = sample.specificForce, let mount = mountFinder?.add(force, at: sample.timestamp) {
      // Earlier estimates used an assumed mount.
      mountFinder = nil
      mounting = Rotation<BodyFrame, BodyFrame>(configuration.board.trim) * mount.rotation
      restartAttitude()
    }
    online?.add(sample)
    let inBody = InertialSample<BodyFrame>(
      timestamp: sample.timestamp, angularRate: sample.angularRate.map { mounting($0) },
      specificForce: sample.specificForce.map { mounting($0) })
    attitude.update(inBody)
    followAntennas()
    // A force at its limit is not the body's.
    if !attitude.isForceAtLimit { navigation.update(inBody) }
    motion.update(inBody)
    updateMotionByInertialSpeed(at: sample.timestamp)
    guide(at: sample.timestamp)
    let solution = attitude.solution
    let acceleration = stopped.isForceStopped ? nil : solution?.acceleration
    // No body falls freely for long: a chip that reports nothing is no lift.
    let isFelt =
      sample.specificForce.map { $0.components.length > ForceSensorWatch.weakest } ?? true
    if let acceleration, isFelt, !attitude.isForceAtLimit {
      altitude.update(
        upwardAcceleration: -acceleration.z, of: acceleration.length, at: sample.timestamp)
    }
    guard let old = heave else { return }
    if let acceleration {
      heave?.update(downwardAcceleration: acceleration.z, at: sample.timestamp)
      if let heave, heave.isSettled {
        sea?.update(
          heightMetres: heave.highPassedMetres, north: acceleration.x, east: acceleration.y,
          hasNorth: solution?.isHeadingKnown ?? false, at: sample.timestamp)
      }
    } else if old.hasStarted {
      heave = HeaveFilter()
    }
  }

  private mutating func process(_ sample: FieldSample<SensorFrame>) {
    // A field of zero comes from a chip that does not work, and has no direction.
    guard sample.field.components != .zero else { return }
    if let limit = configuration.fullScale?.microtesla {
      let m = sample.field.components
      guard max(abs(m.x), abs(m.y), abs(m.z)) < 0.98 * limit else { return }
    }
    if let given = configuration.handOver?.nextGiven() {
      configuration.tap?.record(given)
      use(given, sample.field)
    }
    if let event = online?.add(sample) { recalibrate(event, sample.field) }
    let clean = applied.map { $0.calibration(sample.field) } ?? sample.field
    stopped.add(clean, at: sample.timestamp)
    let inBody = mounting(clean)
    field = (inBody, sample.timestamp)
    attitude.update(FieldSample<BodyFrame>(timestamp: sample.timestamp, field: inBody))
    if let solution = attitude.solution, solution.isLevelKnown {
      vehicle?.add(inBody, attitude: solution.attitude)
    }
  }

  private mutating func process(_ sample: PressureSample) {
    // A pressure that is proven wrong is ignored: in a wrong unit it would put the altitude off by
    // kilometres.
    guard proof.verdicts.fault?.quantity != .pressure else {
      if pressure != nil { forgetPressure() }
      return
    }
    let t = sample.timestamp
    let pressureAltitude = StandardAtmosphere.pressureAltitudeMetres(
      hectopascal: sample.hectopascal)
    altitude.update(
      pressureAltitudeMetres: pressureAltitude,
      speedMetresPerSecond: speed(at: t), at: t)
    pressure = (sample.hectopascal, t)
    pressures.add(hectopascal: sample.hectopascal, at: t)
    guard !hasQNHReference else { return }
    hasQNHReference = true
    // Order of preference: the receiver's altitude, the configured pressure at sea level, the
    // learnt one.
    let given = configuration.qnhHectopascal
    let learnt = altitude.isReferenced ? nil : configuration.learntQNH
    guard let qnh = given ?? learnt?.hectopascal else { return }
    altitude.reference(
      altitudeByQNHMetres: StandardAtmosphere.pressureAltitudeMetres(
        hectopascal: sample.hectopascal, qnhHectopascal: qnh),
      sigmaMetres: given == nil ? learnt?.sigmaMetres : nil, at: t)
  }

  /// Whether the position filter's noise follows the state of motion: the user has stated no
  /// activity.
  var takesMotionModel: Bool { configuration.activity == .other }

  /// Whether a state of motion may be named for the stated activity.
  func mayBe(_ state: MotionState) -> Bool { configuration.activity.mayBe(state) }

  /// Processes a receiver's epoch.
  public mutating func process(_ received: Fix) {
    newest = max(newest, received.timestamp)
    first = first ?? received.timestamp
    var fix = received
    let antenna = antennaMetres(of: fix)
    navigation.antennaMetres = antenna
    place.complete(&fix)
    navigation.update(fix)
    if navigation.contradictsVelocity { fix.forgetVelocity() }
    if let metres = fix.altitudeMetres {
      // The receiver's own altitude above the sea does not include the geoid's error.
      let source = received.altitudeMetres == nil ? fix : received
      altitude.update(
        fixAltitudeMetres: metres + antenna.z, sigmaMetres: source.verticalAccuracyMetres,
        at: fix.timestamp)
      pressures.add(altitudeMetres: metres)
    }
    place.update(fix)
    if let speed = fix.speedMetresPerSecond {
      attitude.record(speedMetresPerSecond: speed, at: fix.timestamp)
    }
    updateMotion(fix)
    // North, and the field that the sensors are proven with, do not follow a fix that was refused.
    if !navigation.refusesLastFix, let position = fix.position,
      let year = (fix.utc ?? utc(at: fix.timestamp))?.decimalYear
    {
      north.move(
        to: position, heightMetres: fix.ellipsoidalAltitudeMetres ?? fix.altitudeMetres ?? 0,
        decimalYear: year)
      if let elements = north.elements {
        online?.expect(elements)
        proof.expect(elements.earthField)
      }
    }
    if let solution = attitude.solution, solution.isLevelKnown {
      vehicle?.learn(fix, north: north.elements, solution: solution)
      offerDeviation(at: fix)
    }
  }

  /// The present estimate.
  public var estimate: Estimate {
    var e = Estimate(timestamp: newest)
    e.isSimulated = configuration.isSimulated
    let hasUndatedFix = configuration.isStartMachineClock && place.hasUndatedFix
    e.utc = hasUndatedFix ? nil : utc(at: newest)
    place.describe(&e)
    let fused = navigation.solution(at: newest)
    if let fused { describePosition(&e, fused) }
    // The fix is from a receiver in simulator mode, or from a daemon that simulates.
    if e.fixKind == .simulated { e.isSimulated = true }
    describeAltitude(&e)
    describeMotion(&e, fused)
    describeAttitude(&e)
    e.antennas = antennaHeadings.state
    describeMotionState(&e)
    e.declination = north.elements?.declination
    let hasMeasured = field != nil || attitude.solution != nil || pressure != nil
    if hasMeasured {
      e.inputs = proof.verdicts
      if let fault = stopped.fault { e.inputs?.fault = fault }
    }
    return e
  }

  /// The deviation learnt from course; nil before the headings cover half a turn.
  public var deviationTable: DeviationTable? { vehicle?.table }
  /// The board's yaw relative to the bow, by course.
  public var boardYaw: BoardYaw? { vehicle?.boardYaw }
  /// The share of the circle that the vehicle's headings cover.
  public var deviationArc: Angle? { vehicle?.arc }
  /// The deviation in a profile's format.
  public func storedDeviation(at now: UTCTime) -> StoredDeviation? { vehicle?.stored(at: now) }

  /// From sensor axes to the magnetic earth frame, with the heading's accuracy, for the attitude
  /// CSV; nil before the first attitude.
  public var sensorAttitude:
    (rotation: Rotation<SensorFrame, MagneticEarthFrame>, accuracy: Angle?)?
  {
    attitude.solution.map { ($0.attitude * mounting, publishedAccuracy(of: $0)) }
  }

  // MARK: Parts of the estimate

  private func describeAttitude(_ e: inout Estimate) {
    if let field {
      e.calibration = calibration.state
      if age(of: field.at) <= Self.longestAge { e.field = field.body }
    }
    guard var solution = attitude.solution, age(of: solution.timestamp) <= Self.longestAge else {
      describeCompass(&e)
      return
    }
    grow(&solution)
    defer { describeAntennaHeading(&e, solution) }
    e.rateOfTurn = solution.rateOfTurn
    e.isLevelKnown = solution.isLevelKnown
    e.attitudeMode = solution.mode
    e.acceleration = solution.acceleration
    e.tiltContradiction = solution.tiltContradiction
    if let heave, heave.isSettled {
      e.heaveMetres = heave.metres
      describeSea(&e)
    }
    if e.field != nil {
      e.disturbance = solution.disturbance
      e.earthField = solution.earthField
    }
    e.modelField = north.elements?.earthField
    e.attitude = solution.attitude
    guard solution.isHeadingKnown else {
      describeCompass(&e)
      if e.magneticHeading == nil, e.trueHeading == nil {
        _ = describeCourseHeading(&e, ratherThan: nil)
      }
      return
    }
    e.compassContradiction = navigation.compassContradiction.map { Angle(radians: $0) }
    let accuracy = publishedAccuracy(of: solution)
    if describeCourseHeading(&e, ratherThan: accuracy) || isExpired(accuracy) { return }
    let compass = solution.attitude.attitudeAngles.heading
    e.headingAccuracy = accuracy
    // The compass disagrees with the course, and the course gives no heading now.
    if let contradiction = e.compassContradiction {
      e.headingAccuracy = e.headingAccuracy.map {
        Angle(radians: max($0.radians, abs(contradiction.radians)))
      }
    }
    let deviation = vehicle?.deviation(forCompassHeading: compass)
    if let deviation {
      e.deviation = deviation.angle
      e.headingAccuracy = e.headingAccuracy.map {
        Angle(radians: min(.pi, Self.together($0.radians, 2 * deviation.sigma.radians)))
      }
    }
    let heading = MagneticHeading((compass + (deviation?.angle ?? .zero)).wrappedToTurn)
    e.magneticHeading = heading
    guard let elements = north.elements else { return }
    e.trueHeading = elements.trueHeading(of: heading)
    e.isDeclinationOutOfDate = elements.isOutOfDate
    e.trueHeadingAccuracy = e.headingAccuracy.map {
      Angle(radians: Self.together($0.radians, 2 * elements.declinationUncertainty.radians))
    }
  }

  /// Difference of the dip from the model's that buildings and ships cause, rad.
  private static let usualDipDifference = 10 * Double.pi / 180

  /// Possible heading error, rad, 95 %, by the measured dip: a dip that is far from the magnetic
  /// model's requires an undetected field of iron, which may be perpendicular to north. The
  /// strength is not compared, since a wrong scale does not change the heading.
  private func dipUncertainty(of own: EarthField?) -> Double {
    guard let own, let model = north.elements?.earthField, model.horizontal > 1 else { return 0 }
    let difference = abs((own.dip - model.dip).radians) - Self.usualDipDifference
    guard difference > 0 else { return 0 }
    let iron = model.total * Double.sin(min(difference, .pi / 2))
    return Double.asin(min(1, iron / model.horizontal))
  }

  /// Degrades the heading's accuracy with the age of the newest sample: the turn since then is
  /// unknown.
  private func grow(_ solution: inout AttitudeSolution) {
    let age = age(of: solution.timestamp)
    guard age > Self.usualAge, let accuracy = solution.headingAccuracy else { return }
    let unseen = 2 * StrapdownFilter.Parameters().gapRate * age
    solution.headingAccuracy = Angle(radians: min(.pi, Self.together(accuracy.radians, unseen)))
  }

  func age(of stamp: Timestamp) -> Double { newest.seconds(since: stamp) }

  /// Uses the heading of an external compass on a board without a magnetometer, while it is recent.
  /// Few compasses report an accuracy. The declination's uncertainty is added to a heading
  /// converted with it.
  private func describeCompass(_ e: inout Estimate) {
    guard let (newest, magnetic, real) = compass, isRecent(newest) else { return }
    // Without a position there is no declination: the compass's own other heading is used.
    e.magneticHeading =
      newest.magnetic ?? newest.true.flatMap { north.elements?.magneticHeading(of: $0) }
      ?? magnetic.flatMap { isRecent($0) ? $0.magnetic : nil }
    e.trueHeading =
      newest.true ?? newest.magnetic.flatMap { north.elements?.trueHeading(of: $0) }
      ?? real.flatMap { isRecent($0) ? $0.true : nil }
    guard var sigma = newest.accuracy?.radians else { return }
    if newest.antennas != nil {
      sigma = directSigma(
        sigma, rate: antennaHeadings.newest?.rate ?? 0, age: age(of: newest.timestamp))
    }
    func accuracy(turned: Bool) -> Angle {
      let declination = turned ? north.elements?.declinationUncertainty.radians ?? 0 : 0
      // Two sigma: 95 %.
      return Angle(radians: min(.pi, 2 * Self.together(sigma, declination)))
    }
    if e.magneticHeading != nil { e.headingAccuracy = accuracy(turned: newest.magnetic == nil) }
    if e.trueHeading != nil { e.trueHeadingAccuracy = accuracy(turned: newest.true == nil) }
  }

  /// Boats of more than this overtake short waves, whose direction then looks reversed, m/s.
  private static let fastBoat = 3.0

  private func describeSea(_ e: inout Estimate) {
    guard let state = sea?.state else { return }
    e.waveHeightMetres = state.significantHeightMetres
    e.wavePeakPeriodSeconds = state.peakPeriodSeconds
    e.waveMeanPeriodSeconds = state.meanPeriodSeconds
    if let direction = state.direction, let declination = north.elements?.declination,
      let speed = speed(at: newest), speed < Self.fastBoat
    {
      e.waveDirection = (direction + declination).wrappedToTurn
    }
  }

  private func isRecent(_ heading: HeadingSample) -> Bool {
    age(of: heading.timestamp) <= SourceState.Age.lostField
  }

  private func describeAltitude(_ e: inout Estimate) {
    if let pressure, age(of: pressure.at) <= Self.longestAltitudeAge {
      e.pressureTendencyHectopascal = pressures.tendency?.hectopascal
      e.pressureCharacteristic = pressures.tendency?.characteristic
    }
    withAltitudeNow { altitude in
      if let metres = altitude.altitudeMetres {
        e.altitudeMetres = metres
        e.verticalAccuracyMetres = altitude.accuracyMetres
        e.ellipsoidalAltitudeMetres = place.geoidSeparationMetres.map { metres + $0 }
        if let pressure, age(of: pressure.at) <= Self.longestAltitudeAge {
          e.qnhHectopascal = StandardAtmosphere.qnhHectopascal(
            pressureHectopascal: pressure.hectopascal, altitudeMetres: metres)
        }
      }
      e.verticalSpeedMetresPerSecond = altitude.verticalSpeedMetresPerSecond
    }
  }

  /// Reads the altitude now, without a copy of the filter; nil without a recent sample.
  @discardableResult
  private func withAltitudeNow<Value>(_ read: (AltitudeFilter) -> Value?) -> Value? {
    guard let updated = altitude.newest, age(of: updated) <= Self.longestAltitudeAge else {
      return nil
    }
    // Between samples of a regular sensor the uncertainty need not be propagated.
    return age(of: updated) > 1 ? read(altitude.carried(to: newest)) : read(altitude)
  }

  /// The fused vertical speed, also before it has settled, metres per second up, with its one
  /// sigma.
  var verticalMotion: (metresPerSecond: Double, sigma: Double)? {
    withAltitudeNow { $0.verticalMotion }
  }

  private func utc(at t: Timestamp) -> UTCTime? {
    place.utc(at: t)
      ?? first.flatMap { configuration.utcAtStart?.advanced(bySeconds: t.seconds(since: $0)) }
  }

  /// The standard deviation of the sum of two independent errors.
  static func together(_ a: Double, _ b: Double) -> Double {
    (a * a + b * b).squareRoot()
  }

  // MARK: The calibration in use, and the change to another one

  /// Reports the learnt deviation to `onDeviation`, once an hour.
  private mutating func offerDeviation(at fix: Fix) {
    let due = deviationOffered.map { fix.timestamp.seconds(since: $0) > Self.deviationInterval }
    guard due ?? true, correction.isNone, let keep = configuration.onDeviation,
      let now = fix.utc ?? utc(at: fix.timestamp), let stored = vehicle?.stored(at: now)
    else { return }
    deviationOffered = fix.timestamp
    keep(stored)
  }

  /// Corrects axes or a unit that are proven to be wrong, where the board file allows it, and
  /// restarts what depends on them.
  /// - Returns: Whether something was corrected.
  private mutating func correctAxes() -> Bool {
    // With several units it is unknown which of them is not the named chip.
    let units = configuration.board.sensors.filter { $0.measures(.inertia) }
    let lookAlikes = units.count == 1 ? units.compactMap(\.chip.lookAlikeForceFactor) : []
    guard let fault = proof.verdicts.fault, correction.add(fault, lookAlikes: lookAlikes) else {
      return false
    }
    proof = Self.proof(configuration, isCorrected: true)
    if let elements = north.elements { proof.expect(elements.earthField) }
    switch fault.quantity {
    case .pressure:
      forgetPressure()
      return true
    case .field:
      // These were fitted to the uncorrected field.
      if applied != nil { (applied, calibration) = (nil, .none) }
      vehicle = vehicle.map { VehicleDeviation(anewAfter: $0) }
      load = nil
    case .rate, .force:
      configuration.inertialCorrection = nil
      mountFinder = configuration.board.mount == .automatic ? MountFinder() : nil
    case nil: break
    }
    restartAttitude()
    online?.restart(from: nil)
    return true
  }

  /// Restarts what depends on the axes of the samples.
  private mutating func restartAttitude() {
    attitude = Self.estimator(configuration, mounting)
    antennaNorth = AntennaNorth()
    navigation.stopInertial()
    heave = heave.map { _ in HeaveFilter() }
  }

  /// Restarts the altitude, because earlier pressures were in a wrong unit.
  private mutating func forgetPressure() {
    altitude = Self.altitude(configuration)
    (pressure, hasQNHReference, pressures) = (nil, false, PressureHistory())
  }

  /// Changes to a calibration found by the online calibration.
  private mutating func recalibrate(
    _ event: OnlineCalibrationEvent, _ raw: MagneticField<SensorFrame>
  ) {
    // A fit to contradicted samples is not used.
    guard proof.verdicts.headingFault == nil else { return }
    // A stored profile must fit uncorrected samples.
    if correction.isNone { configuration.onCalibration?(event) }
    configuration.tap?.record(event)
    guard let committed = event.calibration, let next = AppliedCalibration(committed) else {
      // The old calibration is still applied, but its accuracy is now unknown.
      calibration = .none
      return
    }
    switchCalibration(to: next, earth: committed.estimate.earthField, raw)
  }

  private mutating func switchCalibration(
    to next: AppliedCalibration, earth: EarthField, _ raw: MagneticField<SensorFrame>
  ) {
    let (before, after) = (applied.map { $0.calibration(raw) } ?? raw, next.calibration(raw))
    let turn = fieldTurn(from: before, to: after)
    // The remaining error of the calibration, as an angle of the horizontal field.
    let left = next.calibration.predictedError?.radians ?? 0
    attitude.recalibrate(
      turningFieldBy: turn, earth: earth,
      ironSigma: min(earth.horizontal * left, Self.largestIronLeft))
    // The deviation was learnt with the previous calibration. It adapts to small changes by itself;
    // the user's swing is kept.
    if (after - before).magnitude > Self.smallRecalibration {
      vehicle = vehicle.map { VehicleDeviation(anewAfter: $0) }
    }
    applied = next
    calibration = .fitted(next.calibration)
    // A fit with another mount would not have been accepted.
    proof.trustMount()
  }

  /// The deviation of the vehicle, learnt or swung; nil without either.
  private static func vehicle(_ configuration: PipelineConfiguration) -> VehicleDeviation? {
    let kept = configuration.keptDeviation
    let isSwung = kept.flatMap { DeviationTable(swing: $0) } != nil
    return (configuration.activity.deviation ?? (isSwung ? .road : nil)).map {
      VehicleDeviation($0, kept: kept)
    }
  }

  /// Changes to a calibration that the user has made or set; the online calibration continues from
  /// it.
  private mutating func use(_ given: GivenCalibration, _ raw: MagneticField<SensorFrame>) {
    defer {
      // After the calibration, whose change may clear the deviation.
      if let parts = given.parts {
        configuration.inertialCorrection = parts.inertialCorrection
        configuration.keptDeviation = parts.deviation
        vehicle = Self.vehicle(configuration)
        if let gain = parts.loadMicroteslaPerUnit { load?.use(stored: gain) }
      }
    }
    // Only other parts of the profile are new.
    if given.parts != nil, given.choice == calibration { return }
    online?.restart(from: given.estimate)
    if case .fitted(let fitted) = given.choice, let estimate = given.estimate {
      let next = AppliedCalibration(fitted, estimate: estimate)
      switchCalibration(to: next, earth: estimate.earthField, raw)
      return
    }
    // The earth's field for this calibration is unknown: the attitude estimator starts again.
    attitude = Self.estimator(configuration, mounting)
    antennaNorth = AntennaNorth()
    calibration = given.choice
    applied = nil
    if case .fitted(let fitted) = given.choice {
      applied = AppliedCalibration(fitted, estimate: nil)
    }
  }

  /// The turn of the horizontal field by a new calibration, from the field by the old calibration
  /// (or the raw field) without the learnt iron; nil above the limit for which the heading is kept.
  private func fieldTurn(
    from old: MagneticField<SensorFrame>, to new: MagneticField<SensorFrame>
  ) -> Angle? {
    guard let attitude = attitude.solution?.attitude else { return nil }
    let before = mounting(old) - self.attitude.learntIron
    let (a, b) = (attitude(before).components, attitude(mounting(new)).components)
    let turn = Double.atan2(y: a.x * b.y - a.y * b.x, x: a.x * b.x + a.y * b.y)
    let isFirst = applied == nil
    guard !isFirst || abs(Double.atan2(y: b.y, x: b.x)) < Self.largestFirstNorth else { return nil }
    let largest = isFirst ? Self.largestFirstCalibration : Self.largestRecalibration
    return abs(turn) < largest ? Angle(radians: turn) : nil
  }

  /// The filter's accuracy combined with the calibration's remaining error; nil without a
  /// calibration.
  func accuracy(of solution: AttitudeSolution) -> Angle? {
    guard let accuracy = solution.headingAccuracy else { return nil }
    // The direction of the bow is unknown.
    if configuration.board.hasUnknownMount { return nil }
    // The remaining error of a fitted calibration, 95 %.
    let left: Double
    switch calibration {
    case .none: return nil
    case .assumed: left = 0
    case .fitted:
      let tilt = Angle(radians: Double.acos(min(1, max(-1, solution.attitude.rows.2.z))))
      guard let error = applied?.error(at: solution.attitude * mounting, tilt: tilt).radians
      else { return nil }
      left = 2 * error
    }
    if proof.verdicts.headingFault != nil { return Angle(radians: .pi) }
    return Angle(radians: min(.pi, Self.together(accuracy.radians, left)))
  }

  /// `accuracy(of:)`, at least the errors by the measured dip and by unproven sensor axes.
  private func publishedAccuracy(of solution: AttitudeSolution) -> Angle? {
    accuracy(of: solution).map {
      Angle(radians: max($0.radians, dipUncertainty(of: solution.earthField), proof.doubt.radians))
    }
  }
}
