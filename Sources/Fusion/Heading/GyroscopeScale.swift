import Quantities

/// What a gyroscope's rate is off by in proportion to the rate: a symmetric matrix, which is the same
/// for every choice of sensor axes. Body frame, fractions.
struct GyroscopeScale: Equatable, Sendable {
  /// xx, yy, zz.
  var diagonal = SIMD3<Double>.zero
  /// xy, xz, yz.
  var shear = SIMD3<Double>.zero

  /// The true rate of a rate that is free of bias.
  @inline(__always)
  func correct(_ w: SIMD3<Double>) -> SIMD3<Double> {
    w + diagonal * w
      + SIMD3(
        shear.x * w.y + shear.y * w.z, shear.x * w.x + shear.z * w.z,
        shear.y * w.x + shear.z * w.y)
  }
}
