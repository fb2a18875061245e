import Quantities
import RealModule

/// How a board stands in its vehicle.
public struct BoardYaw: Equatable, Sendable {
  /// From the bow clockwise to the board's forward axis.
  public var angle: Angle
  /// One sigma, with all that course cannot tell from it.
  public var sigma: Angle

  /// Makes a yaw of its parts.
  public init(angle: Angle, sigma: Angle) { (self.angle, self.sigma) = (angle, sigma) }

  /// The rotation in a model's gains: that of their polar decomposition.
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
