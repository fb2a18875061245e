import Quantities

/// Joins an attitude with its accuracies, where a receiver sends them in a message of their own
/// (SBF's AttEuler and AttCovEuler).
///
/// Until accuracies have come for the first time, an attitude does not wait for them.
struct AttitudeJoin: Sendable {
  private struct Part {
    var report: HeadingReport
    var timeOfWeek: UInt32?
  }

  private var expectsAccuracies = false
  /// The attitude that waits for its accuracies.
  private var waiting: Part?
  /// The newest attitude that was reported without them.
  private var reported: Part?

  /// Adds an attitude, or accuracies alone.
  /// - Returns: The reports that are complete now: an earlier one, and that of this attitude.
  mutating func add(
    _ attitude: SolutionRecord.Attitude, timeOfWeek: UInt32?, _ report: HeadingReport
  ) -> (HeadingReport?, HeadingReport?) {
    if attitude.hasNoAngle, attitude.headingAccuracy != nil {
      expectsAccuracies = true
      guard let part = waiting ?? reported, let time = part.timeOfWeek, time == timeOfWeek else {
        return (flush(), nil)
      }
      (waiting, reported) = (nil, nil)
      return (nil, part.report.with(report))
    }
    let earlier = flush()
    let part = Part(report: report, timeOfWeek: timeOfWeek)
    if expectsAccuracies, attitude.headingAccuracy == nil {
      waiting = part
      return (earlier, nil)
    }
    reported = part
    return (earlier, report)
  }

  /// The attitude that waits, without its accuracies; nil where none does.
  mutating func flush() -> HeadingReport? {
    let part = waiting
    waiting = nil
    return part?.report
  }
}

extension HeadingReport {
  /// This report with the accuracies of another; without the heading where it is too uncertain.
  fileprivate func with(_ accuracies: HeadingReport) -> HeadingReport {
    var whole = self
    whole.headingAccuracy = accuracies.headingAccuracy
    whole.pitchAccuracy = accuracies.pitchAccuracy
    whole.rollAccuracy = accuracies.rollAccuracy
    whole.antennas?.elevationAccuracy = accuracies.pitchAccuracy
    if !Self.isKnown(whole.headingAccuracy) { (whole.trueHeading, whole.antennas) = (nil, nil) }
    return whole
  }
}
