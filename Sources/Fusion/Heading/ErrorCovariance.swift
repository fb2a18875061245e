import Quantities

/// The covariance of nine errors in blocks of three: attitude (earth frame, radians), gyroscope bias
/// (body frame, rad/s), velocity (earth frame, m/s). A value without heap storage.
///
/// Attitude error: R_true = (1 + [attitude]x) R. Blocks below the diagonal are the transposes of those
/// above it and are not kept.
struct ErrorCovariance: Equatable, Sendable {
  var attitude: Matrix3
  var bias: Matrix3
  var velocity: Matrix3
  var attitudeBias = Matrix3.zero
  var attitudeVelocity = Matrix3.zero
  var biasVelocity = Matrix3.zero

  /// Independent errors of these standard deviations.
  init(attitude: SIMD3<Double>, bias: Double, velocity: Double) {
    self.attitude = Matrix3(diagonal: attitude * attitude)
    self.bias = Matrix3(diagonal: SIMD3(repeating: bias * bias))
    self.velocity = Matrix3(diagonal: SIMD3(repeating: velocity * velocity))
  }

  /// Carries the errors over an interval: attitude -= turned · bias, velocity -= pushed x attitude.
  ///
  /// `turned` is the integral of the rotation matrix in seconds, `pushed` that of specific force in the
  /// earth frame in m/s.
  mutating func propagate(turned a: Matrix3, pushed: SIMD3<Double>) {
    let s = Matrix3(crossProductWith: pushed)
    let st = s.transposed
    let tst = attitude * st
    let bct = attitudeBias.transposed
    let bst = bct * st
    let sd = s * attitudeVelocity
    velocity = velocity - sd - sd.transposed + s * tst
    attitudeVelocity = attitudeVelocity - tst - a * (biasVelocity - bst)
    biasVelocity = biasVelocity - bst
    let ab = a * bias
    let act = a * bct
    attitude = attitude - act - act.transposed + ab * a.transposed
    attitudeBias = attitudeBias - ab
  }

  /// Adds what grew meanwhile, as variances.
  mutating func grow(attitude a: SIMD3<Double>, bias b: Double, velocity v: Double) {
    attitude = attitude + Matrix3(diagonal: a)
    bias = bias + Matrix3(diagonal: SIMD3(repeating: b))
    velocity = velocity + Matrix3(diagonal: SIMD3(repeating: v))
  }

  /// The corrections that one measurement makes.
  struct Correction {
    var attitude: SIMD3<Double>
    var bias: SIMD3<Double>
    var velocity: SIMD3<Double>
  }

  /// Measures velocity: `innovation` is measured less predicted, `variance` that of each component.
  ///
  /// Gravity must not touch heading, so the heading row of the gain is zero; the Joseph form keeps the
  /// covariance honest about a gain that is not the optimal one.
  mutating func updateVelocity(
    innovation: SIMD3<Double>, variance: Double, touchesBias: Bool
  ) -> Correction? {
    let s = velocity + Matrix3(diagonal: SIMD3(repeating: variance))
    guard let inverse = s.inverse else { return nil }
    var ka = attitudeVelocity * inverse
    ka.r2 = .zero
    return apply(
      ka, touchesBias ? biasVelocity * inverse : .zero, velocity * inverse, s,
      attitudeVelocity, biasVelocity, velocity, innovation)
  }

  /// Measures the bias directly, as a body at rest does.
  mutating func updateBias(innovation: SIMD3<Double>, variance: Double) -> Correction? {
    let s = bias + Matrix3(diagonal: SIMD3(repeating: variance))
    guard let inverse = s.inverse else { return nil }
    return apply(
      attitudeBias * inverse, bias * inverse, biasVelocity.transposed * inverse, s,
      attitudeBias, bias, biasVelocity.transposed, innovation)
  }

  /// P -= K Gᵀ + G Kᵀ - K S Kᵀ for gain K and cross covariance G, block by block.
  private mutating func apply(
    _ ka: Matrix3, _ kb: Matrix3, _ kv: Matrix3, _ s: Matrix3,
    _ ga: Matrix3, _ gb: Matrix3, _ gv: Matrix3, _ innovation: SIMD3<Double>
  ) -> Correction {
    let (gat, gbt, gvt) = (ga.transposed, gb.transposed, gv.transposed)
    let (kat, kbt, kvt) = (ka.transposed, kb.transposed, kv.transposed)
    let (ra, rb, rv) = (ga - ka * s, gb - kb * s, gv - kv * s)
    attitude = (attitude - ka * gat - ra * kat).symmetrized
    attitudeBias = attitudeBias - ka * gbt - ra * kbt
    attitudeVelocity = attitudeVelocity - ka * gvt - ra * kvt
    bias = (bias - kb * gbt - rb * kbt).symmetrized
    biasVelocity = biasVelocity - kb * gvt - rb * kvt
    velocity = (velocity - kv * gvt - rv * kvt).symmetrized
    return Correction(attitude: ka * innovation, bias: kb * innovation, velocity: kv * innovation)
  }

  /// Measures one combination `h · attitude`; corrects heading and bias alone, since iron nearby must
  /// not tilt the horizon.
  mutating func updateHeading(
    innovation: Double, sensitivity h: SIMD3<Double>, variance: Double
  ) -> Correction {
    let ga = attitude * h
    let gb = attitudeBias.transposed * h
    let gv = attitudeVelocity.transposed * h
    let s = h.dot(ga) + variance
    let ka = SIMD3(0, 0, ga.z / s)
    let kb = gb / s
    let ra = ga - ka * s
    // kv is zero: with it the velocity block stays and only its covariances with the others change.
    attitude = (attitude - .outer(ka, ga) - .outer(ra, ka)).symmetrized
    attitudeBias = attitudeBias - .outer(ka, gb) - .outer(ra, kb)
    attitudeVelocity = attitudeVelocity - .outer(ka, gv)
    bias = (bias - .outer(kb, gb)).symmetrized
    biasVelocity = biasVelocity - .outer(kb, gv)
    return Correction(
      attitude: ka * innovation, bias: kb * innovation, velocity: .zero)
  }

  /// Variance of the heading error, rad².
  var headingVariance: Double { attitude.r2.z }

  /// Forgets what heading was, and all that it was correlated with.
  mutating func resetHeading(variance: Double) {
    for i in 0..<3 {
      attitude[2, i] = 0
      attitude[i, 2] = 0
    }
    attitude[2, 2] = variance
    attitudeBias.r2 = .zero
    attitudeVelocity.r2 = .zero
  }
}
