import Quantities

/// What became of an epoch.
public enum DeviationVerdict: Equatable, Sendable {
  /// It was taken in.
  case learnt
  /// It was taken in, and the iron in the vehicle has moved: the offset is learnt anew.
  case stepDetected
  /// The same happened again soon: the board was moved, all is learnt anew.
  case startedAnew
  /// It says nothing of deviation.
  case skipped(DeviationGate)
}

/// Why an epoch says nothing of deviation.
public enum DeviationGate: Equatable, Sendable {
  /// A number in it is not finite.
  case notFinite
  /// It is no newer than the last one.
  case outOfOrder
  /// The vehicle is too slow for its course to be its heading.
  case slow
  /// It turns.
  case turning
  /// The receiver is not sure of the course.
  case courseInaccurate
  /// It leans, brakes or bumps.
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
