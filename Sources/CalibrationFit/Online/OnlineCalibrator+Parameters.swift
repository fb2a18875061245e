import Quantities

extension OnlineCalibrator {
  /// The tuning parameters. Source: the project's measurements on BROAD (doi 10.3390/data6070072).
  public struct Parameters: Equatable, Sendable {
    // MARK: Times

    /// Interval between two fits, s. Small: more computation; large: late calibration.
    public var refitInterval = 5.0
    /// The length of a block of observations, s.
    public var blockLength = 2.0
    /// One block of this many is used for validation only.
    public var blocksPerValidation = 5
    /// Maximum age of validation observations, s. Small: few attitudes; large: a step is detected
    /// late.
    public var validationAge = 60.0
    /// Maximum age of an observation in a fit, s: the gyroscope's yaw drifts too far in a longer
    /// time.
    public var storeAge = 600.0
    /// After a longer gap in the samples the gyroscope's yaw is unknown, s.
    public var longestPause = 3.0
    /// Observations below this rate are not used for validation, rad/s.
    public var slowestRate = 0.03
    /// Observations above this rate are ignored, rad/s.
    public var fastestRate = 6.0

    // MARK: Commit

    /// Minimum attitude spread of the validation. Small: a calibration is validated at attitudes
    /// where it is not used.
    public var leastSpread = Angle(degrees: 12)
    /// Minimum share of inliers for a commit.
    public var leastInliers = 0.8
    /// Maximum predicted error at the observed attitudes for a first calibration.
    public var firstError = Angle(degrees: 10)
    /// Ratio of the scores, new to active, below which a fit is committed.
    public var betterScore = 0.9
    /// Largest ratio of the predicted errors, new to active, for a commit by the score.
    public var toleratedError = 1.2
    /// Ratio of the predicted errors, new to active, below which a fit is also committed.
    public var betterError = 0.85
    /// Largest ratio of the scores, new to active, for a commit by the predicted error.
    public var toleratedScore = 1.03

    // MARK: Rollback

    /// Ratio of the scores, previous to active, below which the previous calibration is restored.
    public var rollbackScore = 0.75
    /// Minimum difference of the two scores for a rollback.
    public var rollbackDifference = Angle(degrees: 0.5)
    /// Minimum observations since the commit for a rollback.
    public var rollbackObservations = 20
    /// Maximum number of previous calibrations for rollbacks.
    public var keptCalibrations = 4

    // MARK: Rejection

    /// A calibration with a worse score is rejected. Small: a disturbed room causes a rejection.
    public var refutedError = Angle(degrees: 10)
    /// The score must also be worse than this multiple of the predicted error.
    public var refutedFactor = 3.0
    /// Consecutive contradictions before a rejection.
    public var contradictionsNeeded = 2
    /// Contradictions before the rejection of a calibration that was confirmed before.
    public var contradictionsWhenConfirmed = 10

    // MARK: Steps

    /// Time window for the detection of a step, s. Small: little turning in it; large: late
    /// detection.
    public var stepWindow = 8.0
    /// Interval between two step checks, s.
    public var stepInterval = 1.0
    /// Smaller offset changes are left to the fit, microtesla.
    public var leastStep = 7.0
    /// Minimum change in units of its sigma.
    public var leastStepSigmas = 4.0
    /// The change must reduce the residual to at most this share.
    public var stepResidualShare = 0.6
    /// Minimum attitude spread of the window.
    public var stepSpread = Angle(degrees: 15)
    /// Steps are not detected with a larger predicted error.
    public var stepError = Angle(degrees: 8)

    /// Largest difference between the north of a step and that before, which the gyroscope has
    /// carried. Small: the gyroscope's drift hides steps; large: passing iron becomes a step.
    public var stepTurn = Angle(degrees: 12)
    /// Time over which the gyroscope carries north for a step, s.
    public var carriedNorth = 300.0

    // MARK: An earlier calibration

    /// Possible change of the shape since an earlier calibration, one sigma.
    public var shapeDrift = 0.01
    /// Possible change of the offset since then, one sigma, microtesla.
    public var offsetDrift = 5.0

    /// The default tuning.
    public init() {}
  }
}
