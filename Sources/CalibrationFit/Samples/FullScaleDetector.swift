import Quantities

/// Finds the samples at which a sensor stood at the end of its range.
///
/// A sensor that is driven beyond its range gives a flat top. Where the range is not known, a flat top is a
/// value near the largest that was seen, at which the signal stops though it was changing fast: a motion
/// comes to a stop little by little. The top need not be exactly flat: a calibrated sensor's drifts a little.
public struct FullScaleDetector: Equatable, Sendable {
  /// Below this nothing is taken for the end of a gyroscope's range, rad/s: 200 degrees a second.
  public static var leastRate: Double { 3.5 }
  /// Below this nothing is taken for the end of an accelerometer's range, m/s²: one and a half g.
  public static var leastForce: Double { 15 }

  /// The end of the range in the sensor's unit; nil while none was found.
  public private(set) var limit: Double?
  private let isGiven: Bool
  private let least: Double
  private var axes = (FlatTop(), FlatTop(), FlatTop())

  /// Makes a detector.
  /// - Parameters:
  ///   - fullScale: The end of the range in the sensor's unit; nil: it is found in the samples.
  ///   - least: What no sensor's range is below, in the same unit.
  public init(fullScale: Double? = nil, least: Double) {
    (limit, isGiven, self.least) = (fullScale, fullScale != nil, least)
  }

  /// Takes in a sample.
  /// - Returns: True where an axis stands at the end of its range.
  public mutating func add(_ x: SIMD3<Double>) -> Bool {
    guard x.isFinite else { return false }
    if !isGiven {
      // What goes further was no end.
      let largest = max(abs(x.x), abs(x.y), abs(x.z))
      if let limit, largest > Self.beyond * limit { self.limit = nil }
      let tops = [axes.0.add(x.x, least), axes.1.add(x.y, least), axes.2.add(x.z, least)]
      for top in tops.compactMap({ $0 }) where top > limit ?? 0 { limit = top }
    }
    guard let limit else { return false }
    let end = Self.near * limit
    return abs(x.x) >= end || abs(x.y) >= end || abs(x.z) >= end
  }

  /// True where both have seen the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.limit == b.limit && a.isGiven == b.isGiven && a.least == b.least && a.axes == b.axes
  }

  /// The part of the limit from which on a value is at it.
  private static var near: Double { 0.98 }
  /// A value larger than the limit by this factor shows that it was none.
  private static var beyond: Double { 1.03 }
}

/// A corner and then a flat top in one axis.
private struct FlatTop: Equatable, Sendable {
  private var last: Double?
  private var largest = 0.0
  private var corner = 0.0
  private var count = 0

  /// The step to a corner is at least this part of the value.
  private static var steepness: Double { 0.01 }
  /// On the top a step is at most this part of the step to the corner.
  private static var flatness: Double { 0.1 }
  /// So many samples in a row, the corner's too: fewer are the crest of a motion.
  private static var fewest: Int { 4 }
  /// The part of the largest value from which on a top counts.
  private static var near: Double { 0.98 }

  /// - Returns: The value of a top that has been found.
  mutating func add(_ x: Double, _ least: Double) -> Double? {
    defer { last = x }
    let size = abs(x)
    largest = max(largest, size)
    guard let last else { return nil }
    let step = abs(x - last)
    if count > 0, step < Self.flatness * corner {
      count += 1
    } else if size > abs(last), step > Self.steepness * size, size > least {
      (corner, count) = (step, 1)
    } else {
      count = 0
    }
    return count >= Self.fewest && size > Self.near * largest ? size : nil
  }
}
