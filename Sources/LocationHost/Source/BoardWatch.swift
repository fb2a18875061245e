import Dispatch
import Engine

/// Looks for a board that comes later, and hands it over.
final class BoardWatch: @unchecked Sendable {
  /// Seconds from one look to the next: a look asks every address of every bus.
  static let interval = 30.0

  private let interval: Double
  private let look: @Sendable () throws(SourceError) -> OpenedSource
  // Only on the supervisor's thread.
  private var next: UInt64
  private var found: OpenedSource?

  init(every interval: Double, _ look: @escaping @Sendable () throws(SourceError) -> OpenedSource) {
    (self.interval, self.look) = (interval, look)
    next = 0
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// The board that was found, else a first look.
  func open() throws(SourceError) -> OpenedSource {
    next = Self.now + UInt64(interval * 1e9)
    if let board = found {
      found = nil
      return board
    }
    return try look()
  }

  /// Looks again where that is due.
  /// - Returns: That there is one; nil where there is none.
  func find() -> String? {
    guard Self.now >= next else { return nil }
    defer { next = Self.now + UInt64(interval * 1e9) }
    do throws(SourceError) {
      found = try look()
      return "a board was attached"
    } catch {
      return nil
    }
  }
}
