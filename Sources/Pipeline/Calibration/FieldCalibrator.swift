import Observers
import Quantities

/// The calibration of a publisher's magnetometer during operation: the one in use, and a session
/// that makes another. Safe from any thread.
public protocol FieldCalibrator: AnyObject, Sendable {
  /// The calibration in use; nil if there is none.
  var inUse: CalibrationInUse? { get }
  /// The state of the calibration and of a session.
  var standing: CalibrationStanding { get }
  /// The attitudes for which a session's result is judged.
  var sessionUse: CalibrationUse { get }
  /// Starts a session: it collects samples while the user turns the board. Does nothing during a
  /// session. The session ends by itself with a good calibration, which is put in use and saved.
  /// - Parameter use: The attitudes for which the result is judged; nil for those of the board's
  ///   activity.
  func begin(for use: CalibrationUse?)
  /// Ends the session with its calibration, which is put in use and saved: the way to a fair one.
  /// - Throws: `CalibrationFault`; after `insufficient` the session continues.
  func finish() throws(CalibrationFault)
  /// Ends the session and discards its samples.
  func cancel()
  /// Discards the calibration in use and the samples of a session, which then starts again. Saved
  /// calibrations stay saved.
  func reset()
  /// Puts a calibration in use and saves it as a new generation.
  /// - Throws: `CalibrationFault`; after `notKept` it is in use nevertheless.
  func use(_ calibration: CalibrationInUse) throws(CalibrationFault)
  /// Calls `body` after every change of the standing from now on, from any thread.
  func observe(_ body: @escaping @Sendable () -> Void) -> Observation
}

extension FieldCalibrator {
  /// Starts a session for the use of the board's activity.
  public func begin() { begin(for: nil) }
}

/// A calibration with the residual of its observations.
public struct CalibrationInUse: Equatable, Sendable {
  /// The calibration.
  public var calibration: MagnetometerCalibration
  /// Root mean square of the residuals, microtesla; nil if unknown.
  public var residualMicrotesla: Double?

  /// Makes one.
  public init(_ calibration: MagnetometerCalibration, residualMicrotesla: Double? = nil) {
    (self.calibration, self.residualMicrotesla) = (calibration, residualMicrotesla)
  }
}

/// The state of a magnetometer's calibration.
public enum CalibrationStanding: Equatable, Sendable {
  /// No calibration is in use, or one of poor quality.
  case uncalibrated
  /// A session is active. The progress is 3 degrees, the limit of `good`, divided by the error
  /// predicted now for the session's use, at most 1; 0 before the first fit. From a half on the
  /// calibration is fair. It decreases when a fit predicts a larger error than the one before.
  case collecting(progress: Double)
  /// A calibration of quality fair or better is in use, or one that the user declared as valid.
  case calibrated(residualMicrotesla: Double?)

  /// The state without a session.
  public init(_ inUse: CalibrationInUse?) {
    switch inUse?.calibration.quality {
    case nil, .uncalibrated, .poor: self = .uncalibrated
    case .assumed, .fair, .good:
      self = .calibrated(residualMicrotesla: inUse?.residualMicrotesla)
    }
  }
}

/// Why a calibration was not used or not saved.
public enum CalibrationFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// It cannot be applied; the previous one is still in use.
  case unusable(String)
  /// It is in use until the program ends, but could not be saved; the cause is the store's.
  case notKept(String)
  /// The session has no calibration that is fair or better; it continues.
  case insufficient(String)

  /// True where the calibration is in use but not saved.
  public var isNotKept: Bool {
    if case .notKept = self { return true }
    return false
  }

  /// One line to display.
  public var description: String {
    switch self {
    case .unusable(let reason): "the calibration cannot be used: \(reason)"
    case .notKept(let cause): "the calibration is in use and was not kept: \(cause)"
    case .insufficient(let reason): "nothing was saved: \(reason)"
    }
  }
}
