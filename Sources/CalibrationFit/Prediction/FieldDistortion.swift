import Quantities

/// The effect of the board's iron and the sensor's errors on the earth's field `v` (all along the
/// sensor's axes): `measured = shape * v + offset`.
public struct FieldDistortion: Equatable, Sendable {
  /// Soft iron, scale, skew and alignment; dimensionless.
  public var shape: Matrix3
  /// Hard iron, microtesla.
  public var offset: SIMD3<Double>

  /// Makes a distortion.
  public init(shape: Matrix3, offset: SIMD3<Double>) {
    (self.shape, self.offset) = (shape, offset)
  }

  /// No distortion.
  public static var none: Self { Self(shape: .identity, offset: .zero) }
}
