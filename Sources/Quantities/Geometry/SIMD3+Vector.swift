import RealModule

extension SIMD3 where Scalar == Double {
  /// The inner product.
  @inlinable
  public func dot(_ other: Self) -> Double { (self * other).sum() }

  /// The cross product, right-handed.
  @inlinable
  public func cross(_ b: Self) -> Self {
    Self(y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x)
  }

  /// The square of the Euclidean length.
  @inlinable
  public var lengthSquared: Double { dot(self) }

  /// The Euclidean length.
  @inlinable
  public var length: Double { lengthSquared.squareRoot() }

  /// The unit vector of this direction; nil for the zero vector and for a component that is not
  /// finite.
  @inlinable
  public var normalized: Self? {
    let l = length
    return l > 0 && l.isFinite ? self / l : nil
  }

  /// True if all components are finite.
  @inlinable
  public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
