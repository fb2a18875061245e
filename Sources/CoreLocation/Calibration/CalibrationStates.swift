internal import Synchronization

/// The state of the calibration with its listeners, and the reasons for a session. Safe from any
/// thread.
final class CalibrationStates: Sendable {
  private let shared = Mutex(Shared())
  private let reasons = Mutex(Reasons())

  private struct Shared {
    var newest: CLHeadingCalibration.State?
    var listeners: [Int: AsyncStream<CLHeadingCalibration.State>.Continuation] = [:]
    var nextKey = 0
  }

  /// Reads the state and reports it if it has changed. Reads are serialized, so that the last
  /// report is the newest state.
  func update(_ read: () -> CLHeadingCalibration.State) {
    shared.withLock { shared in
      let state = read()
      guard state != shared.newest else { return }
      shared.newest = state
      for listener in shared.listeners.values { listener.yield(state) }
    }
  }

  /// The state, once it is known, and its changes.
  func stream() -> AsyncStream<CLHeadingCalibration.State> {
    let (stream, listener) = AsyncStream.makeStream(
      of: CLHeadingCalibration.State.self, bufferingPolicy: .bufferingNewest(1))
    let key = shared.withLock { shared in
      shared.nextKey += 1
      shared.listeners[shared.nextKey] = listener
      if let newest = shared.newest { listener.yield(newest) }
      return shared.nextKey
    }
    listener.onTermination = { [weak self] _ in
      self?.shared.withLock { _ = $0.listeners.removeValue(forKey: key) }
    }
    return stream
  }

  // MARK: Reasons

  /// The reasons why a session continues: the program began it, or managers display it.
  private struct Reasons {
    var isProgram = false
    var displays: [ManagerSession] = []
    /// True once the host has reported that the session runs.
    var isConfirmed = false

    var isEmpty: Bool { !isProgram && displays.isEmpty }
  }

  /// True while a session has a reason.
  var isWanted: Bool { reasons.withLock { !$0.isEmpty } }

  /// Adds a reason: a manager that displays the session, or the program where it is nil.
  func addReason(_ session: ManagerSession?) {
    reasons.withLock { reasons in
      if let session {
        if !reasons.displays.contains(where: { $0 === session }) {
          reasons.displays.append(session)
        }
      } else {
        reasons.isProgram = true
      }
    }
  }

  /// Ends a manager's display.
  /// - Returns: True where the session has no reason any more.
  func endDisplay(of session: ManagerSession) -> Bool {
    reasons.withLock { reasons in
      let count = reasons.displays.count
      reasons.displays.removeAll { $0 === session }
      guard reasons.displays.count < count, reasons.isEmpty else { return false }
      reasons = Reasons()
      return true
    }
  }

  /// The host has reported a session that runs.
  func confirmSession() { reasons.withLock { $0.isConfirmed = true } }

  /// Removes all reasons of a session that has ended.
  /// - Parameter isLost: True where there is no magnetometer any more. Else a session that the host
  ///   has not yet reported is about to begin and keeps its reasons.
  /// - Returns: The managers that displayed the session; nil where it had no reason or begins.
  func removeReasons(isLost: Bool) -> [ManagerSession]? {
    reasons.withLock { reasons in
      guard isLost || reasons.isConfirmed else { return nil }
      defer { reasons = Reasons() }
      return reasons.isEmpty ? nil : reasons.displays
    }
  }
}
