import Quantities

/// How a magnetometer's axes lie along its inertial unit's: one of the 48 signed permutations. Half of
/// them are mirrored, which no chip is but a wrongly wired or wrongly described board may be.
public struct SignedAxes: Hashable, Sendable, CustomStringConvertible {
  /// For each axis of the magnetometer, which axis of the inertial unit it lies along, 0 to 2.
  public let axes: SIMD3<Int>
  /// For each, +1 where the two point the same way, else -1.
  public let signs: SIMD3<Int>

  /// Makes a mount of axes and signs.
  /// - Returns: nil where an axis is named twice, or a sign is neither 1 nor -1.
  public init?(axes: SIMD3<Int>, signs: SIMD3<Int>) {
    var seen = [false, false, false]
    for i in 0..<3 {
      guard (0..<3).contains(axes[i]), !seen[axes[i]], abs(signs[i]) == 1 else { return nil }
      seen[axes[i]] = true
    }
    (self.axes, self.signs) = (axes, signs)
  }

  private init(known axes: SIMD3<Int>, _ signs: SIMD3<Int>) {
    (self.axes, self.signs) = (axes, signs)
  }

  /// Each axis along its own.
  public static var identity: Self { Self(known: SIMD3(0, 1, 2), SIMD3(1, 1, 1)) }

  /// All 48.
  public static var all: [Self] {
    let orders: [SIMD3<Int>] = [
      SIMD3(0, 1, 2), SIMD3(1, 2, 0), SIMD3(2, 0, 1), SIMD3(0, 2, 1), SIMD3(2, 1, 0),
      SIMD3(1, 0, 2),
    ]
    return orders.flatMap { axes in
      (0..<8).map { bits in
        Self(known: axes, SIMD3(1 - 2 * (bits & 1), 1 - (bits & 2), 1 - (bits & 4) / 2))
      }
    }
  }

  /// The one that a shape is nearest to.
  static func nearest(to shape: Matrix3) -> Self {
    var best = (mount: identity, likeness: -Double.infinity)
    for mount in all {
      let likeness = (0..<3).reduce(0.0) { sum, i in
        sum + shape[i, mount.axes[i]] * Double(mount.signs[i])
      }
      if likeness > best.likeness { best = (mount, likeness) }
    }
    return best.mount
  }

  /// Takes components along the inertial unit's axes to the magnetometer's.
  public var matrix: Matrix3 {
    var m = Matrix3.zero
    for i in 0..<3 { m[i, axes[i]] = Double(signs[i]) }
    return m
  }

  /// True of a left-handed one.
  public var isMirrored: Bool { matrix.determinant < 0 }

  /// True where every axis points against its own.
  var isInversion: Bool { axes == SIMD3(0, 1, 2) && signs == SIMD3(-1, -1, -1) }

  /// What the magnetometer's x, y and z lie along, such as `+x,-z,+y`.
  public var description: String {
    func word(_ i: Int) -> String {
      (signs[i] < 0 ? "-" : "+") + (axes[i] == 0 ? "x" : axes[i] == 1 ? "y" : "z")
    }
    return word(0) + "," + word(1) + "," + word(2)
  }
}
