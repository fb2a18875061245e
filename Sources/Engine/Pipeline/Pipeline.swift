import BoardFile
import EarthModel
import Fusion
import Quantities
import Recording

/// The way of the data: samples in sensor axes in, one estimate out. A value that depends on nothing but
/// what it was fed, so that a replay gives the same estimates bit for bit.
public struct Pipeline: Sendable {
  /// What the attitude's sensors said longer ago than this says nothing any more, s.
  private static let patience = 2.0
  /// Samples of steady sensors are no older than this, s: one hertz, and one missed.
  private static let usualAge = 0.25
  /// An altitude that nothing has confirmed for so long is none, s.
  private static let altitudePatience = 60.0

  private let configuration: PipelineConfiguration
  private var mounting: Rotation<SensorFrame, BodyFrame>
  private var mountFinder: MountFinder?
  private var attitude = AttitudeEstimator()
  private var heave: HeaveFilter?
  private var altitude: AltitudeFilter
  private var place = PlaceOfFix()
  private var north: TrueNorth
  private var newest = Timestamp(nanoseconds: 0)
  private var first: Timestamp?
  private var field: (body: MagneticField<BodyFrame>, at: Timestamp)?
  private var hasQNHReference = false
  private var compass: HeadingSample?

  /// Makes a pipeline that has seen nothing yet.
  public init(configuration: PipelineConfiguration = PipelineConfiguration()) {
    self.configuration = configuration
    mounting = configuration.board.mounting
    mountFinder = configuration.board.mount == .automatic ? MountFinder() : nil
    var parameters = AltitudeFilter.Parameters()
    parameters.accelerationNoise = configuration.activity.verticalAccelerationNoise
    altitude = AltitudeFilter(parameters: parameters)
    heave = configuration.activity.mayFloat ? HeaveFilter() : nil
    north = TrueNorth(model: configuration.magneticModel)
  }

  /// Takes in all that one instant holds.
  public mutating func process(_ row: SensorRow) {
    newest = max(newest, row.timestamp)
    first = first ?? row.timestamp
    if let sample = row.inertial { process(sample) }
    if let sample = row.field { process(sample) }
    if let sample = row.pressure { process(sample) }
    if let fix = row.fix { process(fix) }
    if let heading = row.heading { compass = heading }
  }

  private mutating func process(_ sample: InertialSample<SensorFrame>) {
    if let force = sample.specificForce, let mount = mountFinder?.add(force, at: sample.timestamp) {
      // What was believed before rests on a mount that was only assumed.
      mountFinder = nil
      heave = heave.map { _ in HeaveFilter() }
      mounting = Rotation<BodyFrame, BodyFrame>(configuration.board.trim) * mount.rotation
      attitude = AttitudeEstimator()
    }
    attitude.update(
      InertialSample<BodyFrame>(
        timestamp: sample.timestamp, angularRate: sample.angularRate.map { mounting($0) },
        specificForce: sample.specificForce.map { mounting($0) }))
    guard let old = heave else { return }
    if let down = attitude.solution?.acceleration?.z {
      heave?.update(downwardAcceleration: down, at: sample.timestamp)
    } else if old.hasStarted {
      heave = HeaveFilter()
    }
  }

  private mutating func process(_ sample: FieldSample<SensorFrame>) {
    var clean = sample.field
    if case .fitted(let calibration) = configuration.calibration { clean = calibration(clean) }
    let inBody = mounting(clean)
    field = (inBody, sample.timestamp)
    attitude.update(FieldSample<BodyFrame>(timestamp: sample.timestamp, field: inBody))
  }

  private mutating func process(_ sample: PressureSample) {
    let t = sample.timestamp
    let pressureAltitude = StandardAtmosphere.pressureAltitudeMetres(
      hectopascal: sample.hectopascal)
    altitude.update(pressureAltitudeMetres: pressureAltitude, at: t)
    if let qnh = configuration.qnhHectopascal, !hasQNHReference {
      hasQNHReference = true
      altitude.reference(
        altitudeByQNHMetres: StandardAtmosphere.pressureAltitudeMetres(
          hectopascal: sample.hectopascal, qnhHectopascal: qnh), at: t)
    }
  }

  /// Takes in a receiver's epoch.
  public mutating func process(_ received: Fix) {
    newest = max(newest, received.timestamp)
    first = first ?? received.timestamp
    var fix = received
    place.complete(&fix)
    if let metres = fix.altitudeMetres {
      // An altitude above the sea that came from the receiver owes nothing to the geoid.
      let source = received.altitudeMetres == nil ? fix : received
      altitude.update(
        fixAltitudeMetres: metres, sigmaMetres: source.verticalAccuracyMetres, at: fix.timestamp)
    }
    place.update(fix)
    if let position = fix.position, let year = (fix.utc ?? utc(at: fix.timestamp))?.decimalYear {
      north.move(
        to: position, heightMetres: fix.ellipsoidalAltitudeMetres ?? fix.altitudeMetres ?? 0,
        decimalYear: year)
    }
  }

