internal import Quantities

/// The covariances of the errors of a location's position and velocity.
public struct CLCovariance: Codable, Hashable, Sendable {
  /// The six distinct elements of a symmetric matrix over true east, true north and up.
  public struct Axes: Codable, Hashable, Sendable {
    /// The variance to the east.
    public var eastEast: Double
    /// East with north.
    public var eastNorth: Double
    /// East with up.
    public var eastUp: Double
    /// The variance to the north.
    public var northNorth: Double
    /// North with up.
    public var northUp: Double
    /// The variance upwards.
    public var upUp: Double

    /// Makes a matrix from its elements; the off-diagonal ones default to zero.
    public init(
      eastEast: Double, northNorth: Double, upUp: Double, eastNorth: Double = 0,
      eastUp: Double = 0, northUp: Double = 0
    ) {
      (self.eastEast, self.northNorth, self.upUp) = (eastEast, northNorth, upUp)
      (self.eastNorth, self.eastUp, self.northUp) = (eastNorth, eastUp, northUp)
    }
  }

  /// The covariance of the position, square metres.
  public var position: Axes
  /// The covariance of the velocity, (m/s)²; nil where it is not known.
  public var velocity: Axes?

  /// Makes a covariance.
  public init(position: Axes, velocity: Axes? = nil) {
    (self.position, self.velocity) = (position, velocity)
  }

  /// The radius of the circle that contains the true position with a probability, metres. It
  /// follows from the ellipse of the two horizontal errors under a normal distribution.
  /// - Parameter confidence: The probability: zero and below gives zero, 1 and above infinity.
  /// - Returns: The radius; NaN where the elements are not variances.
  public func horizontalRadius(confidence: Double) -> CLLocationAccuracy {
    ErrorEllipse(
      eastEast: position.eastEast, eastNorth: position.eastNorth, northNorth: position.northNorth
    ).radius(confidence: confidence)
  }
}

extension CLCovariance {
  /// The covariances of an estimate; nil where that of the position is not known.
  init?(_ estimate: Estimate) {
    guard let place = estimate.positionCovarianceSquareMetres else { return nil }
    self.init(
      position: Axes(place),
      velocity: estimate.velocityCovarianceSquareMetresPerSecondSquared.map { Axes($0) })
  }
}

extension CLCovariance.Axes {
  /// Converts a matrix over north, east and down.
  init(_ m: Matrix3) {
    self.init(
      eastEast: m.r1.y, northNorth: m.r0.x, upUp: m.r2.z, eastNorth: m.r0.y, eastUp: -m.r1.z,
      northUp: -m.r0.z)
  }
}
