import Fusion
import Quantities
import RealModule

/// The velocity of an estimate and the covariances of position and velocity.
extension Pipeline {
  /// Completes an estimate that has its position and fused altitude.
  func describeMotion(_ e: inout Estimate, _ fused: PositionSolution?) {
    guard e.position != nil, place.fix != nil else { return }
    let isSettled = e.verticalSpeedMetresPerSecond != nil
    if let fused, replacesReceiver(fused) {
      return describeMotion(&e, fused, downwards(isSettled: isSettled))
    }
    guard let fix = place.fix else { return }
    e.positionCovarianceSquareMetres = positionCovariance(of: fix, e)
    guard let sideways = fix.horizontalVelocity,
      let down = downwards(isSettled: isSettled)
    else { return }
    e.velocity = Velocity(
      metresPerSecond: SIMD3(sideways.x, sideways.y, down.metresPerSecond))
    e.velocityCovarianceSquareMetresPerSecondSquared = velocityCovariance(of: fix, down.variance)
  }

  private func describeMotion(
    _ e: inout Estimate, _ fused: PositionSolution,
    _ down: (metresPerSecond: Double, variance: Double?)?
  ) {
    let (p, v) = (fused.positionCovariance, fused.velocityCovariance)
    if let vertical = e.verticalAccuracyMetres {
      e.positionCovarianceSquareMetres = Matrix3(
        rows: SIMD3(p.x, p.z, 0), SIMD3(p.z, p.y, 0), SIMD3(0, 0, vertical * vertical))
    }
    guard let down else { return }
    e.velocity = Velocity(
      metresPerSecond: SIMD3(fused.velocity.x, fused.velocity.y, down.metresPerSecond))
    e.velocityCovarianceSquareMetresPerSecondSquared = down.variance.map {
      Matrix3(rows: SIMD3(v.x, v.z, 0), SIMD3(v.z, v.y, 0), SIMD3(0, 0, $0))
    }
  }

  /// The downward velocity: the fused one after it has settled, else the receiver's, else the
  /// unsettled fused one. The variance is nil if the receiver does not report it.
  private func downwards(isSettled: Bool) -> (metresPerSecond: Double, variance: Double?)? {
    let fused = verticalMotion.map { (-$0.metresPerSecond, $0.sigma * $0.sigma) }
    if isSettled, let fused { return fused }
    guard let fix = place.fix else { return nil }
    let reported = fix.velocity?.metresPerSecond.z ?? fix.verticalSpeedMetresPerSecond.map { -$0 }
    guard let reported else { return fused.map { ($0.0, $0.1) } }
    let variance = fix.velocityCovarianceSquareMetresPerSecondSquared?.r2.z
    return (reported, variance ?? fix.speedAccuracyMetresPerSecond.map { $0 * $0 })
  }

  private func positionCovariance(of fix: Fix, _ e: Estimate) -> Matrix3? {
    guard let down = e.verticalAccuracyMetres else { return nil }
    if let reported = fix.positionCovarianceSquareMetres {
      return Self.joined(reported, down: down * down)
    }
    return e.horizontalAccuracyMetres.map {
      let sigma = $0 / Fix.sigmasIn68PercentRadius
      return Matrix3(diagonal: SIMD3(sigma * sigma, sigma * sigma, down * down))
    }
  }

  private func velocityCovariance(of fix: Fix, _ down: Double?) -> Matrix3? {
    guard let down else { return nil }
    if let reported = fix.velocityCovarianceSquareMetresPerSecondSquared {
      return Self.joined(reported, down: down)
    }
    return fix.speedAccuracyMetresPerSecond.map {
      Matrix3(diagonal: SIMD3($0 * $0, $0 * $0, down))
    }
  }

  /// The receiver's north and east with the fused downward variance; their correlation is unknown
  /// and set to zero.
  private static func joined(_ reported: Matrix3, down: Double) -> Matrix3 {
    Matrix3(
      rows: SIMD3(reported.r0.x, reported.r0.y, 0), SIMD3(reported.r1.x, reported.r1.y, 0),
      SIMD3(0, 0, down))
  }
}
