import CalibrationFit
import Pipeline
import Quantities
import Synchronization

/// Gives a pipeline the results of fits and the calibrations that a recording has for the row that
/// is processed next.
package final class RecordedCalibrations: RefitRunner, CalibrationHandOver {
  private struct State {
    var fit: ForwardSolution?
    var given: GivenCalibration?
  }
  private let state = Mutex(State())

  /// Makes one without results.
  package init() {}

  /// Sets what the next field sample takes.
  func set(fit: ForwardSolution?, given: GivenCalibration?) {
    state.withLock { $0 = State(fit: fit, given: given) }
  }

  /// Nothing: the results are those of the recording.
  package func begin(_ job: RefitJob) {}

  package func nextResult() -> ForwardSolution? {
    state.withLock { state in
      defer { state.fit = nil }
      return state.fit
    }
  }

  package func nextGiven() -> GivenCalibration? {
    state.withLock { state in
      defer { state.given = nil }
      return state.given
    }
  }
}