  /// What is believed now.
  public var estimate: Estimate {
    var e = Estimate(timestamp: newest)
    e.isSimulated = configuration.isSimulated
    e.utc = utc(at: newest)
    place.describe(&e)
    describeAltitude(&e)
    describeAttitude(&e)
    return e
  }

  /// The sensors above east-north-up with north magnetic, as the attitude CSV wants it; nil before the
  /// first.
  public var sensorAttitude:
    (rotation: Rotation<SensorFrame, MagneticEarthFrame>, accuracy: Angle?)?
  {
    attitude.solution.map { ($0.attitude * mounting, accuracy(of: $0)) }
  }

  // MARK: Parts of the estimate

  private func describeAttitude(_ e: inout Estimate) {
    if let field {
      e.calibration = configuration.calibration.state
      if age(of: field.at) <= Self.patience { e.field = field.body }
    }
    guard var solution = attitude.solution, age(of: solution.timestamp) <= Self.patience else {
      describeCompass(&e)
      return
    }
    grow(&solution)
    e.rateOfTurn = solution.rateOfTurn
    e.isLevelKnown = solution.isLevelKnown
    e.attitudeMode = solution.mode
    e.acceleration = solution.acceleration
    if let heave, heave.isSettled { e.heaveMetres = heave.metres }
    if e.field != nil {
      e.disturbance = solution.disturbance
      e.earthField = solution.earthField
    }
    e.modelField = north.elements.map {
      EarthField(horizontal: $0.horizontalNanotesla / 1e3, down: $0.downNanotesla / 1e3)
    }
    e.attitude = solution.attitude
    guard solution.isHeadingKnown else {
      describeCompass(&e)
      return
    }
    let heading = MagneticHeading(solution.attitude.attitudeAngles.heading)
    e.magneticHeading = heading
    e.headingAccuracy = accuracy(of: solution)
    guard let elements = north.elements else { return }
    e.trueHeading = elements.trueHeading(of: heading)
    e.isDeclinationOutOfDate = elements.isOutOfDate
    e.trueHeadingAccuracy = e.headingAccuracy.map {
      Angle(radians: Self.together($0.radians, 2 * elements.declinationUncertainty.radians))
    }
  }

  /// Nobody knows how far the body turned since the sensors last spoke.
  private func grow(_ solution: inout AttitudeSolution) {
    let age = age(of: solution.timestamp)
    guard age > Self.usualAge, let accuracy = solution.headingAccuracy else { return }
    let unseen = 2 * StrapdownFilter.Parameters().gapRate * age
    solution.headingAccuracy = Angle(radians: min(.pi, Self.together(accuracy.radians, unseen)))
  }

  private func age(of stamp: Timestamp) -> Double { newest.seconds(since: stamp) }

  /// A board without a magnetometer takes the heading of a compass that speaks for itself, while it is
  /// fresh; such a compass does not say how right it is.
  private func describeCompass(_ e: inout Estimate) {
    guard let compass, newest.seconds(since: compass.timestamp) <= PlaceOfFix.patience else {
      return
    }
    e.magneticHeading =
      compass.magnetic ?? compass.true.flatMap { north.elements?.magneticHeading(of: $0) }
    e.trueHeading = compass.true ?? compass.magnetic.flatMap { north.elements?.trueHeading(of: $0) }
  }

  /// The filter's own accuracy and what the calibration leaves; nil where nothing is known of the iron.
  private func accuracy(of solution: AttitudeSolution) -> Angle? {
    guard let accuracy = solution.headingAccuracy else { return nil }
    // Where forward is nobody has said.
    if configuration.board.hasUnknownMount { return nil }
    switch configuration.calibration {
    case .none: return nil
    case .assumed: return accuracy
    case .fitted(let calibration):
      let left =
        calibration.predictedHeadingError?.radians ?? calibration.quality.impliedError.radians
      return Angle(radians: min(.pi, Self.together(accuracy.radians, 2 * left)))
    }
  }

  private func describeAltitude(_ e: inout Estimate) {
    guard let spoken = altitude.newest, age(of: spoken) <= Self.altitudePatience else { return }
    // Between samples of a steady sensor nothing has to grow.
    let altitude = age(of: spoken) > 1 ? self.altitude.carried(to: newest) : self.altitude
    if let metres = altitude.altitudeMetres {
      e.altitudeMetres = metres
      e.verticalAccuracyMetres = altitude.accuracyMetres
      e.ellipsoidalAltitudeMetres = place.geoidSeparationMetres.map { metres + $0 }
    }
    e.verticalSpeedMetresPerSecond = altitude.verticalSpeedMetresPerSecond
  }

  private func utc(at t: Timestamp) -> UTCTime? {
    place.utc(at: t)
      ?? first.flatMap { configuration.utcAtStart?.advanced(bySeconds: t.seconds(since: $0)) }
  }

  private static func together(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
}
