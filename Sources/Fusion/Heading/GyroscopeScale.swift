import Quantities

/// The error of a gyroscope's rate in proportion to the rate, fractions, body frame: a symmetric
/// matrix, which is the same for every choice of sensor axes.
struct GyroscopeScale: Equatable, Sendable {
  /// xx, yy, zz.
  var diagonal = SIMD3<Double>.zero
  /// xy, xz, yz.
  var shear = SIMD3<Double>.zero

  /// The true rate for a rate without bias.
  @inline(__always)
  func correct(_ w: SIMD3<Double>) -> SIMD3<Double> {
    w + diagonal * w
      + SIMD3(
        shear.x * w.y + shear.y * w.z, shear.x * w.x + shear.z * w.z,
        shear.y * w.x + shear.z * w.y)
  }
}
