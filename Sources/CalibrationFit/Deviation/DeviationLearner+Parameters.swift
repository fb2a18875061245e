import Quantities

extension DeviationLearner {
  /// What is known of the vehicle before it moves.
  public enum Prior: Equatable, Sendable {
    /// Nothing: the board may be turned to any side.
    case anyYaw
    /// The board's forward points at the bow within some 15 degrees, and the earth's horizontal field is
    /// so strong, microtesla.
    case aligned(horizontalMicrotesla: Double)
  }

  /// The learner's tuning.
  public struct Parameters: Equatable, Sendable {
    /// What is known before the first epoch.
    public var prior = Prior.anyYaw

    // MARK: Which epochs count

    /// Slower than this the course says nothing of the bow, m/s. Small: leeway and noise are learnt;
    /// large: a slow vehicle never learns.
    public var lowestSpeed = 3.0
    /// Faster than this field and course are not of one instant, rad/s. Small: bends teach nothing.
    public var highestRateOfTurn = 3 * Double.pi / 180
    /// A worse course is left out, rad.
    public var worstCourse = 6 * Double.pi / 180
    /// A body that leans more is left out, rad.
    public var largestTilt = 6 * Double.pi / 180

    // MARK: What an epoch is worth

    /// Of the level field in a vehicle, one sigma, microtesla: motors, bridges, the level. Small: each
    /// passing truck is learnt; large: late.
    public var fieldSigma = 3.0
    /// Of a course whose accuracy is not told, one sigma, rad.
    public var assumedCourseSigma = 3 * Double.pi / 180
    /// Of the bow about the course from epoch to epoch, one sigma, rad: leeway, waves.
    public var leewaySigma = 0.5 * Double.pi / 180
    /// For how long an error of field or course stays the same, s: epochs closer in time share it. Small:
    /// the predicted error is too small; large: slow to learn.
    public var errorTime = 10.0
    /// Root of the squared misfit, in sigmas, from which an epoch counts less than half (Cauchy). Small:
    /// a turn onto a new heading is taken for an error; large: errors bend the model.
    public var cauchyWidth = 2.5

    // MARK: What is forgotten

    /// Random walk of the gains, microtesla/√s. Small: old epochs count for ever; large: headings that
    /// are rare are forgotten.
    public var gainWalk = 0.01
    /// Random walk of the offset, microtesla/√s. Likewise.
    public var offsetWalk = 0.1
    /// A gap counts as no longer than this, s: iron moves while the vehicle is used.
    public var longestGap = 600.0
    /// In which time a visit to a heading is worth a third of itself, s. Small: a long straight road takes
    /// the table away; large: headings count as known though the gains have walked.
    public var coverageTime = 21_600.0

    // MARK: Steps

    /// Over which time innovations are averaged to find a step, s of counting epochs. Small: a truck
    /// alongside is a step; large: a step bends the heading for longer.
    public var stepTime = 15.0
    /// Mean innovation that is a step, in sigmas of a single one. Small: false alarms; large: steps are
    /// followed slowly.
    public var stepGate = 3.0
    /// What a step moves the offset by, one sigma, microtesla.
    public var stepSigma = 30.0
    /// A second step within this time opens the whole model, s: the board was moved.
    public var repeatTime = 300.0

    // MARK: What is told

    /// Headings that must have been seen before the model is used, rad. Below half a turn the rest is
    /// guessed (measured: 5 to 12 degrees at 90, 2 to 5 at 180).
    public var neededCoverage = Double.pi
    /// What the heading is off by though all was learnt, one sigma, rad: the mean leeway, the road's
    /// camber, the field of a single reading's place.
    public var steadyErrorSigma = 1 * Double.pi / 180
    /// A current that stays over a whole round of headings, one sigma along north and along east, m/s.
    /// Half of what it does looks like B and C and is put into the predicted error. Small: a race is taken
    /// for iron unseen; large: a good model is told to be poor.
    public var steadyCurrentSigma = 0.0
    /// Soft iron that is not symmetric turns the field as a turned board does (coefficient A), one sigma,
    /// rad. It counts in the board's yaw only: the heading has no part in it.
    public var softIronTwistSigma = 1 * Double.pi / 180

    /// The tuning for wheels: no current.
    public static var road: Self { Self() }

    /// The tuning for boats: slower, leeway of 3 degrees that lasts for a minute, a steady current of half
    /// a knot (0.25 m/s, what commonly runs off the tidal races; more where it does), iron that stays in
    /// place.
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

    /// The tuning for wheels.
    public init() {}
  }
}
