import Quantities

/// The Allan deviation of a signal with three axes at averaging times that double, in constant
/// memory: means of neighbouring stretches, which do not overlap.
/// - Source: IEEE Std 952-1997, annex C.
package struct AllanDeviation: Equatable, Sendable {
  private struct Level: Equatable {
    /// The mean before, for the difference, and the one that waits for its partner.
    var previous: SIMD3<Double>?
    var pending: SIMD3<Double>?
    var squares = SIMD3<Double>.zero
    var count = 0
  }

  /// The deviation at one averaging time.
  package struct Point: Equatable, Sendable {
    /// The averaging time, s.
    package var seconds: Double
    /// The deviation of each axis, in the signal's unit.
    package var deviation: SIMD3<Double>
    /// The number of differences.
    package var count: Int
  }

  /// The fewest differences of a point: the deviation's own error is then 35 %.
  package static let fewest = 4

  private var levels: [Level] = []
  /// The number of samples.
  package private(set) var count = 0
  private var seconds = 0.0
  private var steps = 0

  /// No samples.
  package init() {}

  /// Adds a sample.
  /// - Parameters:
  ///   - sample: The three axes.
  ///   - dt: The time since the sample before; nil for the first one, and after an interruption.
  package mutating func add(_ sample: SIMD3<Double>, after dt: Double?) {
    count += 1
    if let dt {
      seconds += dt
      steps += 1
    }
    var value = sample
    var level = 0
    while true {
      if level == levels.count { levels.append(Level()) }
      if let previous = levels[level].previous {
        let d = value - previous
        levels[level].squares += d * d
        levels[level].count += 1
      }
      levels[level].previous = value
      guard let partner = levels[level].pending else {
        levels[level].pending = value
        return
      }
      levels[level].pending = nil
      value = (value + partner) * 0.5
      level += 1
    }
  }

  /// Ends a stretch: what follows is not compared with what came before.
  package mutating func interrupt() {
    for index in levels.indices { (levels[index].previous, levels[index].pending) = (nil, nil) }
  }

  /// The mean interval between samples, s; nil below two samples.
  package var interval: Double? { steps > 0 ? seconds / Double(steps) : nil }

  /// The time of all stretches, s.
  package var duration: Double { seconds }

  /// The deviations at rising averaging times.
  package var points: [Point] {
    guard let interval else { return [] }
    var points: [Point] = []
    var time = interval
    for level in levels {
      if level.count >= Self.fewest {
        let variance = level.squares / (2 * Double(level.count))
        points.append(
          Point(
            seconds: time,
            deviation: SIMD3(
              variance.x.squareRoot(), variance.y.squareRoot(), variance.z.squareRoot()),
            count: level.count))
      }
      time *= 2
    }
    return points
  }
}
