import CalibrationFit

/// Where a guided calibration comes from: sensors that are being moved, or a script of a test.
public protocol CalibrationSource {
  /// Why a calibration cannot be saved; its description is shown to people.
  associatedtype Failure: Error

  /// How far it has come; asked for each frame, so it must not wait for sensors.
  func progress() -> CalibrationProgress
  /// What people should know beyond the progress, most important first.
  func findings() -> [CalibrationFinding]
  /// Why there will be no more samples; nil while they come.
  func end() -> String?
  /// Throws the newest samples away.
  mutating func undo(seconds: Double)
  /// Throws every sample away.
  mutating func restart()
  /// Takes no samples until told to go on.
  mutating func pause(_ isPaused: Bool)
  /// Ends the calibration and saves it.
  /// - Returns: One line about what was saved, and where.
  /// - Throws: Why it was not saved; the session goes on then.
  mutating func finish() throws(Failure) -> String
}

extension CalibrationSource {
  /// Nothing beyond the progress.
  public func findings() -> [CalibrationFinding] { [] }
  /// Samples without end.
  public func end() -> String? { nil }
}

/// A line about something that was found while calibrating.
public struct CalibrationFinding: Equatable, Sendable {
  /// How much it matters.
  public enum Weight: Equatable, Sendable {
    /// Good to know.
    case note
    /// The calibration suffers.
    case warning
  }

  /// What was found and what to do, in one sentence.
  public var text: String
  /// How much it matters.
  public var weight: Weight

  /// Makes a finding.
  public init(_ text: String, weight: Weight = .note) {
    self.text = text
    self.weight = weight
  }
}
