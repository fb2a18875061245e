import CoreLocation
import Engine
import Quantities

/// A calibrator with a session that a test controls.
package final class ScriptedCalibrator: FieldCalibrator, @unchecked Sendable {
  private let lock = NSLock()
  private var current: CalibrationInUse?
  private var progress: Double?
  private var listeners: [Int: @Sendable () -> Void] = [:]
  private var registered = 0
  private var begun = 0
  private var refusal: CalibrationFault?

  package init(inUse: CalibrationInUse? = nil, refusal: CalibrationFault? = nil) {
    (current, self.refusal) = (inUse, refusal)
  }

  package var inUse: CalibrationInUse? { lock.withLock { current } }
  package var standing: CalibrationStanding {
    lock.withLock {
      progress.map { .collecting(progress: $0) } ?? CalibrationStanding(current)
    }
  }
  package var isCollecting: Bool { lock.withLock { progress != nil } }
  /// The number of sessions begun.
  package var sessionCount: Int { lock.withLock { begun } }

  package func begin() {
    change {
      guard progress == nil else { return }
      (progress, begun) = (0, begun + 1)
    }
  }
  package func cancel() { change { progress = nil } }
  package func reset() { change { (current, progress) = (nil, progress.map { _ in 0 }) } }

  package func use(_ calibration: CalibrationInUse) throws(CalibrationFault) {
    if let refusal { throw refusal }
    change { current = calibration }
  }

  /// Sets the progress of the session.
  package func advance(to share: Double) { change { progress = share } }

  /// Ends the session with a calibration.
  package func finish(_ calibration: CalibrationInUse) {
    change { (current, progress) = (calibration, nil) }
  }

  package func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    let key = lock.withLock {
      registered += 1
      listeners[registered] = body
      return registered
    }
    return Observation { [weak self] in
      guard let self else { return }
      lock.withLock { _ = listeners.removeValue(forKey: key) }
    }
  }

  private func change(_ body: () -> Void) {
    let all = lock.withLock {
      body()
      return Array(listeners.values)
    }
    for listener in all { listener() }
  }
}
