import Quantities
import RealModule

/// The yaw of a board relative to its vehicle.
public struct BoardYaw: Equatable, Sendable {
  /// From the bow clockwise to the board's forward axis.
  public var angle: Angle
  /// One sigma, including the errors that course cannot separate from it.
  public var sigma: Angle

  /// Makes a yaw.
  public init(angle: Angle, sigma: Angle) { (self.angle, self.sigma) = (angle, sigma) }

  /// The rotation of a model's gains by polar decomposition.
  init(_ model: DeviationModel, systematic variance: Double) {
    let (f, r) = (model.forward, model.rightward)
    let (sine, cosine) = (-f.y - r.x, f.x - r.y)
    let square = max(sine * sine + cosine * cosine, .leastNormalMagnitude)
    angle = Angle(radians: .atan2(y: sine, x: cosine))
    // The angle's gradient with respect to the two rows.
    let byForward = SIMD3<Double>(-sine, -cosine, 0) / square
    let byRightward = SIMD3<Double>(-cosine, sine, 0) / square
    let learning = model.covariance.variance(byForward, byRightward)
    sigma = Angle(radians: (learning + variance).squareRoot())
  }
}
