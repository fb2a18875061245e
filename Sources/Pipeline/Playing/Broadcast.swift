import Board
import Formats
import Observers
import Quantities
import Synchronization

/// Delivers estimates and rows to observers and stores the newest estimate. Safe from any thread.
package final class Broadcast: Sendable {
  private struct State {
    var newest: Estimate?
    var outcome: EstimatePlayer.Outcome?
    var isStopped = false
    /// The observations that last as long as this object.
    var permanent: [Observation] = []
  }

  private let state = Mutex(State())
  private let estimates = ObserverList<Estimate>()
  private let rows = ObserverList<SensorSamples>()
  let receiverOutput = ObserverList<ReceiverOutput>()

  package init() {}

  var latest: Estimate? { state.withLock { $0.newest } }
  var end: EstimatePlayer.Outcome? { state.withLock { $0.outcome } }
  var isStopped: Bool { state.withLock { $0.isStopped } }

  func observe(_ body: @escaping @Sendable (Estimate) -> Void) -> Observation {
    estimates.add(body)
  }

  /// Calls `body` with every row before the pipeline processes it, on the player's thread.
  func onRow(_ body: @escaping @Sendable (SensorSamples) -> Void) {
    let observation = rows.add(body)
    state.withLock { $0.permanent.append(observation) }
  }

  func observeRows(_ body: @escaping @Sendable (SensorSamples) -> Void) -> Observation {
    rows.add(body)
  }

  package func publish(_ row: SensorSamples) { rows.notify(row) }

  func stop() { state.withLock { $0.isStopped = true } }

  func finish(_ end: EstimatePlayer.Outcome) { state.withLock { $0.outcome = end } }

  package func publish(_ estimate: Estimate) {
    state.withLock { $0.newest = estimate }
    estimates.notify(estimate)
  }
}
