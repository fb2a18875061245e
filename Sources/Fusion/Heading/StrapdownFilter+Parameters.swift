import RealModule

extension StrapdownFilter {
  /// The tuning parameters of the filter.
  ///
  /// Noise densities are per root second: the error after t seconds is the density times √t. A
  /// value without a named source was chosen on four data sets together: BROAD (doi
  /// 10.3390/data6070072) at four azimuths, phones in walking and running hands, the T-stick, and
  /// the simulator. `heading-study leave-out` tunes on three of them and tests on the fourth.
  public struct Parameters: Equatable, Sendable {
    // MARK: Steps

    /// Time between two corrections, s. Small: more work; large: late corrections.
    public var correctionInterval = 0.08
    /// A step longer than this is a gap, s. Small: each step of a slow board is a gap; large: a gap
    /// of a second rotates the attitude by one second of a single sample's rate.
    public var longestStep = 0.3
    /// A longer gap is not bridged by the rates before and after it, s.
    public var longestBridge = 1.0
    /// In a step longer than this, motion between samples is lost, s.
    public var coarseStep = 0.05
    /// The known age of a field sample is compensated up to this value, s: a rate of turn is not
    /// constant for longer.
    public var oldestField = 0.1
    /// Assumed rate of rotation during a gap, rad/s.
    public var gapRate = 0.5

    // MARK: Start

    /// Tilt at the start, rad: an accelerometer in motion has an error of this size.
    public var initialTiltSigma = 0.35
    /// Level is found below this tilt error, rad. Small: heading settles late; large: a tilted
    /// start causes a heading error.
    public var settledTiltSigma = 4.0 * Double.pi / 180
    /// Heading before the first field sample, rad: unknown.
    public var initialHeadingSigma = 1.0
    /// Gyroscope bias at the start, rad/s. Consumer parts: up to 5 deg/s (MPU-9250 PS-MPU-9250A-01
    /// rev 1.1, table 1), 0.5 deg/s typical.
    public var initialBiasSigma = 1.0 * Double.pi / 180
    /// Gyroscope scale at the start, a fraction. Small: fast turns cause errors of level and
    /// heading; large: motion causes a wrong scale estimate.
    public var initialScaleSigma = 0.003
    /// Velocity at the start, m/s.
    public var initialVelocitySigma = 1.0
    /// Change of speed divided by the root mean square deviation of the specific force, s.
    public var swayTime = 0.4
    /// The earth field's strength after one sample of it, microtesla.
    public var initialStrengthSigma = 7.0
    /// `initialStrengthSigma` after a calibration that includes the strength: rooms differ by this.
    public var recalibratedStrengthSigma = 2.0
    /// If a new calibration turns the field by more, the old one may have spoilt the gyroscope's
    /// bias, rad.
    public var largeRecalibration = 0.15
    /// Error of the gyroscope's bias about the vertical that the field of another calibration may
    /// have caused, rad/s. Small: it is corrected slowly; large: a vehicle's turns are taken for a
    /// bias after each change of the calibration.
    public var recalibratedBiasSigma = 0.1 * Double.pi / 180
    /// Latency of the magnetometer, s, one sigma about zero.
    public var initialLatencySigma = 0.015

    // MARK: Gyroscope and level

    /// Angle random walk, rad/√s. Small: heading and level rely on the gyroscope for longer.
    public var rateNoise = 0.005 * Double.pi / 180
    /// Error of the rate as a fraction of the rate, in addition to its scale, times the root of its
    /// correlation time, √s.
    public var rateScaleNoise = 0.0025
    /// Drift of the bias, rad/s/√s. Small: a bias error after motion decays slowly; large: each
    /// motion changes the bias.
    public var biasDrift = 0.0085 * Double.pi / 180
    /// Deviation of velocity from zero, m/s·√s. Small: accelerations tilt the horizon; large: tilt
    /// errors decay slowly.
    public var velocityNoise = 0.12
    /// Added to `velocityNoise`, in proportion to the acceleration, √s·s: shaking deviates more.
    public var velocityMotionNoise = 0.09
    /// Deviation of velocity from zero at rest, m/s·√s.
    public var restVelocityNoise = 0.01
    /// Time constant of the mean acceleration for `velocityMotionNoise`, s.
    public var motionTime = 3.0
    /// Time constant of the lasting acceleration, s: vibration averages out.
    public var lastingTime = 1.0
    /// A lasting acceleration of this size halves the weight of level for the gyroscope errors,
    /// m/s²: in a curve it looks like tilt. Small: bias is estimated late; large: each curve causes
    /// a bias error.
    public var trustedAcceleration = 0.25
    /// Delay of the force relative to the rate, s.
    public var forceLatency = 0.003
    /// Error of the mean rate at rest as a measurement of the bias, rad/s·√s.
    public var restRateNoise = 0.016 * Double.pi / 180
    /// Correlation time of a turn too slow to show in the field, s. Small: the turning point of a
    /// swing is taken for bias; large: bias is estimated late.
    public var hiddenTime = 4.0
    /// A steady rate nearer than this to the estimated bias is bias, rad/s. Large: slow turns are
    /// taken for bias.
    public var biasGate = 0.15 * Double.pi / 180
    /// How long a rate must differ from the estimated bias, in a constant field, to replace it, s.
    public var contradictionTime = 20.0

