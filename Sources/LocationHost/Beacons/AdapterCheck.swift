import LinuxIO
import Quantities
import Radio

/// Whether beacons can be received. The check calls BlueZ, which may take seconds, so that it has a
/// thread of its own, and its result is used for some seconds.
final class AdapterCheck: Sendable {
  /// The interval between two checks, seconds.
  private static let interval = 5.0

  private struct State {
    /// The beginning of the last check while it runs, then its end.
    var instant: Timestamp?
    var isRunning = false
    var fault: BeaconError?
  }

  private let beacons: BeaconService
  private let timeout: Double
  private let state = Waitable(State())

  /// Makes a check that has not begun.
  /// - Parameters:
  ///   - beacons: The service to check.
  ///   - timeout: The longest wait for its answer, seconds.
  init(of beacons: BeaconService, timeout: Double) {
    (self.beacons, self.timeout) = (beacons, timeout)
  }

  /// The reason why beacons cannot be received. While a check takes longer than the timeout, the
  /// reason is that of the check before; nil if there was no check before.
  var fault: BeaconError? {
    let (begin, isFirst) = state.withLock { state in
      let now = MonotonicClock.now
      if let instant = state.instant,
        state.isRunning || now.seconds(since: instant) < Self.interval
      {
        return (instant, false)
      }
      (state.instant, state.isRunning) = (now, true)
      return (now, true)
    }
    if isFirst { run() }
    state.wait(atMost: timeout - MonotonicClock.now.seconds(since: begin)) {
      $0.isRunning ? nil : ()
    }
    return state.read { $0.fault }
  }

  private func run() {
    WorkerThread.start("lodestar-adapter") { [self] in
      var fault: BeaconError?
      do throws(BeaconError) { try beacons.checkAvailability() } catch { fault = error }
      state.withLock { [fault] state in
        state = State(instant: MonotonicClock.now, fault: fault)
      }
    }
  }
}
