import RealModule

/// A rotation of components from the axes of `From` to those of `To`.
///
/// A unit quaternion in Hamilton's convention, `v_To = q v_From q*`. Composition reads like
/// function application: `(Rotation<B, C> * Rotation<A, B>)` is a `Rotation<A, C>`.
public struct Rotation<From: Frame, To: Frame>: Equatable, Sendable {
  /// The scalar part.
  public let w: Double
  /// The vector part.
  public let v: SIMD3<Double>

  /// The identity.
  @inlinable
  public static var identity: Self { Self(unchecked: 1, .zero) }

  /// Makes a rotation from a quaternion of any length but zero; it is normalised.
  /// - Returns: nil for a quaternion that is zero or not finite.
  @inlinable
  public init?(w: Double, x: Double, y: Double, z: Double) {
    let n = (w * w + x * x + y * y + z * z).squareRoot()
    guard n > 0, n.isFinite else { return nil }
    self.init(unchecked: w / n, SIMD3(x, y, z) / n)
  }

  /// Restores a rotation from its parts, to the bit.
  public init(restoring w: Double, _ v: SIMD3<Double>) { self.init(unchecked: w, v) }

  @usableFromInline
  init(unchecked w: Double, _ v: SIMD3<Double>) {
    self.w = w
    self.v = v
  }

  /// Makes the rotation about the vector's direction by its length in radians, right-hand rule.
  @inlinable
  public init(rotationVector r: SIMD3<Double>) {
    let squared = r.lengthSquared
    if squared < 1e-8 {
      // The series is exact to full precision where sin(x)/x approaches a division by zero.
      self.init(unchecked: 1 - squared / 8, r * (0.5 - squared / 48))
    } else {
      let angle = squared.squareRoot()
      self.init(unchecked: Double.cos(angle / 2), r * (Double.sin(angle / 2) / angle))
    }
  }

  /// The shortest rotation from one direction to another.
  /// - Returns: nil if one of the two is zero. Opposite directions rotate about an arbitrary
  ///   perpendicular.
  public init?(from: SIMD3<Double>, to: SIMD3<Double>) {
    guard let a = from.normalized, let b = to.normalized else { return nil }
    let cosine = a.dot(b)
    if cosine < -0.999_999_999 {
      let helper: SIMD3<Double> = abs(a.x) < 0.6 ? SIMD3(1, 0, 0) : SIMD3(0, 1, 0)
      guard let axis = a.cross(helper).normalized else { return nil }
      self.init(unchecked: 0, axis)
    } else {
      let axis = a.cross(b)
      self.init(w: 1 + cosine, x: axis.x, y: axis.y, z: axis.z)
    }
  }

  /// The rotation whose matrix has these rows; the rows must be orthonormal and right-handed.
  public init?(rows r0: SIMD3<Double>, _ r1: SIMD3<Double>, _ r2: SIMD3<Double>) {
    // Shepperd's method: start from the largest of the four squared components.
    let trace = r0.x + r1.y + r2.z
    if trace > max(r0.x, r1.y, r2.z) {
      self.init(w: 1 + trace, x: r2.y - r1.z, y: r0.z - r2.x, z: r1.x - r0.y)
    } else if r0.x >= r1.y && r0.x >= r2.z {
      self.init(w: r2.y - r1.z, x: 1 + r0.x - r1.y - r2.z, y: r0.y + r1.x, z: r0.z + r2.x)
    } else if r1.y >= r2.z {
      self.init(w: r0.z - r2.x, x: r0.y + r1.x, y: 1 - r0.x + r1.y - r2.z, z: r1.z + r2.y)
    } else {
      self.init(w: r1.x - r0.y, x: r0.z + r2.x, y: r1.z + r2.y, z: 1 - r0.x - r1.y + r2.z)
    }
  }

  /// The inverse rotation.
  @inlinable
  public var inverse: Rotation<To, From> { Rotation<To, From>(unchecked: w, -v) }

  /// The right-hand rotation followed by the left-hand one.
  @inlinable
  public static func * <Via: Frame>(a: Rotation<Via, To>, b: Rotation<From, Via>) -> Self {
    Self(unchecked: a.w * b.w - a.v.dot(b.v), b.v * a.w + a.v * b.w + a.v.cross(b.v))
  }

  /// The same physical vector in the axes of the other frame.
  @inlinable
  public func callAsFunction<Unit>(_ x: FrameVector<Unit, From>) -> FrameVector<Unit, To> {
    FrameVector(components: rotate(x.components))
  }

  /// Rotates bare components to the other frame.
  @inlinable
  public func rotate(_ x: SIMD3<Double>) -> SIMD3<Double> {
    let t = v.cross(x) * 2
    return x + t * w + v.cross(t)
  }

  /// The rows of the rotation matrix.
  @inlinable
  public var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    let (x, y, z) = (v.x, v.y, v.z)
    return (
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      SIMD3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      SIMD3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    )
  }

  /// The rotation angle, 0 to pi radians.
  public var angle: Angle { Angle(radians: 2 * Double.atan2(y: v.length, x: abs(w))) }

  /// Normalises the quaternion after many products.
  @inlinable
  public mutating func renormalize() {
    // One Newton step of 1/sqrt: the length changes little between two calls.
    let correction = 1.5 - 0.5 * (w * w + v.lengthSquared)
    self = Self(unchecked: w * correction, v * correction)
  }
}
