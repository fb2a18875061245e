import Pipeline
import Quantities

/// Follows the reports of a calibration, and finds the end of a session and its result.
package struct CalibrationFollower {
  /// What a page displays.
  package enum Phase: Equatable, Sendable {
    case idle
    /// The progress is 3 degrees, the limit of `good`, divided by the error predicted now for the
    /// session's use.
    case collecting(progress: Double)
    /// The host has put the session's calibration in use and stored it; with the reason where it is
    /// not stored.
    case saved(notice: String?)
    case failed(reason: String)
  }

  private struct Session {
    let before: CalibrationInUse?
    var progress = 0.0
    var notice: String?
    var hasBeenCancelled = false
    /// A user of this server saves its result, which may be fair.
    var isSaving = false
    /// Why this server ended it.
    var endReason: String?
  }

  private var session: Session?

  package init() {}

  /// True during a session.
  package var isRunning: Bool { session != nil }

  /// Records that a user ended the session, or this server with a reason.
  package mutating func recordEnd(reason: String? = nil) {
    session?.hasBeenCancelled = true
    session?.endReason = reason
  }

  /// Sets whether a user's request to save the result is pending; false after a refusal.
  package mutating func setSaving(_ isSaving: Bool) { session?.isSaving = isSaving }

  /// Continues a session whose end the host has refused.
  package mutating func retractEnd() {
    session?.hasBeenCancelled = false
    session?.endReason = nil
  }

  /// Receives a notice of the host for its users.
  package mutating func receive(_ notice: String) {
    if notice.hasPrefix("\(CalibrationFault.notKept(""))") { session?.notice = notice }
  }

  /// The phase after a report.
  /// - Parameters:
  ///   - standing: The standing; nil without a magnetometer.
  ///   - inUse: The calibration in use.
  /// - Returns: What a page displays; an end once.
  package mutating func update(_ standing: CalibrationStanding?, _ inUse: CalibrationInUse?)
    -> Phase
  {
    if case .collecting(let progress) = standing {
      session = session ?? Session(before: inUse)
      session?.progress = progress
      return .collecting(progress: progress)
    }
    guard let ended = session else { return .idle }
    session = nil
    if let reason = ended.endReason { return .failed(reason: reason) }
    guard standing != nil else { return .failed(reason: "The magnetometer was disconnected.") }
    let quality = inUse?.calibration.quality
    let isExpected =
      quality == .good && ended.progress >= 1
      || ended.isSaving && (quality == .good || quality == .fair)
    let isNew = isExpected && inUse != ended.before
    return isNew && !ended.hasBeenCancelled ? .saved(notice: ended.notice) : .idle
  }
}
