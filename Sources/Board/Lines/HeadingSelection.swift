import Configuration
import Quantities
import ReceiverProtocols
import Synchronization

/// Chooses one of several headings from outside: of the compasses on lines of their own and of the
/// receivers' lines. Safe from any thread.
///
/// One is better by `SourceRule`. The chosen one is lost after 3 s of silence, which is as long as a
/// heading is used.
package final class HeadingSelection: Sendable {
  /// Time without a heading after which one is lost, s.
  private static let silentFor = 3.0

  private struct Candidate {
    let first: Timestamp
    var newest: Timestamp
    var accuracy: Angle?
    /// The newest of each; nil for none.
    var magnetic: (angle: Angle, at: Timestamp)?
    var `true`: (angle: Angle, at: Timestamp)?
    /// Since when it is better than the chosen one without interruption.
    var betterSince: Timestamp?
  }

  private struct State {
    var candidates: [Candidate?]
    var chosen: Int?
    /// True once another one was chosen after the beginning.
    var hasChanged = false
  }

  private let titles: [String]
  private let ranks: [Int]
  private let state: Mutex<State>

  /// Makes the choice of a board: its compasses with a port, then the lines of its receivers.
  package init(_ board: Board) {
    let compasses = board.compasses.filter { $0.port != nil }
    let line = board.compasses.first { $0.port == nil }
    titles =
      compasses.map(\.title)
      + board.receivers.map {
        board.receivers.count > 1 ? "the line of \($0.title)" : "the receiver's line"
      }
    ranks =
      compasses.map { $0.priority ?? .max } + board.receivers.map { _ in line?.priority ?? .max }
    state = Mutex(State(candidates: titles.map { _ in nil }))
  }

  /// Decides on a heading.
  /// - Parameters:
  ///   - sample: The heading.
  ///   - index: Whose it is.
  ///   - now: When it arrived.
  /// - Returns: Whether it is used, and a notice where another one was used before.
  package func admit(
    _ sample: HeadingSample, of index: Int, at now: Timestamp
  ) -> (isUsed: Bool, notice: String?) {
    state.withLock { state in
      var candidate = state.candidates[index] ?? Candidate(first: now, newest: now)
      (candidate.newest, candidate.accuracy) = (now, sample.accuracy)
      if let heading = sample.magnetic { candidate.magnetic = (heading.angle, now) }
      if let heading = sample.true { candidate.true = (heading.angle, now) }
      defer { state.candidates[index] = candidate }
      guard let chosen = state.chosen, chosen != index, let used = state.candidates[chosen] else {
        state.chosen = index
        candidate.betterSince = nil
        return (true, nil)
      }
      let order = SourceRule.order(
        rank: ranks[index], accuracy: candidate.accuracy?.radians,
        than: (ranks[chosen], used.accuracy?.radians))
      candidate.betterSince = order == .better ? candidate.betterSince ?? now : nil
      let isBeginning =
        !state.hasChanged && now.seconds(since: used.first) < SourceRule.beginning
      guard
        SourceRule.replaces(
          betterFor: candidate.betterSince.map { now.seconds(since: $0) },
          isLost: now.seconds(since: used.newest) > Self.silentFor, isBeginning: isBeginning)
      else { return (false, nil) }
      (state.chosen, state.hasChanged) = (index, !isBeginning)
      candidate.betterSince = nil
      return (true, "headings now come from \(titles[index]), before from \(titles[chosen])")
    }
  }

  /// Removes the headings that are not used.
  func filter(
    _ rows: inout [SensorSamples], of index: Int, at now: Timestamp, _ monitor: BoardMonitor
  ) {
    for row in rows.indices {
      guard let sample = rows[row].heading else { continue }
      let (isUsed, notice) = admit(sample, of: index, at: now)
      if !isUsed { rows[row].heading = nil }
      if let notice { monitor.notice(ofPeer: notice) }
    }
    // An empty row is none.
    rows.removeAll { $0.heading == nil && $0.fix == nil }
  }

  /// Writes whether each compass with a port is used, and how it compares with the one in use.
  func describe(_ compasses: inout [BoardStatus.Compass], at now: Timestamp) {
    state.withLock { state in
      guard let chosen = state.chosen, let used = state.candidates[chosen] else { return }
      for index in compasses.indices {
        compasses[index].isUsed = index == chosen
        guard index != chosen, let other = state.candidates[index] else { continue }
        guard let degrees = Self.difference(other, used, at: now) else { continue }
        compasses[index].comparison = "\(degrees) degrees from \(titles[chosen])"
      }
    }
  }

  /// The difference of two headings to the same north, whole degrees; nil where one is old.
  private static func difference(_ a: Candidate, _ b: Candidate, at now: Timestamp) -> Int? {
    for (own, other) in [(a.true, b.true), (a.magnetic, b.magnetic)] {
      guard let own, let other, now.seconds(since: own.at) <= silentFor,
        now.seconds(since: other.at) <= silentFor
      else { continue }
      return Int(bounded: abs((own.angle - other.angle).wrappedToHalfTurn.degrees).rounded())
    }
    return nil
  }
}
