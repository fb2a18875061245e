import RealModule

extension StrapdownFilter {
  /// The filter's tuning. Noise densities are per root second: the error after t seconds is the
  /// density times √t. Where no source is named, the value was chosen on the twelve public BROAD trials
  /// (doi 10.3390/data6070072), original and turned to four azimuths together.
  public struct Parameters: Equatable, Sendable {
    /// Time between two corrections, s. Small: more work; large: late corrections.
    public var correctionInterval = 0.02
    /// A step longer than this is a gap, s.
    public var longestStep = 1.2
    /// A step longer than this misses motion between samples, s.
    public var coarseStep = 0.05
    /// A field sample's known age is made good up to this, s: a rate of turn does not hold for longer.
    public var oldestField = 0.1
    /// How fast a body may turn unseen during a gap, rad/s.
    public var gapRate = 0.5

    /// Tilt at the start, rad: an accelerometer in motion is wrong by as much.
    public var initialTiltSigma = 0.17
    /// Level counts as found below this, rad. Small: heading settles late; large: a tilted start bends it.
    public var settledTiltSigma = 2.0 * Double.pi / 180
    /// Heading at the start, rad: one field sample near unknown iron.
    public var initialHeadingSigma = 0.35
    /// Gyroscope bias at the start, rad/s. Consumer parts: up to 5 deg/s (MPU-9250 PS-MPU-9250A-01
    /// rev 1.1, table 1), 1 deg/s typical.
    public var initialBiasSigma = 0.5 * Double.pi / 180
    /// Velocity at the start, m/s.
    public var initialVelocitySigma = 0.5

    /// Angle random walk, rad/√s. Small: heading and level follow the gyroscope for longer.
    public var rateNoise = 0.05 * Double.pi / 180
    /// Error of the rate as a fraction of the rate, times the root of its correlation time, √s.
    public var rateScaleNoise = 0.004
    /// Drift of the bias, rad/s/√s.
    public var biasDrift = 0.002 * Double.pi / 180
    /// Error of the specific force, m/s/√s.
    public var forceNoise = 0.02
    /// How far velocity strays from zero, m/s·√s. Small: accelerations tilt the horizon; large: tilt
    /// errors last.
    public var velocityNoise = 0.2
    /// The same while at rest.
    public var restVelocityNoise = 0.02
    /// Error of the mean rate as bias while at rest, rad/s·√s.
    public var restRateNoise = 0.02 * Double.pi / 180
    /// A steady rate nearer than this to the learnt bias is the bias, rad/s. Large: slow turns are learnt.
    public var biasGate = 0.15 * Double.pi / 180
    /// How long a rate must contradict the learnt bias, in a field that stands still, to replace it, s.
    public var contradictionTime = 20.0
    /// Error of the field's direction, rad·√s: its size times the root of the time over which it
    /// stays. Small: heading follows each bend of the field; large: it follows the gyroscope.
    public var headingNoise = 6.0 * Double.pi / 180
    /// What the field of a place is off by though it looks clean, one sigma, rad.
    public var localFieldSigma = 1.6 * Double.pi / 180

    /// Factor on the field's variance (`FieldReference`) above which the field counts as disturbed.
    public var disturbedFactor = 4.0
    /// How long after a disturbance the heading counts as recovering, s.
    public var recoveryTime = 10.0
    /// Time constant of the rate of turn that is shown, s.
    public var turnRateTime = 0.1

    /// Mean innovation that says that the heading is wrong, rad.
    public var reopenThreshold = 5.0 * Double.pi / 180
    /// Time constant of that mean, s.
    public var reopenTime = 3.0
    /// How much of the mean's square is added to the variance in one time constant.
    public var reopenGain = 1.5

    /// The default tuning.
    public init() {}
  }
}
