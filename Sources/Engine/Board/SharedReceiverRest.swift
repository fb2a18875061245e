import Formats
import Foundation
import Quantities

/// The `ReceiverRest` shared by the application, which sets the demand, and the thread that delivers the
/// fixes. Safe from any thread.
final class SharedReceiverRest: @unchecked Sendable {
  private let lock = NSLock()
  private var rest = ReceiverRest()
  private var wanted: ReceiverDemand?
  private var hasWanted = false

  /// Changes the demand from the next instant on.
  func want(_ demand: ReceiverDemand) {
    lock.withLock {
      wanted = demand
      hasWanted = hasWanted || demand != .continuous
    }
  }

  /// True once the demand was less than every fix: the receiver may have been put to sleep.
  var hasRested: Bool { lock.withLock { hasWanted } }

  /// True while fixes are withheld.
  var isAsleep: Bool { lock.withLock { rest.isAsleep } }

  /// Whether fixes are withheld at an instant, and for how much longer, s; nil without an end.
  func state(at now: Timestamp) -> (isAsleep: Bool, remaining: Double?) {
    lock.withLock {
      applyDemand(now)
      return (rest.isAsleep, rest.remaining(at: now))
    }
  }

  /// Removes the fixes while the receiver rests.
  func filter(_ rows: inout [SensorSamples], at now: Timestamp) {
    lock.withLock {
      applyDemand(now)
      for index in rows.indices {
        guard let fix = rows[index].fix, !rest.admits(fix, at: now) else { continue }
        rows[index].fix = nil
      }
    }
  }

  /// Does the same for one row of a recording or a simulation, by its own timestamp.
  func filter(_ row: inout SensorSamples) {
    lock.withLock {
      applyDemand(row.timestamp)
      if let fix = row.fix, !rest.admits(fix, at: row.timestamp) { row.fix = nil }
    }
  }

  private func applyDemand(_ now: Timestamp) {
    if let wanted {
      rest.want(wanted, at: now)
      self.wanted = nil
    }
    rest.advance(to: now)
  }
}
