import Quantities

/// The axes of a magnetometer relative to its inertial unit's: one of the 48 signed permutations.
/// Half of them are mirrored; no chip is, but a board with wrong wiring or a wrong description may
/// be.
public struct SignedAxes: Hashable, Sendable, CustomStringConvertible {
  /// For each axis of the magnetometer, the parallel axis of the inertial unit, 0 to 2.
  public let axes: SIMD3<Int>
  /// For each axis, +1 for the same direction, -1 for the opposite.
  public let signs: SIMD3<Int>

  /// Makes a mount.
  /// - Returns: nil if an axis occurs twice, or a sign is neither 1 nor -1.
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

  /// Every axis parallel to its own.
  public static var identity: Self { Self(known: SIMD3(0, 1, 2), SIMD3(1, 1, 1)) }

  /// All 48 permutations.
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

  /// The permutation nearest to a shape.
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

  /// True if a level turn about an axis gives the same field as without the permutation: north is turned by quarters, and the
  /// vertical field, whose offset a level turn does not show, has perhaps the other sign.
  func isHidden(byTurnsAbout axis: Int) -> Bool {
    guard axes[axis] == axis else { return false }
    let (a, b) = ((axis + 1) % 3, (axis + 2) % 3)
    // The determinant of the two level axes.
    let product = signs[a] * signs[b]
    return (axes[a] == a ? product : -product) == 1
  }

  /// The matrix from the inertial unit's axes to the magnetometer's.
  public var matrix: Matrix3 {
    var m = Matrix3.zero
    for i in 0..<3 { m[i, axes[i]] = Double(signs[i]) }
    return m
  }

  /// True for a left-handed permutation.
  public var isMirrored: Bool { matrix.determinant < 0 }

  /// True if every axis is opposite to its own.
  var isInversion: Bool { axes == SIMD3(0, 1, 2) && signs == SIMD3(-1, -1, -1) }

  /// The axes along the magnetometer's x, y and z, such as `+x,-z,+y`.
  public var description: String {
    func word(_ i: Int) -> String {
      (signs[i] < 0 ? "-" : "+") + (axes[i] == 0 ? "x" : axes[i] == 1 ? "y" : "z")
    }
    return word(0) + "," + word(1) + "," + word(2)
  }
}
