import Quantities

extension PositionFilter {
  /// The tuning parameters.
  public struct Parameters: Equatable, Sendable {
    // MARK: Receiver

    /// Correlation time of the receiver's position error, s: most of it comes from the atmosphere
    /// and the satellites' orbits, and lasts for minutes. Small: the position follows each fix;
    /// large: it follows the velocity.
    public var receiverErrorTime = 150.0
    /// The part of the stated accuracy that is new in each fix, a fraction.
    public var newErrorShare = 0.05
    /// Least error that is new in each fix, one sigma, m: the last digit of a sentence.
    public var leastNewError = 0.01
    /// Assumed accuracy of a fix without one, one sigma an axis, m.
    public var unstatedSigma = 7.0
    /// Assumed accuracy of a velocity without one, one sigma an axis, m/s.
    public var unstatedVelocitySigma = 0.1
    /// Age of a receiver's velocity at its fix before it is known, s.
    public var receiverDelay = 0.1
    /// One sigma of that age, s. Source: 0.12 to 0.32 s in five recordings of flights and drives,
    /// each known to 0.04 s or better.
    public var receiverDelaySigma = 0.1
    /// Longest age, s.
    public var longestReceiverDelay = 0.5
    /// Drift of that age, s/√s.
    public var receiverDelayDrift = 0.002
    /// Irregularity of that age, one sigma, s.
    public var delayJitter = 0.1
    /// Innovation, in sigmas, beyond which a fix is rejected.
    public var gate = 5.0
    /// Least error of the prediction without inertial samples for the gate, one sigma, m.
    public var leastGate = 4.0
    /// Irregularity of the times at which fixes arrive, one sigma, s.
    public var fixJitter = 0.3
    /// Number of fixes in a row that contradict the filter and agree with each other, after which
    /// it goes to them.
    public var reacquisitionCount = 3
    /// Longest time for which fixes are refused, s: after it the filter goes to them whether they
    /// agree with each other or not.
    public var longestRefusal = 8.0
    /// Greatest speed between two refused fixes of a receiver that reports none, m/s.
    public var fastestFixes = 100.0
    /// Distance over which the position takes over a change of the receiver's error, m: it does not
    /// move at rest.
    public var offsetDistance = 8.0

    // MARK: Motion without an inertial unit

    /// Acceleration that is not modelled, m/s²·√s.
    public var accelerationNoise = 2.0
    /// Time constant with which a velocity is forgotten while there are no fixes, s: vehicles brake
    /// and turn.
    public var velocityMemory = 2000.0
    /// The speed that a vehicle usually has, one sigma an axis, m/s: the velocity's uncertainty
    /// stays below.
    public var usualSpeed = 12.0
    /// Time without fixes that is no outage, s: two missed epochs of a receiver of 1 Hz. Where the
    /// velocity is not known, a position is given no longer.
    public var briefOutage = 2.5
    /// Error of the velocity up to which it is known, one sigma, m/s.
    public var knownVelocity = 3.0
    /// Longest time without fixes for which a position is given without an inertial unit, s.
    public var longestOutage = 90.0
    /// Longest time without fixes for which a position is given with an inertial unit, s.
    public var longestInertialOutage = 300.0
    /// A position whose estimated radius (68 %) is larger is not reported, m.
    public var widestAccuracy = 50_000.0

    // MARK: Inertial navigation

    /// Interval between updates of the covariance, s.
    public var interval = 0.1
    /// Longest step between inertial samples, s; a slower unit is not integrated.
    public var longestStep = 0.06
    /// Noise of the specific force, m/s/√s: 150 µg/√Hz is 0.0015; vibration and the size of the
    /// steps dominate.
    public var forceNoise = 0.005
    /// Noise of the specific force in proportion to the acceleration, √s: scale and misalignment.
    public var forceScaleNoise = 0.005
    /// Noise of the rate, rad/√s: 0.3 °/√h is 9e-5.
    public var rateNoise = 1e-4
    /// Noise of the rate in proportion to the rate, √s: scale and misalignment.
    public var rateScaleNoise = 0.002
    /// Drift of the gyroscope's bias, rad/s/√s.
    public var rateBiasDrift = 2.5e-6
    /// Drift of the accelerometer's bias, m/s²/√s.
    public var forceBiasDrift = 2e-4
    /// The initial bias of the accelerometer, one sigma, m/s²: 6 mg.
    public var initialForceBias = 0.06
    /// The initial error of the gyroscope's bias, one sigma, rad/s.
    public var initialRateBias = 2e-3
    /// The initial error of roll and pitch, one sigma, rad.
    public var initialTilt = 0.03
    /// Sideways speed of a vehicle that follows its bow, one sigma, m/s.
    public var sidewaysSpeed = 0.15
    /// Heading by the course of a vehicle, one sigma, rad.
    public var courseHeading = 0.05
    /// Time over which positions give the course of a receiver that reports no velocity, s.
    public var courseBase = 3.0
    /// Speed at which no vehicle drives backwards unless its bow is proven, m/s.
    public var fastestReverse = 3.0
    /// `fastestReverse` where the bow is proven, m/s.
    public var fastestProvenReverse = 10.0
    /// Longest time for which a vehicle may seem to drive backwards faster than that, s.
    public var longestReverse = 3.0
    /// Least speed for a heading by course, m/s.
    public var leastCourseSpeed = 4.0
    /// Correlation time of a body's velocity, s: in an outage, a measurement of zero velocity is
    /// applied once in that time, with the usual speed before as its sigma. Small: a lasting
    /// velocity is lost; large: tilt becomes speed.
    public var recentSpeedTime = 20.0
    /// Least usual speed, one sigma an axis, m/s.
    public var leastRecentSpeed = 1.0
    /// Rest in an outage after which the body counts as standing, s: on a smooth road a moving
    /// vehicle's samples look like rest for a moment.
    public var restInOutage = 4.0
    /// Speed below which a body at rest in an outage stands, m/s, where it is no vehicle on wheels:
    /// boats and trains move as smoothly.
    public var fastestSmoothSpeed = 2.0
    /// Factor on the stated errors of position and velocity in an outage. Small: the 68 % radius
    /// covers too few of the errors; large: it says nothing. Source: 54 outages of 60 s in eleven
    /// recordings of flights and drives, of whose errors 68 % are covered.
    public var outageErrorFactor = 2.5
    /// Time in an outage after which `outageErrorFactor` is reached, s.
    public var outageErrorTime = 5.0
    /// Normalized square of the velocity's innovations above which inertial navigation is paused.
    public var divergence = 12.0
    /// `divergence` of the position's innovations, for a receiver that reports no velocity: their
    /// variance includes the receiver's whole stated accuracy.
    public var placeDivergence = 3.0
    /// Duration of that pause, s.
    public var inertialPause = 30.0
    /// Difference of compass and heading by course, in sigmas of both, above which they contradict
    /// each other.
    public var compassGate = 3.0

    /// The default tuning.
    public init() {}
  }
}
