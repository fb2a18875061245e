import RealModule

extension StrapdownFilter {
  /// The filter's tuning.
  ///
  /// Noise densities are per root second: the error after t seconds is the density times √t. Where no
  /// source is named, the value was chosen on the twelve public BROAD trials (doi 10.3390/data6070072),
  /// original and turned to four azimuths together, started in motion, and with simulated magnets; none
  /// changed by a fifth moves the heading of any of these 48 runs by more than a degree.
  public struct Parameters: Equatable, Sendable {
    // MARK: Steps

    /// Time between two corrections, s. Small: more work; large: late corrections.
    public var correctionInterval = 0.08
    /// A step longer than this is a gap, s.
    public var longestStep = 1.2
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
    public var settledTiltSigma = 2.0 * Double.pi / 180
    /// Level counts as found after this whatever the motion, s.
    public var longestAlignment = 15.0
    /// How fast the doubt of a start in motion fades, s. Small: a wrong start lasts; large: heading is
    /// unsteady for longer.
    public var alignmentTime = 5.0
    /// Heading's doubt once level is found in motion, rad.
    public var alignmentHeadingSigma = 0.5
    /// Heading before the field has spoken, rad: nothing is known.
    public var initialHeadingSigma = 1.0
    /// Gyroscope bias at the start, rad/s. Consumer parts: up to 5 deg/s (MPU-9250 PS-MPU-9250A-01
    /// rev 1.1, table 1), 0.5 deg/s typical.
    public var initialBiasSigma = 0.5 * Double.pi / 180
    /// Gyroscope scale at the start, a fraction. Small: fast turns leave level and heading behind; large:
    /// motion teaches a wrong scale.
    public var initialScaleSigma = 0.0014
    /// Velocity at the start, m/s.
    public var initialVelocitySigma = 1.5
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
    public var rateNoise = 0.07 * Double.pi / 180
    /// Error of the rate as a fraction of the rate, beyond its scale, times the root of its correlation
    /// time, √s.
    public var rateScaleNoise = 0.00003
    /// Drift of the bias, rad/s/√s.
    public var biasDrift = 0.0032 * Double.pi / 180
    /// Error of the specific force, m/s/√s.
    public var forceNoise = 0.01
    /// How far velocity strays from zero, m/s·√s. Small: accelerations tilt the horizon; large: tilt
    /// errors last.
    public var velocityNoise = 0.12
    /// The same while at rest.
    public var restVelocityNoise = 0.01
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

    /// Error of the field, microtesla·√s. Small: each bend of the field is followed.
    public var fieldNoise = 0.6
    /// Error of the field in proportion to the rate of rotation, microtesla·s.
    public var fieldRateNoise = 0.88
    /// What a room bends the field by, microtesla. Small: bends turn the heading; large: heading leans on
    /// the gyroscope.
    public var disturbanceSigma = 1.9
    /// How fast a disturbance changes in motion, s; at rest it stays. Small: what the field is off by
    /// averages out at once; large: a bend of the room lasts and heading waits for it to pass.
    public var disturbanceTime = 0.12
    /// How much of the squared misfit in strength and depth is added to the disturbance's variance.
    public var misfitGain = 0.11
    /// Time constant of that misfit, s.
    public var misfitTime = 11.0
    /// Iron that moves with the body and that the calibration has left, microtesla. Small: it is learnt
    /// only where it surprises; large: translation without turning leaves heading open.
    public var ironSigma = 0.2
    /// After how much turning iron that was learnt is forgotten, rad: turning is what shows it. Small: an
    /// attached magnet is learnt anew again and again; large: one that was taken off bends the heading
    /// for longer.
    public var ironTurn = 80.0
    /// After what time it is forgotten in any case, s.
    public var ironTime = 600.0
    /// Drift of the earth field's strength from place to place, microtesla/√s.
    public var strengthDrift = 0.17
    /// A latency changes with a sensor's settings only, s/√s.
    public var latencyDrift = 0.000_02
    /// No part is later than this, s.
    public var largestLatency = 0.06

    // MARK: Surprise

    /// Mean squared innovation over its expectation above which the model is opened. Small: each bend of
    /// the room does; large: a magnet is taken for a turn.
    public var surpriseGate = 5.5
    /// Time constant of the mean innovation, s.
    public var surpriseTime = 0.4
    /// How much of the excess is added to the disturbance's variance.
    public var surpriseToDisturbance = 6.5
    /// To the iron's.
    public var surpriseToIron = 4.9
    /// To the strength's. Large: a heading that is far off makes the horizontal field vanish.
    public var surpriseToStrength = 0.01
    /// To the heading's, of the part that points across. Small: a wrong heading lasts; large: a magnet
    /// takes the heading along.
    public var surpriseToHeading = 0.02
    /// Horizontal strength below which a sideways field says no more about heading, microtesla.
    public var weakestHorizontal = 5.0

    // MARK: A belief that is far from the truth

    /// Time constant of the mean direction that can overrule the belief, s of motion. Small: a magnet in
    /// passing does; large: a wrong belief lasts.
    public var overruleTime = 2.5
    /// How far that direction must be from north, rad. No room turns a field that has its strength and dip
    /// as far.
    public var overruleAngle = 20.0 * Double.pi / 180
    /// Root mean square misfit in strength and depth up to which a field counts as the earth's,
    /// microtesla.
    public var overruleMisfit = 2.5
    /// Length of the mean of unit vectors from which they count as one direction.
    public var overruleSteadiness = 0.9

    // MARK: What is told

    /// What the field of a place is off by though it looks clean, one sigma, rad: an allowance, since no
    /// filter can see it. The recorded rooms' means are off by 1.5 degrees.
    public var localFieldSigma = 1.5 * Double.pi / 180
    /// What heading's own standard deviation is multiplied by.
    public var accuracyFactor = 1.3
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
