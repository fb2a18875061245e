/// The axes of a sensor as one of the 48 signed permutations of reference axes. Half of them are
/// mirrored: a left-handed chip, wrong wiring or a wrong description gives such axes.
public struct SignedAxes: Hashable, Sendable, CustomStringConvertible {
  /// The place in `all`.
  private let place: UInt8

  /// Makes axes; nil if an axis occurs twice, or a sign is neither 1 nor -1.
  /// - Parameters:
  ///   - axes: For each axis of the sensor, the parallel reference axis, 0 to 2.
  ///   - signs: For each axis, +1 for the same direction, -1 for the opposite.
  public init?(axes: SIMD3<Int>, signs: SIMD3<Int>) {
    guard let order = (0..<6).first(where: { Self.order($0) == axes }),
      (0..<3).allSatisfy({ abs(signs[$0]) == 1 })
    else { return nil }
    let bits = (0..<3).reduce(0) { $0 | (signs[$1] < 0 ? 1 << $1 : 0) }
    self.init(place: order * 8 + bits)
  }

  private init(place: Int) { self.place = UInt8(place) }

  private static func order(_ index: Int) -> SIMD3<Int> {
    switch index {
    case 0: SIMD3(0, 1, 2)
    case 1: SIMD3(1, 2, 0)
    case 2: SIMD3(2, 0, 1)
    case 3: SIMD3(0, 2, 1)
    case 4: SIMD3(2, 1, 0)
    default: SIMD3(1, 0, 2)
    }
  }

  /// The number of permutations.
  public static var count: Int { 48 }

  /// The place in `all`, from 0.
  public var index: Int { Int(place) }

  /// The axes at a place in `all`.
  public init(index: Int) {
    precondition((0..<Self.count).contains(index))
    self.init(place: index)
  }

  /// For each axis of the sensor, the parallel reference axis, 0 to 2.
  public var axes: SIMD3<Int> { Self.order(index / 8) }
  /// For each axis, +1 for the same direction, -1 for the opposite.
  public var signs: SIMD3<Int> {
    SIMD3(1 - 2 * (index & 1), 1 - (index & 2), 1 - (index & 4) / 2)
  }

  /// Every axis parallel to its own.
  public static var identity: Self { Self(place: 0) }

  /// All 48 permutations, `identity` first.
  public static var all: [Self] { (0..<count).map { Self(place: $0) } }

  /// The permutation nearest to a shape.
  public static func nearest(to shape: Matrix3) -> Self {
    var best = (mount: identity, likeness: -Double.infinity)
    for place in 0..<count {
      let mount = Self(place: place)
      let (axes, signs) = (mount.axes, mount.signs)
      let likeness = (0..<3).reduce(0.0) { sum, i in
        sum + shape[i, axes[i]] * Double(signs[i])
      }
      if likeness > best.likeness { best = (mount, likeness) }
    }
    return best.mount
  }

  /// The matrix from reference axes to the sensor's.
  public var matrix: Matrix3 {
    var m = Matrix3.zero
    for i in 0..<3 { m[i, axes[i]] = Double(signs[i]) }
    return m
  }

  /// True for a left-handed permutation.
  public var isMirrored: Bool { matrix.determinant < 0 }

  /// True if every axis is opposite to its own.
  public var isInversion: Bool { axes == SIMD3(0, 1, 2) && signs == SIMD3(-1, -1, -1) }

  /// The axes with all directions opposite: the mirror image.
  public var opposite: Self { Self(place: index ^ 7) }

  /// The axes that take the sensor's back to the reference's.
  public var inverse: Self {
    let (p, s) = (axes, signs)
    var (axes, signs) = (SIMD3<Int>.zero, SIMD3<Int>.zero)
    for i in 0..<3 { (axes[p[i]], signs[p[i]]) = (i, s[i]) }
    return Self(axes: axes, signs: signs) ?? .identity
  }

  /// The reference axes along the sensor's x, y and z, such as `+x,-z,+y`.
  public var description: String {
    func word(_ i: Int) -> String {
      (signs[i] < 0 ? "-" : "+") + (axes[i] == 0 ? "x" : axes[i] == 1 ? "y" : "z")
    }
    return word(0) + "," + word(1) + "," + word(2)
  }
}
