import RealModule

extension StrapdownFilter {
  /// The filter's tuning.
  ///
  /// Noise densities are per root second: the error after t seconds is the density times √t. Where no source is
  /// named, the value was chosen on four sets together: BROAD (doi 10.3390/data6070072) at four azimuths, phones in
  /// walking and running hands, the T-stick, and the simulator; `heading-study leave-out` tunes on three of them and
  /// tests on the fourth.
  public struct Parameters: Equatable, Sendable {
    // MARK: Steps

    /// Time between two corrections, s. Small: more work; large: late corrections.
    public var correctionInterval = 0.08
    /// A step longer than this is a gap, s. Small: a slow board has nothing but gaps; large: a gap of a second
    /// turns the attitude by a second of one sample's rate.
    public var longestStep = 0.3
    /// A step longer than this misses motion between samples, s.
    public var coarseStep = 0.05
    /// A field sample's known age is made good up to this, s: a rate of turn does not hold for longer.
    public var oldestField = 0.1
    /// How fast a body may turn unseen during a gap, rad/s.
    public var gapRate = 0.5

    // MARK: Start

    /// Tilt at the start, rad: an accelerometer in motion is wrong by as much.
    public var initialTiltSigma = 0.35
    /// Level counts as found below this, rad. Small: heading settles late; large: a tilted start bends it.
    public var settledTiltSigma = 4.0 * Double.pi / 180
    /// Heading before the field has spoken, rad: nothing is known.
    public var initialHeadingSigma = 1.0
    /// Gyroscope bias at the start, rad/s. Consumer parts: up to 5 deg/s (MPU-9250 PS-MPU-9250A-01
    /// rev 1.1, table 1), 0.5 deg/s typical.
    public var initialBiasSigma = 1.0 * Double.pi / 180
    /// Gyroscope scale at the start, a fraction. Small: fast turns leave level and heading behind; large:
    /// motion teaches a wrong scale.
    public var initialScaleSigma = 0.003
    /// Velocity at the start, m/s.
    public var initialVelocitySigma = 1.0
    /// What a body gains of speed over how far its specific force strays from its mean, s.
    public var swayTime = 0.4
    /// The earth field's strength after one sample of it, microtesla.
    public var initialStrengthSigma = 7.0
    /// The same after a calibration that tells it, microtesla: rooms differ by as much.
    public var recalibratedStrengthSigma = 2.0
    /// A calibration that turns the field by more has had the gyroscope's bias learnt wrongly, rad.
    public var largeRecalibration = 0.15
    /// Latency of the magnetometer, s, one sigma about zero.
    public var initialLatencySigma = 0.015

    // MARK: Gyroscope and level

    /// Angle random walk, rad/√s. Small: heading and level follow the gyroscope for longer.
    public var rateNoise = 0.005 * Double.pi / 180
    /// Error of the rate as a fraction of the rate, beyond its scale, times the root of its correlation
    /// time, √s.
    public var rateScaleNoise = 0.0025
    /// Drift of the bias, rad/s/√s. Small: a bias that a motion has spoilt lasts; large: each motion moves it.
    public var biasDrift = 0.0085 * Double.pi / 180
    /// How far velocity strays from zero, m/s·√s. Small: accelerations tilt the horizon; large: tilt
    /// errors last.
    public var velocityNoise = 0.12
    /// The same in proportion to the acceleration, √s·s: what shakes more strays further.
    public var velocityMotionNoise = 0.09
    /// How far velocity strays from zero while at rest, m/s·√s.
    public var restVelocityNoise = 0.01
    /// Time constant of that acceleration, s.
    public var motionTime = 3.0
    /// Time constant of the acceleration that counts as lasting, s: what shakes averages out in it.
    public var lastingTime = 1.0
    /// A lasting acceleration of this size halves what level teaches of the gyroscope, m/s²: a body that turns a corner
    /// feels it as tilt. Small: bias is learnt late; large: each corner spoils the bias.
    public var trustedAcceleration = 0.25
    /// By how much the force is later than the rate, s.
    public var forceLatency = 0.003
    /// Error of the mean rate as bias while at rest, rad/s·√s.
    public var restRateNoise = 0.016 * Double.pi / 180
    /// For how long a turn that the field does not show goes on, s. Small: the turning point of a swing is
    /// learnt as bias; large: bias is learnt late.
    public var hiddenTime = 4.0
    /// A steady rate nearer than this to the learnt bias is the bias, rad/s. Large: slow turns are learnt.
    public var biasGate = 0.15 * Double.pi / 180
    /// How long a rate must contradict the learnt bias, in a field that stands still, to replace it, s.
    public var contradictionTime = 20.0

