import Foundation
import Quantities

/// The motion of a board by a hand: smooth, known at every instant, different for every seed.
struct SimulatedMotion {
  enum Kind: CaseIterable {
    /// All over, upside down too.
    case free
    /// About the vertical, leaning by up to 35 degrees.
    case leaning
    /// About the vertical on a table.
    case level
    /// Not at all.
    case rest
  }

  let kind: Kind
  /// The rest before the motion, seconds.
  var restSeconds = 3.0
  private let start: SIMD3<Double>
  private let speed: SIMD3<Double>
  private let period: SIMD3<Double>
  private let phase: SIMD3<Double>

  init(_ kind: Kind, seed: UInt64) {
    var random = NumberSequence(seed: seed &* 7919 &+ 17)
    func three(_ a: Double, _ b: Double) -> SIMD3<Double> {
      SIMD3(random.uniform(a, b), random.uniform(a, b), random.uniform(a, b))
    }
    self.kind = kind
    start = three(-3, 3)
    speed = three(0.5, 0.9)
    period = three(4, 9)
    phase = three(0, 6)
  }

  /// Sensor (x forward, y right, z down) above north, east and down.
  func attitude(at time: Double) -> Rotation<BodyFrame, MagneticEarthFrame> {
    // The hand takes a second to reach its speed.
    let moving = max(0, time - restSeconds)
    let t = moving < 1 ? moving * moving / 2 : moving - 0.5
    func sway(_ i: Int) -> Double { sin(2 * .pi * t / period[i] + phase[i]) }
    let yaw = start.x + speed.x * t
    func turn(_ vector: SIMD3<Double>) -> Rotation<BodyFrame, BodyFrame> {
      Rotation(rotationVector: vector)
    }
    func about(
      _ yaw: Double, pitch: Double, roll: Double
    ) -> Rotation<BodyFrame, MagneticEarthFrame> {
      Rotation<BodyFrame, MagneticEarthFrame>(rotationVector: SIMD3(0, 0, yaw))
        * turn(SIMD3(0, pitch, 0)) * turn(SIMD3(roll, 0, 0))
    }
    switch kind {
    case .free:
      return about(yaw + sway(0), pitch: 1.3 * sway(1), roll: start.z + speed.z * t + sway(2))
    case .leaning: return about(yaw, pitch: 0.6 * sway(1), roll: 0.6 * sway(2))
    case .level: return about(yaw, pitch: 0.03 * sway(1), roll: 0.03 * sway(2))
    case .rest: return about(start.x, pitch: 0, roll: 0)
    }
  }
}
