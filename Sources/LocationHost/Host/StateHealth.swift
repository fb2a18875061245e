import LinuxIO
import Observers

/// Whether the host's state can be stored. The folder's fault is reported by its owner, that of the
/// calibrations by the source; clients and the service manager receive the first of both. Safe from
/// any thread.
package final class StateHealth: Sendable {
  private struct State {
    var folder: String?
    var calibrations: String?

    var fault: String? { folder ?? calibrations }
  }

  private let log: HostLog
  private let state = Locked(State())
  private let observers = ObserverList<String?>()

  /// Makes the health of a state that can be stored as far as is known.
  package init(log: HostLog) { self.log = log }

  /// Why the state, or a part of it, is not stored, in one line; nil where it is.
  package var fault: String? { state.withLock { $0.fault } }

  /// Calls `body` with each new fault, and with nil where the state is stored again.
  package func observe(_ body: @escaping @Sendable (String?) -> Void) -> Observation {
    observers.add(body)
  }

  /// Reports the fault of the whole folder; nil where it can be written.
  package func report(folder fault: String?) { change { $0.folder = fault } }

  /// Reports the fault of the stored calibrations; nil where they can be read and written.
  package func report(calibrations fault: String?) { change { $0.calibrations = fault } }

  private func change(_ body: (inout State) -> Void) {
    let (before, after) = state.withLock { state in
      let before = state.fault
      body(&state)
      return (before, state.fault)
    }
    if before != after { observers.notify(after) }
  }

  /// Logs that a part of the state is not stored, unless the fault of the whole folder is known.
  func report(_ priority: HostLog.Priority, _ text: String) {
    guard state.withLock({ $0.folder }) == nil else { return }
    if priority == .error { log.error(text) } else { log.warning(text) }
  }
}
