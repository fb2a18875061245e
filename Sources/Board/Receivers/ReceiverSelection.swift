import Configuration
import Quantities
import ReceiverProtocols
import Synchronization

/// Chooses one of a board's receivers by the rule that also chooses one of the talkers on a line
/// (`PositionChoice`). Safe from any thread.
package final class ReceiverSelection: Sendable {
  /// How much a receiver has reported.
  package struct Progress: Equatable, Sendable {
    /// Epochs, those with a position, and those with a time.
    package fileprivate(set) var (epochs, positions, times) = (0, 0, 0)
  }

  private struct State {
    var choice = PositionChoice()
    var progress: [Progress]
    /// The receiver that was used last, for the notice of a change.
    var used: Int?
  }

  private let titles: [String]
  private let ranks: [Int]
  private let state: Mutex<State>

  /// Makes the choice of a board's receivers.
  package init(_ receivers: [Board.Receiver]) {
    titles = receivers.map(\.title)
    ranks = receivers.map { $0.priority ?? .max }
    state = Mutex(State(progress: receivers.map { _ in Progress() }))
  }

  /// What becomes of a receiver's epoch.
  package struct Admission: Sendable {
    /// The epoch to use, without a time where it would go back; nil for none.
    package var epoch: ReceiverEpoch?
    /// That positions are of another receiver now; nil for no change.
    package var notice: String?
  }

  /// Decides on the epoch of a receiver.
  package func admit(
    _ epoch: ReceiverEpoch, of index: Int, at arrival: Timestamp
  ) -> Admission {
    state.withLock { state in
      state.progress[index].epochs += 1
      if epoch.isFixOK, epoch.fix.position != nil { state.progress[index].positions += 1 }
      if epoch.fix.utc != nil { state.progress[index].times += 1 }
      let decision = state.choice.decide(
        epoch.fix, isFixOK: epoch.isFixOK, of: index, rank: ranks[index], at: arrival)
      guard decision != .leave else { return Admission() }
      var admission = Admission(epoch: epoch)
      admission.epoch?.fix.receiver = UInt8(clamping: index)
      if decision == .useWithoutTime { admission.epoch?.fix.utc = nil }
      if let before = state.used, before != index {
        admission.notice = "positions now come from \(titles[index]), before from \(titles[before])"
      }
      state.used = index
      return admission
    }
  }

  /// Ends the use of a receiver whose line is lost: the next one that reports is used.
  package func lose(_ index: Int) { state.withLock { $0.choice.remove(index) } }

  /// Whether a receiver's positions are used; true of the first before any has reported.
  package func isUsed(_ index: Int) -> Bool { state.withLock { $0.choice.chosen == index } }

  /// How much a receiver has reported.
  package func progress(of index: Int) -> Progress { state.withLock { $0.progress[index] } }

  /// The newest fix of a receiver; nil before the first and while its line is lost.
  package func source(_ index: Int) -> PositionSource? {
    state.withLock { $0.choice.source(index, .named(titles[index])) }
  }
}
