extension SIMD2 where Scalar == Double {
  /// The square of the Euclidean length.
  @inlinable
  public var lengthSquared: Double { (self * self).sum() }

  /// The Euclidean length.
  @inlinable
  public var length: Double { lengthSquared.squareRoot() }
}
