import Quantities
import RealModule
import Simulation

/// A strapdown navigation in the rotating earth-fixed frame: other equations than the simulator's
/// (no local level, no transport rate, no chart), integrated by the classical Runge-Kutta method.
/// - Source: Groves, 2nd edition, section 5.3.
struct EarthFixedNavigation {
  var position: SIMD3<Double>
  var velocity: SIMD3<Double>
  var attitude: Rotation<BodyFrame, EarthFrame>  // here: to earth-centred earth-fixed axes
  private let a = 6_378_137.0
  private let b = 6_356_752.314_245
  private var e2: Double { 1 - b * b / (a * a) }

  init(_ truth: Truth) {
    position = .zero
    velocity = .zero
    attitude = .identity
    let level = Self.level(truth.position)
    position = cartesian(truth.position, truth.ellipsoidalAltitudeMetres)
    velocity = level.rotate(truth.velocity.metresPerSecond)
    attitude = level * truth.attitude
  }

  /// Local north-east-down to earth-fixed.
  static func level(_ p: GeodeticPosition) -> Rotation<EarthFrame, EarthFrame> {
    let aboutZ = Rotation<EarthFrame, EarthFrame>(
      rotationVector: SIMD3(0, 0, p.longitude.radians))
    let aboutY = Rotation<EarthFrame, EarthFrame>(
      rotationVector: SIMD3(0, -(p.latitude.radians + .pi / 2), 0))
    return aboutZ * aboutY
  }

  func cartesian(_ p: GeodeticPosition, _ h: Double) -> SIMD3<Double> {
    let (s, c) = (Double.sin(p.latitude.radians), Double.cos(p.latitude.radians))
    let n = a / (1 - e2 * s * s).squareRoot()
    return SIMD3(
      (n + h) * c * .cos(p.longitude.radians), (n + h) * c * .sin(p.longitude.radians),
      (n * (1 - e2) + h) * s)
  }

  /// Latitude by fixed-point iteration, which contracts by e² a step.
  private func gravity(_ x: SIMD3<Double>) -> SIMD3<Double> {
    let p = (x.x * x.x + x.y * x.y).squareRoot()
    var latitude = Double.atan2(y: x.z, x: p * (1 - e2))
    var height = 0.0
    for _ in 0..<6 {
      let s = Double.sin(latitude)
      let n = a / (1 - e2 * s * s).squareRoot()
      height = p / .cos(latitude) - n
      latitude = .atan2(y: x.z, x: p * (1 - e2 * n / (n + height)))
    }
    let (s, c) = (Double.sin(latitude), Double.cos(latitude))
    // Somigliana's closed formula with the two axes and the two normal gravities of WGS 84.
    let onEllipsoid =
      (a * 9.780_325_335_9 * c * c + b * 9.832_184_937_8 * s * s)
      / (a * a * c * c + b * b * s * s).squareRoot()
    let f = 1 - b / a
    let g =
      onEllipsoid
      * (1 - 2 / a * (1 + f + 0.003_449_786_506_84 - 2 * f * s * s) * height
        + 3 * height * height / (a * a))
    let lambda = Double.atan2(y: x.y, x: x.x)
    return SIMD3(c * .cos(lambda), c * .sin(lambda), s) * -g
  }

  private struct Slope {
    var x: SIMD3<Double>
    var v: SIMD3<Double>
    var w: Double
    var q: SIMD3<Double>
  }

  private func slope(
    _ x: SIMD3<Double>, _ v: SIMD3<Double>, _ q: Rotation<BodyFrame, EarthFrame>,
    _ rate: SIMD3<Double>, _ force: SIMD3<Double>
  ) -> Slope {
    let earth = SIMD3(0, 0, 7.292_115e-5)
    let omega = rate - q.inverse.rotate(earth)
    // q' = q (0, omega) / 2
    return Slope(
      x: v, v: q.rotate(force) + gravity(x) - earth.cross(v) * 2, w: -q.v.dot(omega) / 2,
      q: (omega * q.w + q.v.cross(omega)) * 0.5)
  }

  /// Advances by `dt`, given rate and force along body axes at its start, middle and end.
  mutating func step(
    _ dt: Double, rates: [SIMD3<Double>], forces: [SIMD3<Double>]
  ) throws {
    func ahead(_ s: Slope, _ h: Double) throws -> (
      SIMD3<Double>, SIMD3<Double>, Rotation<BodyFrame, EarthFrame>
    ) {
      let v = attitude.v + s.q * h
      guard
        let q = Rotation<BodyFrame, EarthFrame>(w: attitude.w + s.w * h, x: v.x, y: v.y, z: v.z)
      else { throw Missing() }
      return (position + s.x * h, velocity + s.v * h, q)
    }
    let k1 = slope(position, velocity, attitude, rates[0], forces[0])
    let (x2, v2, q2) = try ahead(k1, dt / 2)
    let k2 = slope(x2, v2, q2, rates[1], forces[1])
    let (x3, v3, q3) = try ahead(k2, dt / 2)
    let k3 = slope(x3, v3, q3, rates[1], forces[1])
    let (x4, v4, q4) = try ahead(k3, dt)
    let k4 = slope(x4, v4, q4, rates[2], forces[2])
    let sum = Slope(
      x: k1.x + (k2.x + k3.x) * 2 + k4.x, v: k1.v + (k2.v + k3.v) * 2 + k4.v,
      w: k1.w + 2 * (k2.w + k3.w) + k4.w, q: k1.q + (k2.q + k3.q) * 2 + k4.q)
    (position, velocity, attitude) = try ahead(sum, dt / 6)
  }
}
