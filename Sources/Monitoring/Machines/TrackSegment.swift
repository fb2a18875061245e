import Quantities

/// One fix of the accepted track, as interpolation needs it.
struct SegmentPoint: Codable, Sendable {
  /// Below it a receiver's course is noise, metres per second; the velocity is then about zero.
  private static let leastCourseSpeed = 1.0

  let point: EarthPoint
  let time: UTCTime
  /// One sigma of one axis, metres.
  let sigma: Double
  /// Over ground, metres per second; nil where the receiver reports none.
  let speed: Double?
  /// Over ground, metres per second, earth-centred; nil where speed or course is not reported.
  let velocity: SIMD3<Double>?

  init(_ fix: PlaceFix, _ point: EarthPoint) {
    (self.point, time, speed) = (point, fix.time, fix.speedMetresPerSecond)
    sigma = fix.horizontalAccuracyMetres / Fix.sigmasIn68PercentRadius
    if let speed, speed < Self.leastCourseSpeed {
      velocity = .zero
    } else if let speed, let course = fix.courseDegrees {
      velocity = TangentPlane(at: point).direction(Angle(degrees: course)) * speed
    } else {
      velocity = nil
    }
  }
}

/// The path between two consecutive fixes of the accepted track, with its uncertainty.
///
/// The velocity is a random walk of density q, the same in each axis. With the velocities at both
/// ends known the expected path is the cubic with these ends and velocities, else the straight
/// line. At the share s of the duration T the variance of the position, one axis, is
/// q T³/3 · (s (1-s))³ for the cubic and q T³/3 · (s (1-s))² for the line, plus that of the fixes
/// themselves, whose errors last longer than the segment and are taken as one.
struct TrackSegment: Sendable {
  let start: SegmentPoint
  let end: SegmentPoint
  let seconds: Double
  /// True where vehicle-like movement explains the segment; see `TrackMotion`.
  var isTravel = false
  /// True where the start lies on the path from the fix before it to the end.
  var isSmooth = false
  /// True for a cubic.
  private let isCurved: Bool
  private let density: Double

  /// - Returns: nil where the times do not rise.
  init?(from start: SegmentPoint, to end: SegmentPoint, _ tuning: MonitoringConfiguration) {
    let seconds = end.time.seconds(since: start.time)
    guard seconds > 0 else { return nil }
    (self.start, self.end, self.seconds) = (start, end, seconds)
    density = tuning.trackDensity
    guard let before = start.velocity, let after = end.velocity else {
      isCurved = false
      return
    }
    // The mean velocity between two known ones varies by q T / 12: a larger difference means that
    // one of them is wrong.
    let mean = (before + after) * 0.5
    let difference: SIMD3<Double> = end.point.vector - start.point.vector - mean * seconds
    let sigma = (Self.meanVariance(density, seconds)).squareRoot() + start.sigma + end.sigma
    isCurved = difference.length <= Self.gate * sigma
  }

  /// The most sigmas of a difference that is still explained.
  static let gate = 4.0

  /// The variance of the distance of one axis between two known velocities, square metres.
  static func meanVariance(_ density: Double, _ seconds: Double) -> Double {
    density * seconds * seconds * seconds / 12
  }

  /// The length of the straight line, metres.
  var chordMetres: Double { start.point.chord(to: end.point) }

  /// True where the receiver's own speeds, at both ends far too low for the distance, contradict
  /// it: a reflection that began or ended while the receiver slept, or a drive within that time.
  var isContradicted: Bool {
    guard let before = start.speed, let after = end.speed else { return false }
    // Three times the accuracy of both fixes, and 15 m for a stop or start between them.
    let error = 3 * Fix.sigmasIn68PercentRadius * (start.sigma + end.sigma) + 15
    return chordMetres > max(before, after) * seconds + error
  }

  /// A boundary farther than this from the end is not crossed, metres: the path is at most 1.5
  /// times as long as the chord, and an error at most six sigmas.
  var reachMetres: Double { 1.5 * chordMetres + 6 * max(start.sigma, end.sigma) }

  /// The number of pieces for a search along the path: of 10 m, a fraction of the cushion of 20 m;
  /// longer ones on a path of more than 640 m, which bounds the work for a fix.
  var pieces: Int { Int(bounded: min(64, max(1, (chordMetres / 10).rounded(.up)))) }

  func time(at share: Double) -> UTCTime { start.time.advanced(bySeconds: seconds * share) }

  func point(at share: Double) -> EarthPoint {
    let (a, b) = (start.point.vector, end.point.vector)
    guard isCurved, let before = start.velocity, let after = end.velocity else {
      return EarthPoint(vector: a + (b - a) * share)
    }
    let rest = 1 - share
    let bend: SIMD3<Double> = before * rest - after * share
    let blend = share * share * (3 - 2 * share)
    return EarthPoint(vector: a + (b - a) * blend + bend * (seconds * share * rest))
  }

  /// One sigma of one axis that the fixes cause, metres.
  func fixSigma(at share: Double) -> Double { start.sigma + (end.sigma - start.sigma) * share }

  /// One sigma of one axis, metres.
  func sigma(at share: Double) -> Double {
    let product = share * (1 - share)
    let shape = product * product * (isCurved ? product : 1)
    let path = density * seconds * seconds * seconds / 3 * shape
    let fixes = fixSigma(at: share)
    return (path + fixes * fixes).squareRoot()
  }
}
