import Quantities
import RealModule

/// Finds which way up a board sits, from gravity: the board's axis nearest to up. Its x axis is taken to
/// point forward, or y where x stands upright; how far that is from the bow only a calibration can tell.
package struct MountFinder: Sendable {
  /// Gravity is averaged over so long, s: a wave's or a step's push has passed by then.
  private static let patience = 2.0
  /// An axis that leans more than this is not called upright: 40 degrees.
  private static let leastCosine = 0.766
  /// Pushes that change gravity's length by more than this share spoil the average.
  private static let calm = 0.15

  private var sum = SIMD3<Double>.zero
  private var start: Timestamp?

  package init() {}

  /// Takes in what the accelerometer felt, along the board's axes.
  /// - Returns: The mount once gravity has spoken clearly; nil before.
  package mutating func add(_ force: SpecificForce<SensorFrame>, at t: Timestamp) -> AxisMount? {
    let f = force.metresPerSecondSquared
    guard abs(f.length / 9.806_65 - 1) < Self.calm else {
      (sum, start) = (.zero, nil)
      return nil
    }
    let begin = start ?? t
    start = begin
    sum += f
    guard t.seconds(since: begin) >= Self.patience else { return nil }
    defer { (sum, start) = (.zero, nil) }
    return Self.mount(up: sum / sum.length)
  }

  private static func mount(up: SIMD3<Double>) -> AxisMount? {
    let words = [
      (up.x, AxisMount(x: .up, y: .forward, z: .left), AxisMount(x: .down, y: .forward, z: .right)),
      (up.y, AxisMount(x: .forward, y: .up, z: .right), AxisMount(x: .forward, y: .down, z: .left)),
      (up.z, AxisMount(x: .forward, y: .left, z: .up), AxisMount(x: .forward, y: .right, z: .down)),
    ]
    for (share, upright, reversed) in words where abs(share) > leastCosine {
      return share > 0 ? upright : reversed
    }
    return nil
  }
}
