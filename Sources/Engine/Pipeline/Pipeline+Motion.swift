import Quantities
import RealModule

/// What an estimate says of velocity and of the errors of place and velocity together.
extension Pipeline {
  /// The radius that holds 68 % of two equal normal errors is so many sigma of one: the root of
  /// -2 ln(1 - 0.68).
  private static var sigmasIn68PercentRadius: Double { 1.509_592 }

  /// Completes an estimate that has its place and its fused altitude.
  func describeMotion(_ e: inout Estimate) {
    guard e.position != nil, let fix = place.fix else { return }
    e.positionCovarianceSquareMetres = positionCovariance(of: fix, e)
    guard let sideways = horizontalVelocity(of: fix), let down = downwards(fix, e) else { return }
    e.velocity = Velocity(
      metresPerSecond: SIMD3(sideways.north, sideways.east, down.metresPerSecond))
    e.velocityCovarianceSquareMetresPerSecondSquared = velocityCovariance(of: fix, down.variance)
  }

  /// The vertical velocity: the fused one where it has settled, else the receiver's, else the fused one as
  /// uncertain as it is. Its variance is nil where the receiver does not tell it.
  private func downwards(
    _ fix: Fix, _ e: Estimate
  ) -> (metresPerSecond: Double, variance: Double?)? {
    let fused = verticalMotion.map { (-$0.metresPerSecond, $0.sigma * $0.sigma) }
    if e.verticalSpeedMetresPerSecond != nil, let fused { return fused }
    let told = fix.velocity?.metresPerSecond.z ?? fix.verticalSpeedMetresPerSecond.map { -$0 }
    guard let told else { return fused.map { ($0.0, $0.1) } }
    let variance = fix.velocityCovarianceSquareMetresPerSecondSquared?.r2.z
    return (told, variance ?? fix.speedAccuracyMetresPerSecond.map { $0 * $0 })
  }

  private func horizontalVelocity(of fix: Fix) -> (north: Double, east: Double)? {
    if let velocity = fix.velocity?.metresPerSecond { return (velocity.x, velocity.y) }
    guard let speed = fix.speedMetresPerSecond, let course = fix.course else { return nil }
    return (speed * .cos(course.radians), speed * .sin(course.radians))
  }

  private func positionCovariance(of fix: Fix, _ e: Estimate) -> Matrix3? {
    guard let down = e.verticalAccuracyMetres else { return nil }
    if let told = fix.positionCovarianceSquareMetres {
      return Self.joined(told, down: down * down)
    }
    return e.horizontalAccuracyMetres.map {
      let sigma = $0 / Self.sigmasIn68PercentRadius
      return Matrix3(diagonal: SIMD3(sigma * sigma, sigma * sigma, down * down))
    }
  }

  private func velocityCovariance(of fix: Fix, _ down: Double?) -> Matrix3? {
    guard let down else { return nil }
    if let told = fix.velocityCovarianceSquareMetresPerSecondSquared {
      return Self.joined(told, down: down)
    }
    return fix.speedAccuracyMetresPerSecond.map {
      Matrix3(diagonal: SIMD3($0 * $0, $0 * $0, down))
    }
  }

  /// The receiver's north and east with a variance downwards that is fused: how that goes with theirs
  /// nobody has said.
  private static func joined(_ told: Matrix3, down: Double) -> Matrix3 {
    Matrix3(
      rows: SIMD3(told.r0.x, told.r0.y, 0), SIMD3(told.r1.x, told.r1.y, 0), SIMD3(0, 0, down))
  }
}
