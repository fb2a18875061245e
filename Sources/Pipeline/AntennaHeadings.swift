import Configuration
import Fusion
import Quantities
import RealModule

/// The direction of a baseline that an earlier run of the program has learnt from the course.
public struct LearntBaseline: Equatable, Sendable {
  /// Clockwise from the bow.
  public var direction: Angle
  /// One sigma.
  public var sigma: Angle

  /// Makes one of a direction and its one sigma.
  public init(direction: Angle, sigma: Angle) {
    (self.direction, self.sigma) = (direction, sigma)
  }

  /// The learnt direction in an earlier estimate; nil where it contains none.
  public init?(_ earlier: Estimate) {
    guard let direction = earlier.antennas?.learntDirection,
      let sigma = earlier.antennas?.learntDirectionSigma, sigma.radians > 0
    else { return nil }
    self.init(direction: direction, sigma: sigma)
  }
}

/// The headings of a receiver with two antennas: their accuracy, the direction of the baseline, and
/// whether baseline and antennas agree with the board file.
///
/// - A heading without an accuracy gets one by the length of the baseline (`vectorSigma`).
/// - A heading whose baseline length differs from the board file's has wrongly fixed ambiguities
///   and is not used. If the length keeps differing, the board file is wrong.
/// - A direction that is to be learnt comes from the course (`BaselineDirection`). A stated one is
///   compared with the course in the same way, and with the compass to detect swapped antennas. A
///   contradicted heading is not used, and the contradiction is reported.
struct AntennaHeadings: Sendable {
  /// Error of the vector across its direction, one sigma, m: the heading's error is this over the
  /// length.
  /// - Source: product pages for a baseline of 1 m: UM982 0.1 degrees, mosaic-H 0.15, ZED-F9P 0.4,
  ///   which are 1.7, 2.6 and 7 mm.
  static let vectorSigma = 0.005
  /// Shortest baseline whose length gives an accuracy, m.
  private static let shortestLength = 0.1
  /// Largest sigma of a heading that is used, rad: of two antennas, and of another compass for true
  /// north, which no magnetic compass reaches.
  private static let (largestSigma, largestOtherSigma) = (0.2, 0.05)
  /// Time for which headings without an accuracy wait for those with one, s: receivers send the
  /// same heading in several sentences.
  private static let accuracyMemory = 10.0
  /// Difference of reported and stated length: m, and as a share of the length.
  private static let (lengthTolerance, lengthShare) = (0.05, 0.03)
  /// Time for which the length must differ to be a fault, s.
  private static let lengthSeconds = 20.0
  /// Differences to the course that are a fault, rad: of a vehicle on wheels, of another one, which
  /// wind or current may turn from its course, and of swapped antennas.
  private static let (turnedOnWheels, turned, reversed) = (0.17, 0.52, 2.6)
  /// Difference to the compass that is a fault, rad; largest error of a compass that is used for
  /// this, one sigma, rad; how long the difference must last, s.
  private static let (compassReversed, compassSigma, compassSeconds) = (2.4, 0.2, 120.0)
  /// Sigma of a direction learnt in an earlier run, rad: the antennas may have been moved a little.
  private static let leastEarlierSigma = 0.02
  /// Longest interval between two headings whose difference is a rate of turn, s.
  private static let longestRateInterval = 1.5

  private let baseline: Board.Baseline
  private let isOnWheels: Bool
  private let earlier: LearntBaseline?
  private var learner: BaselineDirection
  private var hasAntennas = false
  private var newestStatedSigma: Timestamp?
  private var lengthDiffersSince: Timestamp?
  private var lengthFault: AntennaState.Fault?
  /// Seconds for which the compass has been reversed to the headings, 0 to twice the limit.
  private var reversedSeconds = 0.0
  private var newestCompass: Timestamp?
  /// The newest heading of the bow with its one sigma and the rate of turn to it, rad/s.
  private(set) var newest: (heading: TrueHeading, sigma: Double, rate: Double, at: Timestamp)?
  private var newestRaw: (heading: TrueHeading, at: Timestamp)?

  init(_ baseline: Board.Baseline, isOnWheels: Bool, earlier: LearntBaseline?) {
    self.baseline = baseline
    self.isOnWheels = isOnWheels
    self.earlier = earlier
    learner = BaselineDirection()
  }

  /// A true heading of the bow; `sigma`, one sigma, rad, is nil if it is unknown or too large.
  struct BowHeading {
    var heading: TrueHeading
    var sigma: Double?
  }

  /// Uses a heading.
  /// - Parameters:
  ///   - sample: The heading of the bow by the stated direction of the baseline.
  ///   - course: The course over ground, where it is known now, with the speed.
  ///   - rate: The gyroscope's rate of turn, rad/s; nil without one.
  ///   - compass: The true heading by the magnetometer with its one sigma, rad.
  /// - Returns: The bow's heading; nil where it is not believed.
  mutating func add(
    _ sample: HeadingSample, course: (angle: Angle, metresPerSecond: Double)?,
    rateOfTurn rate: Double?,
    compass: (heading: TrueHeading, sigma: Double)?
  ) -> BowHeading? {
    guard let raw = sample.true else { return nil }
    guard let vector = sample.antennas else {
      let sigma = sample.accuracy.map(\.radians)
      return BowHeading(
        heading: raw, sigma: sigma.flatMap { $0 <= Self.largestOtherSigma ? $0 : nil })
    }
    hasAntennas = true
    let t = sample.timestamp
    let own = rateOfHeadings(raw, at: t)
    guard isOfStatedLength(vector, at: t) else { return nil }
    let sigma = sigma(of: sample, vector)
    if let course {
      learner.add(
        raw, course: course.angle, speedMetresPerSecond: course.metresPerSecond,
        rateOfTurn: rate ?? own, at: t)
    }
    compare(raw, with: compass, at: t)
    guard fault == nil, let offset else {
      newest = nil
      return nil
    }
    let heading = TrueHeading((raw.angle - offset.angle).wrappedToTurn)
    let whole = sigma.map { ($0 * $0 + offset.sigma * offset.sigma).squareRoot() }
    if let whole, whole <= Self.largestSigma { newest = (heading, whole, own, t) }
    return BowHeading(heading: heading, sigma: sigma.flatMap { $0 <= Self.largestSigma ? $0 : nil })
  }

