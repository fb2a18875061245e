import Configuration
import Quantities
import ReceiverProtocols
import Synchronization

/// Combines a receiver's pulses and epochs, which come from different threads.
///
/// It gets every fix of its receiver. While pulses are paired, the instant of a fix's arrival is
/// replaced by that of its measurement, which follows from its UTC and the pulses.
final class PulseClock: Sendable {
  private struct State {
    var pairing: PulsePairing
    /// The last stamped epoch: its repetition gets the same instant.
    var stamped: (arrival: Timestamp, utc: UTCTime, instant: Timestamp)?
  }

  private let state: Mutex<State>

  init(_ pulse: Board.Pulse) {
    var parameters = PulsePairing.Parameters()
    parameters.messageDelaySeconds = pulse.messageDelaySeconds
    parameters.edge =
      switch pulse.edge {
      case .automatic: .automatic
      case .rising: .assert
      case .falling: .clear
      }
    state = Mutex(State(pairing: PulsePairing(parameters: parameters)))
  }

  func add(_ edge: PulseEdge) { state.withLock { _ = $0.pairing.add(edge) } }

  /// Adds the receiver's announcement of its next pulse.
  func add(_ announcement: PulseAnnouncement) { state.withLock { $0.pairing.add(announcement) } }

  func timing(at now: Timestamp) -> PulseTiming {
    state.withLock { $0.pairing.timing(at: now) }
  }

  /// Adds a fix to the pairing.
  /// - Parameter fix: The fix, stamped with its arrival.
  /// - Returns: The instant of its measurement; nil where it is not known.
  func instant(of fix: Fix) -> Timestamp? {
    guard let utc = fix.utc else { return nil }
    let arrival = fix.timestamp
    return state.withLock { state in
      if let stamped = state.stamped, stamped.arrival == arrival, stamped.utc == utc {
        return stamped.instant
      }
      // In dead reckoning the time is that of the receiver's oscillator only.
      state.pairing.add(
        PulseEpoch(utc: utc, arrival: arrival, hasFix: fix.kind.isOfSatellites))
      guard let instant = state.pairing.instant(of: utc, arrivedAt: arrival) else { return nil }
      state.stamped = (arrival, utc, instant)
      return instant
    }
  }
}
