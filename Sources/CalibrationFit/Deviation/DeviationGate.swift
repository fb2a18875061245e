import Quantities

/// The result of processing an epoch.
public enum DeviationVerdict: Equatable, Sendable {
  /// The epoch was used.
  case learnt
  /// The epoch was used, and iron in the vehicle has moved: the offset is estimated again.
  case stepDetected
  /// A second step soon after the first: the board was moved, and everything is estimated again.
  case startedAnew
  /// The epoch was not used.
  case skipped(DeviationGate)
}

/// Why an epoch was not used.
public enum DeviationGate: Equatable, Sendable {
  /// A number is not finite.
  case notFinite
  /// The epoch is not newer than the last one.
  case outOfOrder
  /// The vehicle is too slow for its course to be its heading.
  case slow
  /// The vehicle turns.
  case turning
  /// The course accuracy is too low.
  case courseInaccurate
  /// The body is tilted: it heels, brakes or bumps.
  case tilted

  init?(of epoch: DeviationEpoch, after last: Timestamp?, _ p: DeviationLearner.Parameters) {
    if !epoch.isFinite {
      self = .notFinite
    } else if let last, epoch.timestamp <= last {
      self = .outOfOrder
    } else if epoch.speedMetresPerSecond < p.lowestSpeed {
      self = .slow
    } else if abs(epoch.rateOfTurn.radiansPerSecond) > p.highestRateOfTurn {
      self = .turning
    } else if let accuracy = epoch.courseAccuracy, accuracy.radians > p.worstCourse {
      self = .courseInaccurate
    } else if abs(epoch.tilt.radians) > p.largestTilt {
      self = .tilted
    } else {
      return nil
    }
  }
}
