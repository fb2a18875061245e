import Engine
import LinuxIO
import Quantities
import Synchronization

/// Looks for a board that comes later, and hands it over.
final class BoardWatch: Sendable {
  /// Seconds from one look to the next: a look asks every address of every bus.
  static let interval = 30.0

  private let interval: Double
  private let look: @Sendable () throws(SourceError) -> OpenedSource
  private let state = Mutex(State())

  private struct State {
    var lastLook: Timestamp?
    var found: OpenedSource?
  }

  init(every interval: Double, _ look: @escaping @Sendable () throws(SourceError) -> OpenedSource) {
    (self.interval, self.look) = (interval, look)
  }

  /// The board that was found, else a first look.
  func open() throws(SourceError) -> OpenedSource {
    let board = state.withLock { state in
      state.lastLook = MonotonicClock.now
      defer { state.found = nil }
      return state.found
    }
    if let board { return board }
    return try look()
  }

  /// Looks again where that is due.
  /// - Returns: That there is one; nil where there is none.
  func find() -> String? {
    let isDue = state.withLock { state in
      state.lastLook.map { MonotonicClock.now.seconds(since: $0) >= interval } ?? true
    }
    guard isDue else { return nil }
    defer { state.withLock { $0.lastLook = MonotonicClock.now } }
    do throws(SourceError) {
      let board = try look()
      state.withLock { $0.found = board }
      return "a board was attached"
    } catch {
      return nil
    }
  }
}
