import Foundation
import Quantities
import Recording

/// The rest of one receiver, between whoever wants something of it and whoever hands its fixes on. Safe from
/// any thread.
final class SharedReceiverRest: @unchecked Sendable {
  private let lock = NSLock()
  private var rest = ReceiverRest()
  private var wanted: ReceiverDemand?
  private var hasWanted = false

  /// Wants something else from the next instant on.
  func want(_ demand: ReceiverDemand) {
    lock.withLock {
      wanted = demand
      hasWanted = hasWanted || demand != .continuous
    }
  }

  /// True once less than every fix was wanted: the receiver may have been put to sleep.
  var hasRested: Bool { lock.withLock { hasWanted } }

  /// True while fixes are withheld.
  var isAsleep: Bool { lock.withLock { rest.isAsleep } }

  /// Whether fixes are withheld at an instant, and for how long still, s; nil where that has no end.
  func state(at now: Timestamp) -> (isAsleep: Bool, remaining: Double?) {
    lock.withLock {
      takeWish(now)
      return (rest.isAsleep, rest.remaining(at: now))
    }
  }

  /// Takes the fixes out of what is handed on while the receiver rests.
  func filter(_ rows: inout [SensorRow], at now: Timestamp) {
    lock.withLock {
      takeWish(now)
      for index in rows.indices {
        guard let fix = rows[index].fix, !rest.admits(fix, at: now) else { continue }
        rows[index].fix = nil
      }
    }
  }

  /// The same of one instant of a recording or a simulated world, by its own clock.
  func filter(_ row: inout SensorRow) {
    lock.withLock {
      takeWish(row.timestamp)
      if let fix = row.fix, !rest.admits(fix, at: row.timestamp) { row.fix = nil }
    }
  }

  private func takeWish(_ now: Timestamp) {
    if let wanted {
      rest.want(wanted, at: now)
      self.wanted = nil
    }
    rest.advance(to: now)
  }
}
