import CalibrationFit
import Quantities

/// The source of a guided calibration: real sensors, or a script of a test.
public protocol CalibrationSource {
  /// Why a calibration was not saved; its description is shown to the user.
  associatedtype Failure: Error

  /// The civil time of the newest sample; nil if it is not known.
  var time: UTCTime? { get }
  /// The progress; called for each frame, so it must not wait for sensors.
  func progress() -> CalibrationProgress
  /// Findings apart from the progress, most important first.
  func findings() -> [CalibrationFinding]
  /// Why there are no more samples; nil while there are.
  func end() -> String?
  /// Discards the newest samples.
  mutating func undo(seconds: Double)
  /// Discards all samples.
  mutating func restart()
  /// Pauses or continues sampling.
  mutating func pause(_ isPaused: Bool)
  /// Ends the calibration and saves it.
  /// - Returns: One line with what was saved, and where.
  /// - Throws: Why it was not saved; the session then continues.
  mutating func finish() throws(Failure) -> String
}

extension CalibrationSource {
  /// No findings.
  public func findings() -> [CalibrationFinding] { [] }
  /// The time is not known.
  public var time: UTCTime? { nil }
  /// The samples do not end.
  public func end() -> String? { nil }
}

/// A line with a finding during calibration.
public struct CalibrationFinding: Equatable, Sendable {
  /// The importance of a finding.
  public enum Weight: Equatable, Sendable {
    /// Information.
    case note
    /// The calibration is affected.
    case warning
  }

  /// What was found and what to do, in one sentence.
  public var text: String
  /// The importance.
  public var weight: Weight

  /// Makes a finding.
  public init(_ text: String, weight: Weight = .note) {
    self.text = text
    self.weight = weight
  }
}
