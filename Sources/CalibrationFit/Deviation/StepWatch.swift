import Quantities
import RealModule

/// Watches innovations for iron that was moved: then they are large and all point the same way along the
/// body, whatever the heading, for longer than a truck passes.
struct StepWatch: Equatable, Sendable {
  /// The share of the mean square that the square of the mean must be: one direction, not scatter.
  static let steadiness = 0.6

  private var mean = SIMD2<Double>.zero
  private var meanSquare = 0.0
  private var expected = 0.0
  private var seconds = 0.0

  /// - Parameters:
  ///   - innovation: Measured less expected field, microtesla.
  ///   - variance: What its square is expected to be on either axis, doubt of the model included.
  ///   - t: Since the last one, s; a gap counts as one epoch.
  ///   - p: The tuning.
  /// - Returns: True where the iron has moved; the watch begins anew.
  mutating func sees(
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

  /// What the offset seems to be off by now, squared, microtesla²: the mean innovation beyond what chance
  /// makes of a mean.
  var excess: Double {
    let square: Double = (mean * mean).sum()
    return max(0, square - Self.chance * expected)
  }

  /// The share of one innovation's variance that the mean's has: about five times `errorTime` in it.
  private static let chance = 0.2
}
