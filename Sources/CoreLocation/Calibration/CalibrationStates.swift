internal import LinuxIO

/// The state of the calibration and its listeners. Safe from any thread.
final class CalibrationStates: Sendable {
  private let shared = Locked(Shared())

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
}

/// The reasons why a session continues: the program began it, or managers display it.
struct CalibrationReasons {
  var isProgram = false
  var displays: [ManagerSession] = []

  var isEmpty: Bool { !isProgram && displays.isEmpty }
}
