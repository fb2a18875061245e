import Quantities

/// The calibration of a publisher's magnetometer while its estimates go on: which one is in use, and a
/// session that makes another. Safe from any thread.
public protocol FieldCalibrator: AnyObject, Sendable {
  /// The calibration in use; nil for none.
  var inUse: CalibrationInUse? { get }
  /// How it stands.
  var standing: CalibrationStanding { get }
  /// Begins to collect what the sensors tell, for somebody who turns the board; does nothing while it does.
  /// A session ends by itself with a good calibration, which is put in use and kept.
  func begin()
  /// Ends the session; what it has collected goes.
  func cancel()
  /// Lets the calibration in use and all that was collected go. What was kept stays kept; a session goes on
  /// from nothing.
  func reset()
  /// Puts a calibration in use and keeps it as a new generation.
  /// - Throws: `CalibrationFault`; after `notKept` it is in use all the same.
  func use(_ calibration: CalibrationInUse) throws(CalibrationFault)
  /// Calls `body` after every change of the standing from now on, from any thread.
  func observe(_ body: @escaping @Sendable () -> Void) -> Observation
}

/// A calibration with what it left of the observations that it was made of.
public struct CalibrationInUse: Equatable, Sendable {
  /// The calibration.
  public var calibration: MagnetometerCalibration
  /// Root mean square of what it leaves, microtesla; nil where nobody has said.
  public var residualMicrotesla: Double?

  /// Makes one.
  public init(_ calibration: MagnetometerCalibration, residualMicrotesla: Double? = nil) {
    (self.calibration, self.residualMicrotesla) = (calibration, residualMicrotesla)
  }
}

/// How a magnetometer's calibration stands.
public enum CalibrationStanding: Equatable, Sendable {
  /// Nothing is in use, or nothing that can be trusted.
  case uncalibrated
  /// A session runs. The progress is the share of the wanted predicted error that is reached: 3 degrees
  /// (what `good` asks for) over the error predicted now, at most 1; 0 before the first fit. It falls where
  /// a fit predicts more than the one before.
  case collecting(progress: Double)
  /// A calibration of quality fair or better is in use, or one that somebody vouches for.
  case calibrated(residualMicrotesla: Double?)

  /// The standing without a session.
  public init(_ inUse: CalibrationInUse?) {
    switch inUse?.calibration.quality {
    case nil, .uncalibrated, .poor: self = .uncalibrated
    case .assumed, .fair, .good:
      self = .calibrated(residualMicrotesla: inUse?.residualMicrotesla)
    }
  }
}

/// Why a calibration was not used or not kept.
public enum CalibrationFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// It cannot be applied; the one before is still in use.
  case unusable(String)
  /// It is in use until the program ends; the cause is the store's.
  case notKept(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .unusable(let reason): "the calibration cannot be used: \(reason)"
    case .notKept(let cause): "the calibration is in use and was not kept: \(cause)"
    }
  }
}
