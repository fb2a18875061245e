import Quantities

/// The gyroscope's error by gravity alone, outside the filter: the difference of each mean force
/// from the one before it, turned by the measured rotation.
///
/// Gravity is constant in the earth frame, so along the body's axes it changes by v × (ω − b) dt. A
/// least-squares fit over seconds gives the two components of b across gravity, also where the
/// attitude is wrong. A turn in which the force turns with the body (a loop) looks the same as an
/// error: only its repetition tells them apart.
struct RateByGravity: Equatable, Sendable {
  /// Length of a mean, s.
  private static var meanTime: Double { 0.1 }
  /// Weight of the filter's estimate, which decides the component that gravity does not show,
  /// m²/s⁴: a change of 1 m/s² from one mean to the next, and an error of 1 rad/s.
  private static var prior: Double { 1 }

  private var force = SIMD3<Double>.zero
  private var turned = SIMD3<Double>.zero
  private var seconds = 0.0
  /// The mean force before this one, m/s², and the rotation and the time of half of its interval.
  private var before: SIMD3<Double>?
  private var halfTurn = SIMD3<Double>.zero
  private var halfSeconds = 0.0
  /// The normal equations of b.
  private var squares = Matrix3(diagonal: .zero)
  private var products = SIMD3<Double>.zero

  init() {}

  /// Adds a sample.
  /// - Parameters:
  ///   - f: The specific force, body frame, m/s².
  ///   - w: The angular rate as measured, body frame, rad/s.
  ///   - dt: The time since the sample before, s.
  mutating func add(force f: SIMD3<Double>, rate w: SIMD3<Double>, seconds dt: Double) {
    force += f * dt
    turned += w * dt
    seconds += dt
    guard seconds >= Self.meanTime else { return }
    let mean = force / seconds
    if let before {
      let time = halfSeconds + seconds / 2
      let middle = (before + mean) * 0.5
      let rest = mean - before - middle.cross(halfTurn + turned * 0.5)
      squares =
        squares
        + (Matrix3(diagonal: SIMD3(repeating: middle.lengthSquared)) - .outer(middle, middle))
        * (time * time)
      products += middle.cross(rest) * time
    }
    (before, halfTurn, halfSeconds) = (mean, turned * 0.5, seconds / 2)
    (force, turned, seconds) = (.zero, .zero, 0)
  }

  /// The error of the rate.
  /// - Parameter known: The error that is assumed where gravity does not show it, body frame,
  ///   rad/s.
  /// - Returns: The error, body frame, rad/s; nil where the samples were no numbers.
  func error(besides known: SIMD3<Double>) -> SIMD3<Double>? {
    let right = products + known * Self.prior
    return (squares + Matrix3(diagonal: SIMD3(repeating: Self.prior))).inverse.map { $0 * right }
  }

  mutating func code(_ c: inout StateCoder) {
    c.code(&force)
    c.code(&turned)
    c.code(&seconds)
    c.code(&before)
    c.code(&halfTurn)
    c.code(&halfSeconds)
    c.code(&squares)
    c.code(&products)
  }
}
