import Quantities

extension DeviationLearner {
  /// Prior knowledge of the vehicle.
  public enum Prior: Equatable, Sendable {
    /// No knowledge: the board may have any yaw.
    case anyYaw
    /// The board's forward axis points at the bow within about 15 degrees, and the earth's
    /// horizontal field is known, microtesla.
    case aligned(horizontalMicrotesla: Double)
  }

  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    /// The prior before the first epoch.
    public var prior = Prior.anyYaw

    // MARK: Gates

    /// Below this speed the course does not show the heading, m/s. Small: leeway and noise enter
    /// the model; large: a slow vehicle never gets a model.
    public var lowestSpeed = 3.0
    /// Above this rate field and course are not simultaneous, rad/s. Small: curves are not used.
    public var highestRateOfTurn = 3 * Double.pi / 180
    /// An epoch with a worse course accuracy is not used, rad.
    public var worstCourse = 6 * Double.pi / 180
    /// An epoch with a larger tilt is not used, rad.
    public var largestTilt = 6 * Double.pi / 180

    // MARK: Weights

    /// Error of the level field in a vehicle, one sigma, microtesla: motors, bridges, level errors.
    /// Small: each passing truck enters the model; large: slow.
    public var fieldSigma = 3.0
    /// Error of a course without an accuracy, one sigma, rad.
    public var assumedCourseSigma = 3 * Double.pi / 180
    /// Difference of heading and course from epoch to epoch, one sigma, rad: leeway, waves.
    public var leewaySigma = 0.5 * Double.pi / 180
    /// Correlation time of the errors of field and course, s: epochs closer in time share them.
    /// Small: the predicted error is too small; large: slow.
    public var errorTime = 10.0
    /// Misfit in sigmas above which an epoch has less than half weight (Cauchy). Small: a turn onto
    /// a new heading is taken for an error; large: errors distort the model.
    public var cauchyWidth = 2.5

    // MARK: Drift

    /// Random walk of the gains, microtesla/√s. Small: old epochs have too much weight; large: rare
    /// headings lose their effect.
    public var gainWalk = 0.01
    /// Random walk of the offset, microtesla/√s. Small and large as for the gains.
    public var offsetWalk = 0.1
    /// Upper limit of a gap for the random walks, s: iron moves while the vehicle is used.
    public var longestGap = 600.0
    /// Time constant of the heading coverage, s. Small: the table is lost on a long straight road;
    /// large: headings count as known though the gains have changed.
    public var coverageTime = 21_600.0

    // MARK: Steps

    /// Averaging time of innovations for step detection, s of used epochs. Small: a truck alongside
    /// is a step; large: a step causes a heading error for longer.
    public var stepTime = 15.0
    /// Mean innovation that is a step, in sigmas of a single one. Small: false alarms; large: steps
    /// are followed slowly.
    public var stepGate = 3.0
    /// Change of the offset by a step, one sigma, microtesla.
    public var stepSigma = 30.0
    /// A second step within this time resets the whole model, s: the board was moved.
    public var repeatTime = 300.0

    // MARK: Output

    /// Minimum range of observed headings for the use of the model, rad. Below half a turn the rest
    /// is extrapolated (measured error: 5 to 12 degrees at 90, 2 to 5 at 180).
    public var neededCoverage = Double.pi
    /// Remaining heading error of a complete model, one sigma, rad: mean leeway, road camber, local
    /// distortion of a single reading.
    public var steadyErrorSigma = 1 * Double.pi / 180
    /// A constant current over a full round of headings, one sigma along north and along east, m/s.
    /// Half of its effect looks like B and C and enters the predicted error. Small: a tidal race
    /// looks like unknown iron; large: the predicted error of a good model is too large.
    public var steadyCurrentSigma = 0.0
    /// Soft iron that is not symmetric looks like a rotated board (coefficient A), one sigma, rad.
    /// It affects only the board's yaw, not the heading.
    public var softIronTwistSigma = 1 * Double.pi / 180

    /// The tuning for road vehicles: no current.
    public static var road: Self { Self() }

    /// The tuning for boats: slower, leeway of 3 degrees that lasts for a minute, a constant
    /// current of half a knot (0.25 m/s, common outside tidal races), iron that stays in place.
    public static var water: Self {
      var p = Self()
      p.lowestSpeed = 1.5
      p.fieldSigma = 1.0
      p.leewaySigma = 3 * Double.pi / 180
      p.errorTime = 20
      p.gainWalk = 0.001
      p.offsetWalk = 0.01
      p.coverageTime = 86_400
      p.steadyCurrentSigma = 0.25
      return p
    }

    /// The tuning for road vehicles.
    public init() {}
  }
}
