/// Finds the samples at which a sensor stood at the end of its range.
///
/// A sensor that is driven beyond its range gives a flat top. Where the range is not known, a flat top is a
/// value near the largest that was seen, at which the signal stops though it was changing fast: a motion
/// comes to a stop little by little. The top need not be exactly flat: a calibrated sensor's drifts a little.
/// One limit holds for all axes and both signs.
public struct FullScaleDetector: Equatable, Sendable {
  /// Below this nothing is taken for the end of a gyroscope's range, rad/s: 200 degrees a second.
  public static var leastRate: Double { 3.5 }
  /// Below this nothing is taken for the end of an accelerometer's range, m/s²: one and a half g.
  public static var leastForce: Double { 15 }

  /// The end of the range in the sensor's unit; infinite while none was found.
  public package(set) var limit: Double
  private let isGiven: Bool
  private let least: Double
  package var x = FlatTop()
  package var y = FlatTop()
  package var z = FlatTop()

  /// Makes a detector.
  /// - Parameters:
  ///   - fullScale: The end of the range in the sensor's unit; nil: it is found in the samples.
  ///   - least: What no sensor's range is below, in the same unit.
  public init(fullScale: Double? = nil, least: Double) {
    (limit, isGiven, self.least) = (fullScale ?? .infinity, fullScale != nil, least)
  }

  /// Takes in a sample.
  /// - Returns: Of each axis that stands at the end of its range the sign of its value, of the others zero.
  public mutating func add(_ sample: SIMD3<Double>) -> SIMD3<Double> {
    guard sample.isFinite else { return .zero }
    if !isGiven {
      let size = SIMD3(abs(sample.x), abs(sample.y), abs(sample.z))
      // What goes further was no end.
      if size.max() > Self.beyond * limit { limit = .infinity }
      learn(x.add(sample.x, above: least), size.x)
      learn(y.add(sample.y, above: least), size.y)
      learn(z.add(sample.z, above: least), size.z)
    }
    return SIMD3(side(sample.x), side(sample.y), side(sample.z))
  }

  /// Says that samples are missing: a step across the gap is no corner.
  public mutating func interrupt() {
    x.interrupt()
    y.interrupt()
    z.interrupt()
  }

  private mutating func learn(_ isTop: Bool, _ size: Double) {
    if isTop, limit == .infinity || size > limit { limit = size }
  }

  private func side(_ value: Double) -> Double {
    abs(value) < Self.near * limit ? 0 : value < 0 ? -1 : 1
  }

  /// The part of the limit from which on a value is at it.
  private static var near: Double { 0.98 }
  /// A value larger than the limit by this factor shows that it was none.
  private static var beyond: Double { 1.03 }

  /// A corner and then a flat top in one axis.
  package struct FlatTop: Equatable, Sendable {
    /// The sample before; nil where none is known.
    package var last: Double?
    package var largest = 0.0
    /// The step to the corner, and how many samples have been flat since, the corner's too.
    package var corner = 0.0
    package var count = 0.0

    /// The step to a corner is at least this part of the value.
    private static var steepness: Double { 0.01 }
    /// On the top a step is at most this part of the step to the corner.
    private static var flatness: Double { 0.1 }
    /// And at most this part of the value, however steep the corner was.
    private static var drift: Double { 0.001_5 }
    /// So many samples in a row: fewer are the crest of a motion.
    private static var fewest: Double { 4 }
    /// The part of the largest value from which on a top counts.
    private static var near: Double { 0.98 }

    /// - Returns: True where the value is a flat top's.
    mutating func add(_ value: Double, above least: Double) -> Bool {
      defer { last = value }
      let size = abs(value)
      largest = max(largest, size)
      guard let last else { return false }
      let step = abs(value - last)
      if count > 0, step < min(Self.flatness * corner, Self.drift * size) {
        count += 1
      } else if size > abs(last), step > Self.steepness * size, size > least {
        (corner, count) = (step, 1)
      } else {
        count = 0
      }
      return count >= Self.fewest && size > Self.near * largest
    }

    mutating func interrupt() { (last, count) = (nil, 0) }
  }
}
