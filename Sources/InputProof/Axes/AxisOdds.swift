import Quantities
import RealModule

/// The evidence of one relation about the 48 axes: how much less likely each is than the best, as
/// logarithms of odds.
struct AxisOdds: Sendable {
  /// The blocks of a window.
  static let window = 24
  /// Largest difference by one window: a single disturbance decides nothing.
  private static let largest = 10.0
  /// What remains of old evidence after a window.
  private static let memory = 0.9
  /// Squared errors whose ratio is within this factor count as equal: soft iron, latency and
  /// lasting accelerations cause such ratios.
  private static let indistinct = 1.5

  /// By place in `SignedAxes.all`.
  private(set) var penalties = [Double](repeating: 0, count: SignedAxes.count)

  subscript(_ axes: Int) -> Double { penalties[axes] }

  /// Reduces the weight of older evidence: no axes explain the motion of a window.
  mutating func fade() {
    for i in penalties.indices { penalties[i] *= Self.memory }
  }

  /// Adds a window.
  /// - Parameters:
  ///   - errors: The squared errors of all axes, with the relation's floor.
  ///   - weight: Independent samples for each halving of the error.
  mutating func add(_ errors: [Double], weight: Double) {
    var least = Double.infinity
    for error in errors { least = min(least, error) }
    fade()
    for i in penalties.indices {
      let ratio = Double.log(errors[i] / least) - Double.log(Self.indistinct)
      penalties[i] += min(Self.largest, weight * max(0, ratio))
    }
  }
}