    // MARK: Field

    /// What the place bends the field by at the least, one sigma, microtesla. Small: each bend of the
    /// field turns the heading; large: heading leans on the gyroscope.
    public var roomSigma = 2.4
    /// The most that it is taken to be, microtesla.
    public var largestRoomSigma = 6.0
    /// Time constant of what the place is seen to bend the field by, s.
    public var roomTime = 20.0
    /// How long a bend lasts for a body in motion, s: samples nearer to one another are one.
    public var bendTime = 2.0
    /// The same for the explanations that compete. Small: a takeover is quick, and wrong more often.
    public var otherBendTime = 1.0
    /// Squared innovation over its variance, of three parts, above which a field counts for less.
    public var foreignGate = 6.0
    /// Iron that moves with the body and that the calibration has left, microtesla. Small: it is learnt
    /// only where another explanation wins; large: heading waits for turns.
    public var ironSigma = 0.6
    /// Drift of iron, microtesla/√s.
    public var ironDrift = 0.05
    /// Drift of the earth field's strength from place to place, microtesla/√s.
    public var strengthDrift = 0.15
    /// Iron and change of the field of an explanation that knows neither, microtesla.
    public var freeIronSigma = 30.0
    /// Heading's standard deviation above which the field explains nothing yet, rad.
    public var roughHeadingSigma = 10.0 * Double.pi / 180
    /// Logarithm of the likelihood ratio from which on another explanation takes over. Small: magnets
    /// take the heading along; large: a wrong heading lasts.
    public var evidenceGate = 8.0
    /// The least time that it must have been seen for, s.
    public var leastCompetition = 3.0
    /// How long the field must have fitted in motion for its strength to be known, s.
    public var matureTime = 20.0
    /// Standard deviation of the direction with free iron from which on turning has ruled it out, rad.
    public var testedSigma = 8.0 * Double.pi / 180
    /// A latency changes with a sensor's settings only, s/√s.
    public var latencyDrift = 0.000_1
    /// How long a bend lasts beside the latency, s.
    public var latencyBendTime = 0.3
    /// No part is later than this, s.
    public var largestLatency = 0.045
    /// Horizontal strength below which the field says little about heading, microtesla.
    public var weakestHorizontal = 5.0

    // MARK: What is told

    /// What the field of a place is off by though it looks clean, 95 %, rad: an allowance, since no filter
    /// can see it.
    public var localFieldAccuracy = 3.9 * Double.pi / 180
    /// What heading's own standard deviation is multiplied by beside a familiar field.
    public var accuracyFactor = 0.25
    /// What the largest lasting residual of late is multiplied by. Small: a heading that coasts past a
    /// magnet claims too much.
    public var residualPeakFactor = 1.5
    /// What the field's own uncertainty across its horizontal strength is multiplied by.
    public var directionFactor = 2.3
    /// How much of that uncertainty is in the other terms, microtesla.
    public var knownField = 1.3
    /// Standard deviation of north with free iron above which turning has not tested the iron, rad.
    public var untestedSigma = 40.0 * Double.pi / 180
    /// Evidence for another explanation from which on the iron is in doubt; at twice as much the heading is.
    public var suspicion = 2.5
    /// What is stated at least while the iron is in doubt, rad.
    public var untestedAccuracy = 10.3 * Double.pi / 180
    /// The most that is stated for two explanations that contradict each other, rad.
    public var largestConflict = 60.0 * Double.pi / 180
    /// Distance of the field from the earth's, as a fraction of its strength, that is called disturbed.
    public var disturbedRatio = 0.12
    /// That is called a magnet.
    public var magnetRatio = 0.5
    /// Time constant of that distance, s.
    public var disturbanceWordTime = 0.5
    /// How long after a disturbance the heading counts as recovering, s.
    public var recoveryTime = 10.0
    /// Time constant of the rate of turn that is shown, s.
    public var turnRateTime = 0.1

    /// The default tuning.
    public init() {}
  }
}
