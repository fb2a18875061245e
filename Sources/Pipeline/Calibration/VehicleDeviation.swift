import CalibrationFit
import EarthModel
import Fusion
import Quantities
import RealModule
import Storage

/// The deviation that a vehicle's iron leaves in the fused heading, learnt from course over ground
/// during motion.
///
/// It is learnt from the fused heading, to which it is applied, because the attitude filter has
/// already removed some iron: a table made from the measured field would remove this iron twice. It
/// is used only while the heading with it has been nearer to the course than the heading without
/// it.
struct VehicleDeviation: Sendable {
  /// Time constant of the mean direction of gravity, s.
  private static let usualTime = 60.0

  /// Remaining error of a swing, one sigma: of the bearings and of setting the heading by hand.
  static let swingSigma = Angle(degrees: 1.5)

  private var learner: DeviationLearner
  private var swung: DeviationTable?
  /// Sums since the last fix: the direction of magnetic north in the body by the fused heading, and
  /// the field's horizontal strength.
  private var north = SIMD2<Double>.zero
  private var strength = 0.0
  private var fieldCount = 0.0
  /// Low-pass of the squared difference to the course without and with the table, rad².
  private var error = (without: 0.0, with: 0.0)
  private var errorCount = 0.0
  private var usualDown: SIMD3<Double>?
  private var lastFix: Timestamp?
  private var isResumed = false
  /// The table in use; nil before the headings cover half a turn.
  private(set) var table: DeviationTable?

  init(_ parameters: DeviationLearner.Parameters, kept: StoredDeviation?) {
    learner = DeviationLearner(parameters)
    guard let kept else { return }
    swung = DeviationTable(swing: kept)
    guard let (model, coverage) = DeviationLearner.parts(of: kept) else { return }
    learner = DeviationLearner(resuming: model, coverage: coverage, parameters)
    table = learner.table
    isResumed = true
  }

  /// Starts again without the learnt model; keeps the curve of a swing.
  init(anewAfter old: VehicleDeviation) {
    learner = DeviationLearner(old.learner.parameters)
    swung = old.swung
  }

  /// Adds a calibrated field with its attitude.
  mutating func add(
    _ sample: MagneticField<BodyFrame>, attitude: Rotation<BodyFrame, MagneticEarthFrame>
  ) {
    let level = attitude(sample).components
    let heading = attitude.attitudeAngles.heading.radians
    north += SIMD2(Double.cos(heading), -Double.sin(heading))
    strength += (level.x * level.x + level.y * level.y).squareRoot()
    fieldCount += 1
  }

  /// Learns from a receiver's epoch.
  mutating func learn(_ fix: Fix, north elements: MagneticElements?, solution: AttitudeSolution) {
    let count = max(fieldCount, 1)
    let mean = north / count * (strength / count)
    defer { (self.north, strength, fieldCount, lastFix) = (.zero, 0, 0, fix.timestamp) }
    guard fieldCount > 0, let course = fix.course, let speed = fix.speedMetresPerSecond,
      let magnetic = elements?.magneticHeading(of: TrueHeading(course)),
      let rate = solution.rateOfTurn
    else { return }
    let epoch = DeviationEpoch(
      timestamp: fix.timestamp, levelField: mean, course: magnetic.angle,
      speedMetresPerSecond: speed, rateOfTurn: rate, tilt: tilt(solution, fix.timestamp))
    // A skipped epoch changes nothing.
    if case .skipped = learner.learn(epoch) { return }
    judge(Angle(radians: Double.atan2(y: -mean.y, x: mean.x)), course: magnetic.angle)
    table = learner.table
  }

  /// Compares the course with the heading without the table and with the one before this epoch.
  private mutating func judge(_ heading: Angle, course: Angle) {
    guard let table else { return }
    func square(_ x: Angle) -> Double {
      let stray = (course - x).wrappedToHalfTurn.radians
      return min(stray * stray, 0.25)
    }
    errorCount = min(errorCount + 1, Self.judgedEpochs)
    let deviation = table.deviation(forCompassHeading: heading.wrappedToTurn)
    error.without += (square(heading) - error.without) / errorCount
    error.with += (square(heading + deviation) - error.with) / errorCount
  }

