import Formats
import Quantities
import Synchronization

/// The `ReceiverRest` shared by the application, which sets the demand, and the thread that
/// delivers the fixes; and the application's activity, for the receiver's motion model. Safe from
/// any thread.
package final class SharedReceiverRest: Sendable {
  private struct State {
    var rest = ReceiverRest()
    var wanted: ReceiverDemand?
    var hasWanted = false
    var activity: Activity?

    mutating func applyDemand(_ now: Timestamp) {
      if let wanted {
        rest.want(wanted, at: now)
        self.wanted = nil
      }
      rest.advance(to: now)
    }
  }

  private let state = Mutex(State())

  /// Makes a receiver that works.
  package init() {}

  /// Changes the demand from the next instant on.
  package func want(_ demand: ReceiverDemand) {
    state.withLock { state in
      state.wanted = demand
      state.hasWanted = state.hasWanted || demand != .continuous
    }
  }

  /// The activity of the application; nil before it has set one.
  package var activity: Activity? {
    get { state.withLock { $0.activity } }
    set { state.withLock { $0.activity = newValue } }
  }

  /// True once the demand was less than every fix: the receiver may have been put to sleep.
  var hasRested: Bool { state.withLock { $0.hasWanted } }

  /// True while fixes are withheld.
  package var isAsleep: Bool { state.withLock { $0.rest.isAsleep } }

  /// Whether fixes are withheld at an instant, and for how much longer, s; nil without an end.
  func state(at now: Timestamp) -> (isAsleep: Bool, remaining: Double?) {
    state.withLock { state in
      state.applyDemand(now)
      return (state.rest.isAsleep, state.rest.remaining(at: now))
    }
  }

  /// Removes the fixes while the receiver rests.
  func filter(_ rows: inout [SensorSamples], at now: Timestamp) {
    state.withLock { state in
      state.applyDemand(now)
      for index in rows.indices {
        guard let fix = rows[index].fix, !state.rest.admits(fix, at: now) else { continue }
        rows[index].fix = nil
      }
    }
  }

  /// Does the same for one row of a recording or a simulation, by its own timestamp.
  package func filter(_ row: inout SensorSamples) {
    state.withLock { state in
      state.applyDemand(row.timestamp)
      if let fix = row.fix, !state.rest.admits(fix, at: row.timestamp) { row.fix = nil }
    }
  }
}
