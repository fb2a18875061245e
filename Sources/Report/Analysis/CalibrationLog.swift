import CalibrationFit
import Pipeline
import Quantities
import Synchronization

/// Collects the changes of the calibration from a pipeline, in their order with the rows.
package final class CalibrationLog: PipelineTap {
  /// A change.
  package struct Change: Equatable, Sendable {
    /// What happened.
    package enum Kind: String, Sendable {
      case start = "in use at the start"
      case committed = "found during use"
      case stepped = "corrected after a step of the iron"
      case rolledBack = "rolled back"
      case refuted
      case given
    }
    /// What happened.
    package var kind: Kind
    /// The calibration from now on; nil for none.
    package var calibration: MagnetometerCalibration?
    /// The predicted heading error, degrees, one sigma; nil if it is not known.
    package var errorDegrees: Double?
  }

  private struct State {
    var isOnline: Bool?
    var changes: [Change] = []
  }
  private let state = Mutex(State())

  /// An empty log.
  package init() {}

  /// Whether the magnetometer is calibrated during use; nil if it is not known.
  package var isOnline: Bool? { state.withLock { $0.isOnline } }

  /// Moves the changes since the last call to the caller.
  package func removeAll() -> [Change] {
    state.withLock { state in
      defer { state.changes = [] }
      return state.changes
    }
  }

  package func begin(_ start: StartState) {
    state.withLock { $0.isOnline = start.configuration.onlineCalibration }
    add(.start, start.configuration.calibration)
  }

  package func record(_ fit: ForwardSolution) {}

  package func record(_ given: GivenCalibration) { add(.given, given.choice) }

  package func record(_ change: OnlineCalibrationEvent) {
    let kind: Change.Kind =
      switch change {
      case .committed: .committed
      case .steppedTo: .stepped
      case .rolledBack: .rolledBack
      case .refuted: .refuted
      }
    let committed = change.calibration
    let calibration = committed.flatMap { committed in
      committed.estimate.distortion.shape.inverse.map {
        MagnetometerCalibration(
          softIron: $0, hardIron: MagneticField(microtesla: committed.estimate.distortion.offset),
          quality: .uncalibrated, predictedHeadingError: committed.seenError)
      }
    }
    add(Change(kind: kind, calibration: calibration, errorDegrees: committed?.seenError?.degrees))
  }

  /// Adds the calibration that a source reports to be in use; nil for none.
  package func record(_ kind: Change.Kind, _ calibration: MagnetometerCalibration?) {
    add(
      Change(
        kind: kind, calibration: calibration,
        errorDegrees: calibration?.predictedError?.degrees))
  }

  private func add(_ kind: Change.Kind, _ choice: CalibrationChoice) {
    switch choice {
    case .none: add(Change(kind: kind))
    case .assumed:
      add(
        Change(
          kind: kind,
          calibration: MagnetometerCalibration(
            softIron: .identity, hardIron: .zero, quality: .assumed)))
    case .fitted(let fitted):
      add(
        Change(
          kind: kind, calibration: fitted, errorDegrees: fitted.predictedError?.degrees))
    }
  }

  private func add(_ change: Change) { state.withLock { $0.changes.append(change) } }
}
