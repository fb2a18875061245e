import Quantities
import ReceiverProtocols

/// Selects the messages that are due, each at its usual interval, those of a fix once for each fix.
///
/// A message is first sent when one of its values is known. Where the value is no longer known, and
/// three seconds after the last estimate, it is sent with "not available": no value is sent twice as
/// new. All messages of one estimate have the same SID.
struct NMEA2000Schedule: Sendable {
  /// The tolerance of the due time, half an estimate's interval, s.
  private static let slack = 0.005
  /// How long a pressure is valid, as a fix, s.
  private static let pressureValidity = 10.0
  /// Time without an estimate after which all values are not available, s: as a lost heading.
  private static let estimateValidity = 3.0
  /// The greatest number that is a SID.
  private static let greatestSID: UInt8 = 252

  private var sent: [PGN: (at: Timestamp, fix: Timestamp?)] = [:]
  private var known: Set<PGN> = []
  private var pressure: PressureSample?
  private var sid: UInt8 = 0
  /// The newest estimate, and when it arrived.
  private(set) var newest: (estimate: Estimate, arrival: Timestamp)?
  private var lastExpiry: Timestamp?

  /// Whether estimates came, and come no longer.
  func isExpired(at now: Timestamp) -> Bool {
    newest.map { now.seconds(since: $0.arrival) > Self.estimateValidity } ?? false
  }

  /// Sets the pressure of the next messages.
  mutating func set(_ pressure: PressureSample) { self.pressure = pressure }

  /// Discards what an earlier access gave.
  mutating func discard() { pressure = nil }

  /// Makes a message due at the next estimate.
  mutating func request(_ pgn: PGN) { sent[pgn] = nil }

  /// The messages that are due at an estimate.
  mutating func messages(for estimate: Estimate, at arrival: Timestamp) -> [PGNMessage] {
    newest = (estimate, arrival)
    let sample = pressure.flatMap {
      abs(estimate.timestamp.seconds(since: $0.timestamp)) < Self.pressureValidity ? $0 : nil
    }
    let due = NMEA2000Report.messages.filter { isDue($0, at: estimate) }
    let messages = due.compactMap { pgn in
      NMEA2000Report.message(pgn, of: estimate, pressure: sample, sid: sid)
        ?? (known.contains(pgn) ? NMEA2000Report.unavailable(pgn, sid: sid) : nil)
    }
    for message in messages {
      known.insert(message.pgn)
      sent[message.pgn] = (estimate.timestamp, estimate.fixTimestamp)
    }
    if !messages.isEmpty { countUp() }
    return messages
  }

  /// The known messages with "not available", once a second while no estimates come.
  mutating func expiredMessages(at now: Timestamp) -> [PGNMessage] {
    guard isExpired(at: now), lastExpiry.map({ now.seconds(since: $0) >= 1 }) ?? true else {
      return []
    }
    lastExpiry = now
    defer { countUp() }
    return NMEA2000Report.messages.filter(known.contains).map {
      NMEA2000Report.unavailable($0, sid: sid)
    }
  }

  private mutating func countUp() { sid = sid < Self.greatestSID ? sid + 1 : 0 }

  private func isDue(_ pgn: PGN, at estimate: Estimate) -> Bool {
    guard let interval = pgn.interval, let last = sent[pgn] else { return true }
    let elapsed = estimate.timestamp.seconds(since: last.at)
    // The clock of a restarted source may start again at a lower time.
    guard elapsed >= 0 else { return true }
    guard elapsed >= interval - Self.slack else { return false }
    return pgn != .gnssPosition || estimate.fixTimestamp == nil || estimate.fixTimestamp != last.fix
  }
}
