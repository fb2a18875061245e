import EarthModel
import Quantities
import RealModule

/// Whether a receiver's velocities agree with its positions: a speed in another unit, a speed that
/// stays zero, or a wrong course does not.
///
/// Over some seconds the integral of the velocity equals the change of the position. A reflected
/// signal shifts positions by tens of metres, but the shift does not keep growing.
struct VelocityCheck: Sendable {
  /// Length of a comparison, s, and the least way that it needs, m.
  private static var length: Double { 10 }
  private static var leastWay: Double { 50 }
  /// Difference of both ways from which they contradict each other, as a share of the longer one.
  private static var share: Double { 0.3 }
  /// Number of contradictions in a row that decide.
  private static var fewest: Int { 3 }
  /// A longer interval between two fixes is a gap, s.
  private static var longestStep: Double { 2.5 }

  private var plane: LocalPlane?
  private var start: Timestamp?
  private var startSigma = 0.0
  private var way = SIMD2<Double>.zero
  private var newest: (velocity: SIMD2<Double>, at: Timestamp)?
  private var contradictions = 0

  /// True while the velocities are not believed.
  private(set) var contradicts = false

  /// Adds a fix.
  /// - Parameters:
  ///   - place: Its place.
  ///   - velocity: Its velocity along true north and east, m/s; nil where it has none.
  ///   - sigma: The accuracy of the place, one sigma on an axis, m.
  ///   - t: Its time.
  mutating func add(
    _ place: GeodeticPosition, velocity: SIMD2<Double>?, sigma: Double, at t: Timestamp
  ) {
    defer { newest = velocity.map { ($0, t) } }
    guard let velocity, let before = newest, let plane, let start,
      t.seconds(since: before.at) <= Self.longestStep
    else { return begin(at: place, sigma: sigma, t) }
    way += (before.velocity + velocity) * (t.seconds(since: before.at) / 2)
    guard t.seconds(since: start) >= Self.length else { return }
    let moved = plane.metres(to: place)
    let longer = max(moved.length, way.length)
    if longer > Self.leastWay {
      let limit = Self.share * longer + 3 * (startSigma.squared + sigma.squared).squareRoot()
      judge((moved - way).length > limit)
    }
    begin(at: place, sigma: sigma, t)
  }

  private mutating func begin(at place: GeodeticPosition, sigma: Double, _ t: Timestamp) {
    (plane, start, startSigma, way) = (LocalPlane(origin: place), t, sigma, .zero)
  }

  private mutating func judge(_ isContradiction: Bool) {
    contradictions =
      isContradiction ? min(contradictions + 1, Self.fewest) : max(0, contradictions - 1)
    if contradictions == Self.fewest { contradicts = true }
    if contradictions == 0 { contradicts = false }
  }
}
