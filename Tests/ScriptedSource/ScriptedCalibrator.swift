import CoreLocation
import Observers
import Pipeline
import Quantities
import Synchronization

/// A calibrator with a session that a test controls.
package final class ScriptedCalibrator: FieldCalibrator {
  private struct State {
    var current: CalibrationInUse?
    var progress: Double?
    var begun = 0
    var use: CalibrationUse?
    /// The result of `finish()`; nil where the session has none.
    var result: CalibrationInUse?
  }
  private let state: Mutex<State>
  private let listeners = ObserverList<Void>()
  private let refusal: CalibrationFault?

  package init(inUse: CalibrationInUse? = nil, refusal: CalibrationFault? = nil) {
    state = Mutex(State(current: inUse))
    self.refusal = refusal
  }

  package var inUse: CalibrationInUse? { state.withLock { $0.current } }
  package var standing: CalibrationStanding {
    state.withLock { state in
      state.progress.map { .collecting(progress: $0) } ?? CalibrationStanding(state.current)
    }
  }
  package var isCollecting: Bool { state.withLock { $0.progress != nil } }
  /// The number of sessions begun.
  package var sessionCount: Int { state.withLock { $0.begun } }

  package var sessionUse: CalibrationUse { state.withLock { $0.use } ?? .anyAttitude }

  package func begin(for use: CalibrationUse?) {
    change { state in
      guard state.progress == nil else { return }
      (state.progress, state.begun, state.use) = (0, state.begun + 1, use)
    }
  }

  package func finish() throws(CalibrationFault) {
    if let refusal { throw refusal }
    guard let result = state.withLock({ $0.result }) else {
      throw .insufficient("the measurements are not sufficient yet")
    }
    finish(result)
  }

  /// Sets the result of a session that a user ends.
  package func prepare(_ result: CalibrationInUse) { state.withLock { $0.result = result } }

  package func cancel() { change { $0.progress = nil } }
  package func reset() { change { ($0.current, $0.progress) = (nil, $0.progress.map { _ in 0 }) } }

  package func use(_ calibration: CalibrationInUse) throws(CalibrationFault) {
    if let refusal { throw refusal }
    change { $0.current = calibration }
  }

  /// Sets the progress of the session.
  package func advance(to share: Double) { change { $0.progress = share } }

  /// Ends the session with a calibration.
  package func finish(_ calibration: CalibrationInUse) {
    change { ($0.current, $0.progress) = (calibration, nil) }
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    listeners.add { _ in body() }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    listeners.notify(())
  }
}
