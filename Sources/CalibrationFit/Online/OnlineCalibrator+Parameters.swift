import Quantities

extension OnlineCalibrator {
  /// The tuning. Source: the project's measurements on BROAD (doi 10.3390/data6070072).
  public struct Parameters: Equatable, Sendable {
    // MARK: Times

    /// Seconds between two fits. Small: more work; large: late.
    public var refitInterval = 5.0
    /// The length of a block of observations, s.
    public var blockLength = 2.0
    /// Every so many blocks one is for validation only.
    public var blocksPerValidation = 5
    /// Validation looks back so far, s. Small: few attitudes are seen; large: a step is judged late.
    public var validationAge = 60.0
    /// What is older than this leaves the fit, s: the gyroscope's yaw does not reach so far.
    public var storeAge = 600.0
    /// A longer pause of the sensors leaves the carried yaw unknown, s.
    public var longestPause = 3.0
    /// Below this rate an observation says nothing of right and wrong, rad/s.
    public var slowestRate = 0.03
    /// Above this rate an observation is left out, rad/s.
    public var fastestRate = 6.0

    // MARK: Commit

    /// How far validation must reach in attitude. Small: a calibration is judged where it is not used.
    public var leastSpread = Angle(degrees: 12)
    /// The share of inliers below which nothing is committed.
    public var leastInliers = 0.8
    /// The predicted error at the attitudes seen up to which a first calibration is taken.
    public var firstError = Angle(degrees: 10)
    /// A better score commits where it is this much better.
    public var betterScore = 0.9
    /// And the predicted error no more than this much worse.
    public var toleratedError = 1.2
    /// A better predicted error commits where it is this much better.
    public var betterError = 0.85
    /// And the score no more than this much worse.
    public var toleratedScore = 1.03

    // MARK: Rollback

    /// The previous calibration comes back where its score is this much better.
    public var rollbackScore = 0.75
    /// And by at least so much.
    public var rollbackDifference = Angle(degrees: 0.5)
    /// Observations since the commit that a rollback needs.
    public var rollbackObservations = 20
    /// How many calibrations are kept to go back to.
    public var keptCalibrations = 4

    // MARK: Giving up

    /// A calibration whose score is worse than this is given up. Small: a disturbed room does.
    public var refutedError = Angle(degrees: 10)
    /// And worse than this many times what it predicts.
    public var refutedFactor = 3.0
    /// So many fits in a row must find it so.
    public var contradictionsNeeded = 2
    /// So many where the calibration has agreed with what was measured before.
    public var contradictionsWhenConfirmed = 10

    // MARK: Steps

    /// How far back a step is looked for, s. Small: little turning is seen; large: it is noticed late.
    public var stepWindow = 8.0
    /// Seconds between two looks.
    public var stepInterval = 1.0
    /// A smaller change of the offset is left to the fit, microtesla.
    public var leastStep = 7.0
    /// In units of its own sigma.
    public var leastStepSigmas = 4.0
    /// The change must take the residual down to this share.
    public var stepResidualShare = 0.6
    /// How far the window must reach in attitude.
    public var stepSpread = Angle(degrees: 15)
    /// A calibration that predicts more than this sees no step.
    public var stepError = Angle(degrees: 8)

    // MARK: An earlier calibration

    /// What the shape may have changed by since an earlier calibration, one sigma.
    public var shapeDrift = 0.01
    /// What the offset may have, microtesla.
    public var offsetDrift = 5.0

    /// The default tuning.
    public init() {}
  }
}