    // MARK: Field

    /// Minimum local field distortion, one sigma, microtesla. Small: each distortion turns the
    /// heading; large: the heading relies on the gyroscope.
    public var roomSigma = 2.4
    /// Maximum local field distortion, microtesla.
    public var largestRoomSigma = 6.0
    /// Time constant of the local distortion estimate, s.
    public var roomTime = 20.0
    /// Correlation time of a distortion for a moving body, s: samples closer in time count as one.
    public var bendTime = 2.0
    /// `bendTime` for the competing explanations, s. Small: they replace the present one sooner,
    /// and more often wrongly.
    public var otherBendTime = 1.0
    /// Squared innovation over its variance, of three components, above which a field has reduced
    /// weight.
    public var foreignGate = 6.0
    /// Iron that moves with the body and is not in the calibration, microtesla. Small: it is
    /// estimated only if another explanation wins; large: heading settles only after turns.
    public var ironSigma = 0.6
    /// Drift of iron, microtesla/√s.
    public var ironDrift = 0.05
    /// Drift of the earth field's strength from place to place, microtesla/√s.
    public var strengthDrift = 0.15
    /// Initial sigma of iron and field change for an explanation without prior knowledge of them,
    /// microtesla.
    public var freeIronSigma = 30.0
    /// Heading standard deviation above which the field model is not used yet, rad.
    public var roughHeadingSigma = 10.0 * Double.pi / 180
    /// Logarithm of the likelihood ratio above which another explanation replaces the current one.
    /// Small: magnets turn the heading; large: a wrong heading lasts.
    public var evidenceGate = 8.0
    /// Minimum time for which the other explanation must have been observed, s.
    public var leastCompetition = 3.0
    /// How long the field must have fitted in motion before its strength is known, s.
    public var matureTime = 20.0
    /// Standard deviation of the direction with free iron below which turning has excluded it, rad.
    public var testedSigma = 8.0 * Double.pi / 180
    /// Drift of the latency, s/√s: it changes only with the settings of a sensor.
    public var latencyDrift = 0.000_1
    /// Correlation time of a distortion for the latency estimate, s.
    public var latencyBendTime = 0.3
    /// Maximum latency, s.
    public var largestLatency = 0.045
    /// Horizontal strength below which the field gives little heading information, microtesla.
    public var weakestHorizontal = 5.0

    // MARK: Output

    /// Allowance for the distortion of a field that looks clean, 95 %, rad: no filter can detect
    /// it.
    public var localFieldAccuracy = 3.9 * Double.pi / 180
    /// Factor on the heading standard deviation in a field that fits.
    public var accuracyFactor = 0.25
    /// Factor on the largest recent lasting residual. Small: the stated accuracy is too good while
    /// the heading is carried past a magnet.
    public var residualPeakFactor = 1.5
    /// Factor on the field's uncertainty over its horizontal strength.
    public var directionFactor = 2.3
    /// The part of that uncertainty that other terms include, microtesla.
    public var knownField = 1.3
    /// Standard deviation of north with free iron above which turning has not tested for iron, rad.
    public var untestedSigma = 40.0 * Double.pi / 180
    /// Evidence for another explanation above which the iron is doubtful; above twice this value
    /// the heading is.
    public var suspicion = 2.5
    /// Minimum stated accuracy while the iron is doubtful, rad.
    public var untestedAccuracy = 10.3 * Double.pi / 180
    /// Maximum stated accuracy for two contradicting explanations, rad.
    public var largestConflict = 60.0 * Double.pi / 180
    /// Deviation of the field from the earth's, as a fraction of its strength, that is reported as
    /// disturbed.
    public var disturbedRatio = 0.12
    /// The deviation that is reported as a magnet.
    public var magnetRatio = 0.5
    /// Time constant of that deviation, s.
    public var disturbanceWordTime = 0.5
    /// How long the heading is reported as recovering after a disturbance, s.
    public var recoveryTime = 10.0
    /// Time constant of the reported rate of turn, s.
    public var turnRateTime = 0.1

    /// The default tuning.
    public init() {}
  }
}
