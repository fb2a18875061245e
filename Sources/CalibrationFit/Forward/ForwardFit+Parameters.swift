extension ForwardFit {
  /// The tuning parameters. Source: the project's measurements on BROAD (doi 10.3390/data6070072).
  public struct Parameters: Equatable, Sendable {
    // MARK: Prior

    /// Diagonal of the shape about 1. Small: strong soft iron is not fitted; large: little motion
    /// leaves larger errors.
    public var scaleSigma = 0.15
    /// Symmetric off-diagonal part of the shape.
    public var skewSigma = 0.10
    /// Rotation of the magnetometer against the inertial unit, rad.
    public var alignmentSigma = 3.0 * Double.pi / 180
    /// Offset about zero, microtesla.
    public var offsetSigma = 60.0
    /// Latency of the magnetometer about zero, s.
    public var latencySigma = 0.02
    /// Scale error of the gyroscope about the vertical, a fraction. Consumer parts: 3 % (MPU-9250
    /// PS-MPU-9250A-01 rev 1.1, table 1).
    public var rateScaleSigma = 0.03
    /// Constant drift of the gyroscope's yaw, rad/s.
    public var driftSigma = 0.2 * Double.pi / 180
    /// Random walk of the gyroscope's yaw, rad/√s.
    public var yawNoise = 0.15 * Double.pi / 180
    /// Interval between two knots of the yaw drift, s.
    public var knotInterval = 20.0
    /// Maximum number of knots.
    public var mostKnots = 16

    // MARK: The residual

    /// Minimum error of an observation, microtesla: no room has a smoother field. Small: the
    /// prediction is too good; large: short sessions remain unknown.
    public var leastSigma = 1.0
    /// Additional error in proportion to the rate of rotation, microtesla·s.
    public var rateNoise = 0.3
    /// Degrees of freedom of the residual's Student distribution. Small: outliers have less weight.
    public var freedom = 4.0
    /// Number of observations of one attitude with full weight.
    public var fullWeightCount = 1.0
    /// Residuals within this many sigma are inliers.
    public var inlierSigmas = 3.0

    // MARK: Scatter of stretches

    /// Length of a stretch, s. Small: residuals correlated for longer count as independent; large:
    /// few stretches, so a noisy estimate.
    public var scatterLength = 5.0
    /// Factor on the scatter of the stretches in the covariance. 0: not used.
    public var scatterGain = 1.5

    // MARK: The search

    /// Number of start yaws.
    public var startYaws = 24
    /// Number of best starts that are fitted.
    public var followedStarts = 3
    /// Maximum number of steps.
    public var mostSteps = 40
    /// Minimum number of observations.
    public var fewestObservations = 20

    /// The default tuning.
    public init() {}
  }
}
