import Quantities
import RealModule

/// Detects moved iron from innovations: they are then large and in one direction of the body for
/// all headings, for longer than a passing truck.
struct StepWatch: Equatable, Sendable {
  /// Minimum ratio of the squared mean to the mean square: one direction, not scatter.
  static let steadiness = 0.6

  private var mean = SIMD2<Double>.zero
  private var meanSquare = 0.0
  private var expected = 0.0
  private var seconds = 0.0

  /// - Parameters:
  ///   - innovation: Measured less predicted field, microtesla.
  ///   - variance: Its expected square on each axis, model uncertainty included.
  ///   - t: The time since the last one, s; a gap counts as one epoch.
  ///   - p: The tuning parameters.
  /// - Returns: True if iron has moved; the detector is then reset.
  mutating func detectsStep(
    _ innovation: SIMD2<Double>, variance: Double, seconds t: Double,
    _ p: DeviationLearner.Parameters
  ) -> Bool {
    let t = min(t, p.stepTime / 5)
    seconds += t
    let share = max(t / (t + p.stepTime), t / seconds)
    mean += (innovation - mean) * share
    meanSquare += ((innovation * innovation).sum() - meanSquare) * share
    expected += (variance - expected) * share
    let square: Double = (mean * mean).sum()
    guard seconds >= p.stepTime, square > Self.steadiness * meanSquare,
      square > p.stepGate * p.stepGate * expected
    else { return false }
    self = StepWatch()
    return true
  }

  /// The estimated squared offset error, microtesla²: the mean innovation in excess of noise.
  var offsetErrorSquared: Double {
    let square: Double = (mean * mean).sum()
    return max(0, square - Self.noiseShare * expected)
  }

  /// Variance of the mean as a fraction of one innovation's: it contains about five times
  /// `errorTime`.
  private static let noiseShare = 0.2
}
