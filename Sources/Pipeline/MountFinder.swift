import Quantities
import RealModule

/// Finds the board's axis nearest to up from gravity. The x axis is assumed to point forward, or y
/// if x is upright; only a calibration can find the angle to the bow.
package struct MountFinder: Sendable {
  /// Averaging time of gravity, s: longer than the acceleration by a wave or a step.
  private static let averagingTime = 2.0
  /// Cosine of the largest tilt of an upright axis, 40 degrees.
  private static let leastCosine = 0.766
  /// Largest deviation of the force from gravity, as a share; more restarts the average.
  package static let largestDeviation = 0.15

  private var sum = SIMD3<Double>.zero
  private var start: Timestamp?

  package init() {}

  /// Adds a specific force in board axes.
  /// - Returns: The mount at the end of the averaging time; nil before, or if no axis is upright.
  package mutating func add(_ force: SpecificForce<SensorFrame>, at t: Timestamp) -> AxisMount? {
    let f = force.metresPerSecondSquared
    guard abs(f.length / 9.806_65 - 1) < Self.largestDeviation else {
      (sum, start) = (.zero, nil)
      return nil
    }
    let begin = start ?? t
    start = begin
    sum += f
    guard t.seconds(since: begin) >= Self.averagingTime else { return nil }
    defer { (sum, start) = (.zero, nil) }
    return Self.mount(up: sum / sum.length)
  }

  /// The mount of a board by the upward direction along its axes; nil if no axis is upright.
  package static func mount(up: SIMD3<Double>) -> AxisMount? {
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
