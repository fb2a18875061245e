import Quantities

/// The covariance of the six numbers of a `DeviationModel`: the blocks of its two rows and their
/// cross-covariance.
struct DeviationCovariance: Equatable, Sendable {
  /// Covariance of the forward row.
  var xx: Matrix3
  /// Cross-covariance of the forward row (rows here) and the rightward row (columns here).
  var xy: Matrix3
  /// Covariance of the rightward row.
  var yy: Matrix3

  /// Independent numbers with these standard deviations, the same in both rows.
  init(sigmas: SIMD3<Double>) {
    let variances = sigmas * sigmas
    xx = Matrix3(diagonal: variances)
    yy = xx
    xy = .zero
  }

  /// Adds variance to each of the six numbers.
  mutating func grow(by variances: SIMD3<Double>) {
    xx = xx + Matrix3(diagonal: variances)
    yy = yy + Matrix3(diagonal: variances)
  }

  /// The covariances of the six numbers with `forward · x + rightward · y`.
  func product(_ forward: SIMD3<Double>, _ rightward: SIMD3<Double>) -> (
    x: SIMD3<Double>, y: SIMD3<Double>
  ) {
    (xx * forward + xy * rightward, xy.transposed * forward + yy * rightward)
  }

  /// The variance of `forward · x + rightward · y`.
  func variance(_ forward: SIMD3<Double>, _ rightward: SIMD3<Double>) -> Double {
    let g = product(forward, rightward)
    return max(0, g.x.dot(forward) + g.y.dot(rightward))
  }

  /// Applies a scalar measurement.
  /// - Parameters:
  ///   - g: Its covariances with the six numbers, without its noise.
  ///   - s: Its variance, noise included.
  mutating func update(_ g: (x: SIMD3<Double>, y: SIMD3<Double>), variance s: Double) {
    xx = (xx - .outer(g.x, g.x) * (1 / s)).symmetrized
    yy = (yy - .outer(g.y, g.y) * (1 / s)).symmetrized
    xy = xy - .outer(g.x, g.y) * (1 / s)
  }

  /// True if all numbers are finite and no variance is negative.
  var isValid: Bool {
    for m in [xx, xy, yy] where !(m.r0.isFinite && m.r1.isFinite && m.r2.isFinite) { return false }
    return xx.diagonal.min() >= 0 && yy.diagonal.min() >= 0
  }
}
