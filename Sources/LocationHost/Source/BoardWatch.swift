import Board
import LinuxIO
import Quantities
import Synchronization

/// Searches for a board that is attached later, and opens it.
final class BoardWatch: Sendable {
  /// Seconds between two searches: a search probes every address of every bus.
  static let interval = 30.0

  private let interval: Double
  private let look: @Sendable () throws(SourceError) -> OpenedSource
  private let state = Mutex(State())

  private struct State {
    var lastSearch: Timestamp?
    var found: OpenedSource?
  }

  init(every interval: Double, _ look: @escaping @Sendable () throws(SourceError) -> OpenedSource) {
    (self.interval, self.look) = (interval, look)
  }

  /// The board that was found, or the result of a new search.
  func open() throws(SourceError) -> OpenedSource {
    let board = state.withLock { state in
      state.lastSearch = MonotonicClock.now
      defer { state.found = nil }
      return state.found
    }
    if let board { return board }
    return try look()
  }

  /// Stops a board that was found and not opened.
  func discard() {
    let board = state.withLock { state in
      defer { state.found = nil }
      return state.found
    }
    board?.stop()
  }

  /// Searches again if the interval has passed.
  /// - Returns: A message if a board was found; nil otherwise.
  func find() -> String? {
    let isDue = state.withLock { state in
      state.lastSearch.map { MonotonicClock.now.seconds(since: $0) >= interval } ?? true
    }
    guard isDue else { return nil }
    defer { state.withLock { $0.lastSearch = MonotonicClock.now } }
    do throws(SourceError) {
      let board = try look()
      state.withLock { $0.found = board }
      return "a board was attached"
    } catch {
      return nil
    }
  }
}
