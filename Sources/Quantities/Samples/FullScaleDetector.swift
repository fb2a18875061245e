/// Detects the samples at which a sensor is at its limit.
///
/// A sensor beyond its range shows a flat top. For an unknown range, a flat top is a value near the
/// largest one so far at which a fast change stops at once; a motion stops gradually. The top need
/// not be exactly flat, since a calibrated value drifts a little. One limit applies to all axes and
/// both signs.
public struct FullScaleDetector: Equatable, Sendable {
  /// Smallest possible limit of a gyroscope, rad/s: 200 degrees a second.
  public static var leastRate: Double { 3.5 }
  /// Smallest possible limit of an accelerometer, m/s²: one and a half g.
  public static var leastForce: Double { 15 }

  /// The limit in the sensor's unit; infinite while unknown.
  public package(set) var limit: Double
  private let isGiven: Bool
  private let least: Double
  package var x = FlatTop()
  package var y = FlatTop()
  package var z = FlatTop()

  /// Makes a detector.
  /// - Parameters:
  ///   - fullScale: The limit in the sensor's unit; nil: detected from the samples.
  ///   - least: The smallest possible limit, in the same unit.
  public init(fullScale: Double? = nil, least: Double) {
    (limit, isGiven, self.least) = (fullScale ?? .infinity, fullScale != nil, least)
  }

  /// Processes a sample.
  /// - Returns: For each axis at its limit the sign of its value, zero for the others.
  public mutating func add(_ sample: SIMD3<Double>) -> SIMD3<Double> {
    guard sample.isFinite else { return .zero }
    if !isGiven {
      let size = SIMD3(abs(sample.x), abs(sample.y), abs(sample.z))
      // A larger value shows that the limit was wrong.
      if size.max() > Self.beyond * limit { limit = .infinity }
      learn(x.add(sample.x, above: least), size.x)
      learn(y.add(sample.y, above: least), size.y)
      learn(z.add(sample.z, above: least), size.z)
    }
    return SIMD3(side(sample.x), side(sample.y), side(sample.z))
  }

  /// Resets after missing samples: a step across a gap is not a corner.
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

  /// Fraction of the limit from which a value is at the limit.
  private static var near: Double { 0.98 }
  /// A value above the limit by this factor shows that the limit was wrong.
  private static var beyond: Double { 1.03 }

  /// Detects a corner followed by a flat top in one axis.
  package struct FlatTop: Equatable, Sendable {
    /// The previous sample; nil if unknown.
    package var last: Double?
    package var largest = 0.0
    /// The step to the corner, and the number of flat samples since, including the corner.
    package var corner = 0.0
    package var count = 0.0

    /// Minimum step to a corner, as a fraction of the value.
    private static var steepness: Double { 0.01 }
    /// Maximum step on the top, as a fraction of the step to the corner.
    private static var flatness: Double { 0.1 }
    /// Maximum step on the top, as a fraction of the value.
    private static var drift: Double { 0.001_5 }
    /// Minimum number of flat samples: fewer may be the crest of a motion.
    private static var fewest: Double { 4 }
    /// Minimum height of a top, as a fraction of the largest value.
    private static var near: Double { 0.98 }

    /// - Returns: True if the value is on a flat top.
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