  /// Whether the heading with the table is nearer to the course. A table of an earlier trip is used
  /// until that is known.
  private var isTableWorthwhile: Bool {
    errorCount < Self.fewestEpochs ? isResumed : error.with <= error.without
  }

  /// Epochs over which the table is judged: about twenty minutes of a trip.
  private static let judgedEpochs = 300.0
  /// Epochs before it is judged.
  private static let fewestEpochs = 30.0

  /// The angle between gravity and its mean direction.
  private mutating func tilt(_ solution: AttitudeSolution, _ now: Timestamp) -> Angle {
    let down = solution.attitude.inverse.rotate(SIMD3(0, 0, 1))
    let usual = usualDown ?? down
    let dt = lastFix.map { max(0, now.seconds(since: $0)) } ?? 0
    usualDown = (usual + (down - usual) * (dt / (dt + Self.usualTime))).normalized ?? down
    return Angle(radians: Double.acos(min(1, max(-1, usual.dot(down)))))
  }

  /// The deviation of a compass heading with its remaining error, one sigma; nil if unknown.
  func deviation(forCompassHeading heading: Angle) -> (angle: Angle, sigma: Angle)? {
    guard let table, let model = learner.model else {
      return swung.map { ($0.deviation(forCompassHeading: heading), Self.swingSigma) }
    }
    let deviation = table.deviation(forCompassHeading: heading)
    guard isTableWorthwhile,
      let sigma = model.predictedError(onHeading: (heading + deviation).wrappedToTurn)
    else { return nil }
    return (deviation, sigma)
  }

  /// The deviation to store; nil before a model is in use.
  func stored(at now: UTCTime) -> StoredDeviation? { learner.stored(at: now) }

  /// The board's yaw relative to the bow, by course.
  var boardYaw: BoardYaw? { learner.boardYaw }
  /// The share of the circle that the headings cover.
  var arc: Angle { learner.coverage.arc }
}

extension DeviationLearner {
  private static var storedName: String { "level field" }

  /// The model with its coverage in a profile's format; nil before a model is in use.
  func stored(at now: UTCTime) -> StoredDeviation? {
    guard let model else { return nil }
    return StoredDeviation(
      model: Self.storedName, coefficients: model.stored + coverage.visits, covariance: [],
      coverageDegrees: coverage.arc.degrees, made: now)
  }

  /// The table of a profile; nil for another kind of model.
  public static func table(of kept: StoredDeviation) -> DeviationTable? {
    parts(of: kept).flatMap { DeviationLearner(resuming: $0.0, coverage: $0.1).table }
  }

  /// The model and coverage of a profile; nil for another kind of model.
  static func parts(of kept: StoredDeviation) -> (DeviationModel, HeadingCoverage)? {
    let count = DeviationModel.storedCount
    guard kept.model == storedName, kept.coefficients.count == count + HeadingCoverage.bins,
      let model = DeviationModel(stored: Array(kept.coefficients.prefix(count))),
      let coverage = HeadingCoverage(visits: Array(kept.coefficients.suffix(HeadingCoverage.bins)))
    else { return nil }
    return (model, coverage)
  }
}

extension StoredDeviation {
  package static var swingName: String { "coefficients" }

  /// A swing's curve in a profile's format.
  public init(swing c: DeviationCoefficients, made: UTCTime) {
    self.init(
      model: Self.swingName, coefficients: [c.a, c.b, c.c, c.d, c.e].map { $0.radians },
      covariance: [], coverageDegrees: 360, made: made)
  }
}

extension DeviationTable {
  /// The table of a stored swing; nil for another kind of model.
  public init?(swing kept: StoredDeviation) {
    guard kept.model == StoredDeviation.swingName, kept.coefficients.count == 5 else { return nil }
    let c = kept.coefficients.map { Angle(radians: $0) }
    self.init(DeviationCoefficients(a: c[0], b: c[1], c: c[2], d: c[3], e: c[4]))
  }
}

extension Activity {
  /// Parameters of the learning from course; nil for activities whose course may differ from the
  /// heading.
  var deviation: DeviationLearner.Parameters? {
    switch self {
    case .automotiveNavigation: .road
    case .otherNavigation: .water
    case .other, .fitness, .airborne: nil
    }
  }
}
