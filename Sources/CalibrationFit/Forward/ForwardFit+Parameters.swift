extension ForwardFit {
  /// The fit's tuning. Sources: the project's measurements on BROAD (doi 10.3390/data6070072).
  public struct Parameters: Equatable, Sendable {
    // MARK: What is believed before

    /// Of the shape's diagonal about 1. Small: strong soft iron is not followed; large: little motion
    /// leaves more open.
    public var scaleSigma = 0.15
    /// Of the shape's symmetric part beside the diagonal.
    public var skewSigma = 0.10
    /// Of the magnetometer's rotation against the inertial unit, rad.
    public var alignmentSigma = 3.0 * Double.pi / 180
    /// Of the offset about zero, microtesla.
    public var offsetSigma = 60.0
    /// Of the magnetometer's latency about zero, s.
    public var latencySigma = 0.02
    /// Of the gyroscope's scale about the vertical, a fraction. Consumer parts: 3 % (MPU-9250
    /// PS-MPU-9250A-01 rev 1.1, table 1).
    public var rateScaleSigma = 0.03
    /// Of a steady drift of the carried yaw, rad/s.
    public var driftSigma = 0.2 * Double.pi / 180
    /// Of the unsteady rest of it, rad/√s.
    public var yawNoise = 0.15 * Double.pi / 180
    /// Between two knots of the carried yaw's drift, s.
    public var knotInterval = 20.0
    /// At most so many knots.
    public var mostKnots = 16

    // MARK: The residual

    /// What an observation is off by at least, microtesla: no room's field is smoother. Small:
    /// over-confident; large: short sessions stay unknown.
    public var leastSigma = 1.0
    /// What is added to it in proportion to the rate of rotation, microtesla·s.
    public var rateNoise = 0.3
    /// Degrees of freedom of the residual's Student distribution. Small: outliers count for less.
    public var freedom = 4.0
    /// How many observations of one attitude count in full.
    public var fullWeightCount = 1.0
    /// Residuals within so many sigma are inliers.
    public var inlierSigmas = 3.0

    // MARK: What stretches contradict each other by

    /// The length of a stretch, s. Small: residuals that are alike for longer pass for independent; large: few
    /// stretches say little.
    public var scatterLength = 5.0
    /// How much of what the stretches contradict each other by goes into the covariance. 0: none.
    public var scatterGain = 1.5

    // MARK: The search

    /// Yaws from which the search begins.
    public var startYaws = 24
    /// How many of the best starts are followed up.
    public var followedStarts = 3
    /// Steps at most.
    public var mostSteps = 40
    /// Observations at least.
    public var fewestObservations = 20

    /// The default tuning.
    public init() {}
  }
}
