import Configuration
import Formats
import Foundation
import Quantities
import ReceiverProtocols

/// Combines a receiver's pulses and epochs, which come from different threads.
///
/// The row queue calls it with every fix. While pulses are paired, it replaces the instant of a fix's
/// arrival by that of its measurement, which follows from its UTC and the pulses.
final class PulseClock: @unchecked Sendable {
  private let lock = NSLock()
  private var pairing: PulsePairing
  /// The last stamped epoch: its repetition gets the same instant.
  private var stamped: (arrival: Timestamp, utc: UTCTime, instant: Timestamp)?

  init(_ pulse: Board.Pulse) {
    var parameters = PulsePairing.Parameters()
    parameters.messageDelaySeconds = pulse.messageDelaySeconds
    parameters.edge =
      switch pulse.edge {
      case .automatic: .automatic
      case .rising: .assert
      case .falling: .clear
      }
    pairing = PulsePairing(parameters: parameters)
  }

  func add(_ edge: PulseEdge) { lock.withLock { _ = pairing.add(edge) } }

  /// Adds the receiver's announcement of its next pulse.
  func add(_ announcement: PulseAnnouncement) { lock.withLock { pairing.add(announcement) } }

  func timing(at now: Timestamp) -> PulseTiming { lock.withLock { pairing.timing(at: now) } }

  /// Adds the fixes of the rows to the pairing, and sets their instants where known.
  func stamp(_ rows: inout [SensorSamples]) {
    lock.withLock {
      for index in rows.indices {
        guard let fix = rows[index].fix, let utc = fix.utc else { continue }
        let arrival = fix.timestamp
        if let stamped, stamped.arrival == arrival, stamped.utc == utc {
          rows[index].fix?.timestamp = stamped.instant
          continue
        }
        // In dead reckoning the time is that of the receiver's oscillator only.
        let hasFix = fix.kind != .none && fix.kind != .deadReckoning && fix.kind != .simulated
        pairing.add(PulseEpoch(utc: utc, arrival: arrival, hasFix: hasFix))
        guard let instant = pairing.instant(of: utc, arrivedAt: arrival) else { continue }
        rows[index].fix?.timestamp = instant
        stamped = (arrival, utc, instant)
      }
    }
  }
}
