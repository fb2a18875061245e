import Quantities
import RealModule

/// A weighted field sample.
struct EllipsoidSample: Sendable {
  /// The raw field, microtesla.
  var field: SIMD3<Double>
  /// Unit vector of gravity; nil if unknown.
  var down: SIMD3<Double>?
  /// One for a rare direction, less for a direction with many samples.
  var weight = 1.0

  init(field: SIMD3<Double>, down: SIMD3<Double>?) { (self.field, self.down) = (field, down) }
}

/// The residual of one sample.
struct EllipsoidResidual: Sendable {
  /// The excess of the undistorted field's strength over the earth's, and the excess of its depth
  /// along the arc; microtesla of the raw field. The two are perpendicular, so their noise is
  /// independent.
  var strength: Double
  var depth: Double?
  var strengthGradient: SIMD16<Double>
  var depthGradient = SIMD16<Double>.zero

  /// - Returns: nil for a sample at the centre, which has no direction.
  init?(_ sample: EllipsoidSample, _ state: EllipsoidState, inverse b: Matrix3) {
    let c = b * (sample.field - state.offset)
    let length = c.length
    guard length > 1 else { return nil }
    let along = c / length
    // From S c = m - o: a change of S and o moves c by -S⁻¹ (dS c + do).
    let g = b.transposed * along
    // Noise of the raw field changes the strength by this factor.
    let factor = 1 / g.length
    strength = (length - state.strength) * factor
    strengthGradient = Self.gradient(g * factor, c)
    strengthGradient[EllipsoidState.strengthIndex] = -factor
    guard let down = sample.down else { return }
    let depthOfAlong = along.dot(down)
    let across = down - along * depthOfAlong
    let width = across.length
    // Near the vertical a small field error changes this direction by a large angle.
    guard width > 0.03 else { return }
    let h = b.transposed * (across / width)
    let depthFactor = 1 / h.length
    let dip = Double.atan2(y: depthOfAlong, x: width)
    depth = length * (dip - state.dip) * depthFactor
    depthGradient = Self.gradient(h * depthFactor, c)
    depthGradient[EllipsoidState.dipIndex] = -length * depthFactor
  }

  private static func gradient(_ g: SIMD3<Double>, _ c: SIMD3<Double>) -> SIMD16<Double> {
    var r = SIMD16<Double>.zero
    for i in 0..<3 {
      for j in 0..<3 { r[3 * i + j] = -g[i] * c[j] }
      r[9 + i] = -g[i]
    }
    return r
  }
}