  /// The direction of the baseline, clockwise from the bow; nil while it is to be learnt.
  var direction: Angle? {
    switch baseline.direction {
    case .stated(let angle): angle
    case .learnt: learnt?.0
    }
  }

  /// What is subtracted from a heading, and its one sigma, rad; nil while it is to be learnt.
  private var offset: (angle: Angle, sigma: Double)? {
    switch baseline.direction {
    case .stated: return (.zero, baseline.accuracy.radians)
    case .learnt:
      guard let (angle, sigma) = learnt else { return nil }
      return (angle, sigma.radians)
    }
  }

  /// One sigma of the direction of the bow from that of the baseline, rad, which does not average
  /// out.
  var mountingSigma: Double { hasAntennas ? offset?.sigma ?? 0 : 0 }

  private var learnt: (Angle, Angle)? {
    if let (angle, sigma) = learner.value { return (angle, Angle(radians: sigma)) }
    return earlier.map {
      ($0.direction, Angle(radians: max($0.sigma.radians, Self.leastEarlierSigma)))
    }
  }

  /// Why the headings are not used.
  private var fault: AntennaState.Fault? {
    if let lengthFault { return lengthFault }
    guard case .stated = baseline.direction else { return nil }
    guard let (off, sigma) = learner.value else {
      return reversedSeconds >= Self.compassSeconds ? .swapped : nil
    }
    let most = max(4 * sigma, isOnWheels ? Self.turnedOnWheels : Self.turned)
    guard abs(off.radians) > most else { return nil }
    return abs(off.radians) > Self.reversed ? .swapped : .turned(off)
  }

  /// False while the headings are contradicted, or the direction is to be learnt.
  var areBelieved: Bool { fault == nil && offset != nil }

  /// What was found about the antennas; nil without antennas, and while all is as stated.
  var state: AntennaState? {
    guard hasAntennas else { return nil }
    var state = AntennaState()
    state.fault = fault
    if baseline.direction == .learnt {
      state.isLearning = learnt == nil
      (state.learntDirection, state.learntDirectionSigma) = (learnt?.0, learnt?.1)
    }
    return state == AntennaState() ? nil : state
  }

  // MARK: Accuracy of a heading

  private mutating func sigma(of sample: HeadingSample, _ vector: AntennaVector) -> Double? {
    let t = sample.timestamp
    if let stated = sample.accuracy?.radians, stated > 0 {
      newestStatedSigma = t
      return stated
    }
    if let newestStatedSigma, t.seconds(since: newestStatedSigma) <= Self.accuracyMemory {
      return nil
    }
    guard let length = vector.lengthMetres ?? baseline.lengthMetres, length >= Self.shortestLength
    else { return nil }
    return Self.vectorSigma / length
  }

  private mutating func isOfStatedLength(_ vector: AntennaVector, at t: Timestamp) -> Bool {
    guard let stated = baseline.lengthMetres, let reported = vector.lengthMetres else {
      return true
    }
    guard abs(reported - stated) > Self.lengthTolerance + Self.lengthShare * stated else {
      (lengthDiffersSince, lengthFault) = (nil, nil)
      return true
    }
    let since = lengthDiffersSince ?? t
    lengthDiffersSince = since
    if t.seconds(since: since) >= Self.lengthSeconds {
      lengthFault = .length(reportedMetres: reported, configuredMetres: stated)
    }
    return false
  }

  /// The rate of turn between this heading and the one before, rad/s.
  private mutating func rateOfHeadings(_ heading: TrueHeading, at t: Timestamp) -> Double {
    let before = newestRaw
    // Several sentences have the same heading.
    if let before, t.seconds(since: before.at) < 0.02 { return newest?.rate ?? 0 }
    newestRaw = (heading, t)
    guard let before, t.seconds(since: before.at) <= Self.longestRateInterval else { return 0 }
    return (heading.angle - before.heading.angle).wrappedToHalfTurn.radians
      / t.seconds(since: before.at)
  }

  private mutating func compare(
    _ heading: TrueHeading, with compass: (heading: TrueHeading, sigma: Double)?, at t: Timestamp
  ) {
    let dt = newestCompass.map { min(1, max(0, t.seconds(since: $0))) } ?? 0
    newestCompass = t
    guard let compass, compass.sigma <= Self.compassSigma else { return }
    let apart = (heading.angle - compass.heading.angle).wrappedToHalfTurn.radians
    let isReversed = abs(apart) > Self.compassReversed
    reversedSeconds = min(
      max(0, reversedSeconds + (isReversed ? dt : -2 * dt)), 2 * Self.compassSeconds)
  }
}
