import CalibrationFit
import CalibrationStore
import EarthModel
import Fusion
import Quantities
import RealModule

/// What a vehicle's own iron does to the heading, learnt from course over ground while it drives.
struct VehicleDeviation: Sendable {
  /// Gravity's usual direction is a mean over so long, s.
  private static let usualTime = 60.0

  /// What known headings leave, one sigma: a bearing's error and a hand's.
  private static let swingSigma = Angle(degrees: 1.5)

  private var learner: DeviationLearner
  private var swung: DeviationTable?
  private var field = SIMD2<Double>.zero
  private var fieldCount = 0.0
  private var usualDown: SIMD3<Double>?
  private var lastFix: Timestamp?
  /// The table in use; nil before half a turn of headings was seen.
  private(set) var table: DeviationTable?

  init(_ parameters: DeviationLearner.Parameters, kept: StoredDeviation?) {
    learner = DeviationLearner(parameters)
    guard let kept else { return }
    swung = DeviationTable(swing: kept)
    guard let (model, coverage) = DeviationLearner.parts(of: kept) else { return }
    learner = DeviationLearner(resuming: model, coverage: coverage, parameters)
    table = learner.table
  }

  /// Begins anew, but for a swing's curve.
  init(anewAfter old: VehicleDeviation) {
    learner = DeviationLearner(old.learner.parameters)
    swung = old.swung
  }

  /// Takes in a calibrated field with the attitude that it was measured at.
  mutating func add(
    _ sample: MagneticField<BodyFrame>, attitude: Rotation<BodyFrame, MagneticEarthFrame>
  ) {
    let level = attitude(sample).components
    let heading = attitude.attitudeAngles.heading.radians
    let (c, s) = (Double.cos(heading), Double.sin(heading))
    // Turned to the earth and back by the same heading: what the filter believes of it has no part.
    field += SIMD2(level.x * c + level.y * s, level.y * c - level.x * s)
    fieldCount += 1
  }

  /// Takes in a receiver's epoch.
  mutating func learn(_ fix: Fix, north: MagneticElements?, solution: AttitudeSolution) {
    let mean = field / max(fieldCount, 1)
    defer { (field, fieldCount, lastFix) = (.zero, 0, fix.timestamp) }
    guard fieldCount > 0, let course = fix.course, let speed = fix.speedMetresPerSecond,
      let magnetic = north?.magneticHeading(of: TrueHeading(course)),
      let rate = solution.rateOfTurn
    else { return }
    let epoch = DeviationEpoch(
      timestamp: fix.timestamp, levelField: mean, course: magnetic.angle,
      speedMetresPerSecond: speed, rateOfTurn: rate, tilt: tilt(solution, fix.timestamp))
    // A refused epoch is no news.
    guard case .skipped = learner.learn(epoch) else {
      table = learner.table
      return
    }
  }

  /// How far the vehicle leans from how it usually stands.
  private mutating func tilt(_ solution: AttitudeSolution, _ now: Timestamp) -> Angle {
    let down = solution.attitude.inverse.rotate(SIMD3(0, 0, 1))
    let usual = usualDown ?? down
    let dt = lastFix.map { max(0, now.seconds(since: $0)) } ?? 0
    usualDown = (usual + (down - usual) * (dt / (dt + Self.usualTime))).normalized ?? down
    return Angle(radians: Double.acos(min(1, max(-1, usual.dot(down)))))
  }

  /// The deviation of a compass heading and one sigma of what it leaves; nil where nothing is known.
  func deviation(forCompassHeading heading: Angle) -> (angle: Angle, sigma: Angle)? {
    guard let table, let model = learner.model else {
      return swung.map { ($0.deviation(forCompassHeading: heading), Self.swingSigma) }
    }
    let deviation = table.deviation(forCompassHeading: heading)
    guard let sigma = model.predictedError(onHeading: (heading + deviation).wrappedToTurn) else {
      return nil
    }
    return (deviation, sigma)
  }

  /// What is to be kept; nil before anything is applied.
  func stored(at now: UTCTime) -> StoredDeviation? { learner.stored(at: now) }

  /// How the board is turned against the bow, by course.
  var boardYaw: BoardYaw? { learner.boardYaw }
  /// How much of the circle was seen.
  var arc: Angle { learner.coverage.arc }
}

extension DeviationLearner {
  private static var storedName: String { "level field" }

  /// The model with its coverage as a profile holds it; nil before anything is applied.
  func stored(at now: UTCTime) -> StoredDeviation? {
    guard let model else { return nil }
    return StoredDeviation(
      model: Self.storedName, coefficients: model.stored + coverage.visits, covariance: [],
      coverageDegrees: coverage.arc.degrees, made: now)
  }

  /// The table that a profile holds; nil where it is none of this kind.
  public static func table(of kept: StoredDeviation) -> DeviationTable? {
    parts(of: kept).flatMap { DeviationLearner(resuming: $0.0, coverage: $0.1).table }
  }

  /// What a profile holds; nil where it is no model of this kind.
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
  fileprivate static var swingName: String { "coefficients" }

  /// A swing's curve as a profile holds it.
  public init(swing c: DeviationCoefficients, made: UTCTime) {
    self.init(
      model: Self.swingName, coefficients: [c.a, c.b, c.c, c.d, c.e].map { $0.radians },
      covariance: [], coverageDegrees: 360, made: made)
  }
}

extension DeviationTable {
  /// The table of a swing that was kept; nil where it is none.
  public init?(swing kept: StoredDeviation) {
    guard kept.model == StoredDeviation.swingName, kept.coefficients.count == 5 else { return nil }
    let c = kept.coefficients.map { Angle(radians: $0) }
    self.init(DeviationCoefficients(a: c[0], b: c[1], c: c[2], d: c[3], e: c[4]))
  }
}

extension Activity {
  /// How a vehicle's deviation is learnt from its course; nil for what goes sideways.
  var deviation: DeviationLearner.Parameters? {
    switch self {
    case .automotiveNavigation: .road
    case .otherNavigation: .water
    case .other, .fitness, .airborne: nil
    }
  }
}
