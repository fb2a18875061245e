import BoardFile
import Foundation
import Quantities
import ReceiverProtocols
import Recording

/// Where a receiver's pulses and epochs meet, each from a thread of its own.
///
/// It stands at the queue's door and sees every fix that goes in. Where pulses are paired, a fix leaves with
/// the instant of its measurement, which its UTC and the pulses tell, in place of that of its arrival.
final class PulseClock: @unchecked Sendable {
  private let lock = NSLock()
  private var pairing: PulsePairing
  /// An epoch that is told twice bears one instant.
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

  /// What a receiver announces of its next pulse.
  func add(_ announcement: PulseAnnouncement) { lock.withLock { pairing.add(announcement) } }

  func timing(at now: Timestamp) -> PulseTiming { lock.withLock { pairing.timing(at: now) } }

  /// Takes the fixes among rows in, and sets their instants where they are known.
  func stamp(_ rows: inout [SensorRow]) {
    lock.withLock {
      for index in rows.indices {
        guard let fix = rows[index].fix, let utc = fix.utc else { continue }
        let arrival = fix.timestamp
        if let stamped, stamped.arrival == arrival, stamped.utc == utc {
          rows[index].fix?.timestamp = stamped.instant
          continue
        }
        // Dead reckoning goes by the receiver's own oscillator.
        let hasFix = fix.kind != .none && fix.kind != .deadReckoning && fix.kind != .simulated
        pairing.add(PulseEpoch(utc: utc, arrival: arrival, hasFix: hasFix))
        guard let instant = pairing.instant(of: utc, arrivedAt: arrival) else { continue }
        rows[index].fix?.timestamp = instant
        stamped = (arrival, utc, instant)
      }
    }
  }
}
