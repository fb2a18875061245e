import Dispatch
import Engine

/// Looks for a board that comes later.
final class BoardWatch: @unchecked Sendable {
  /// Seconds from one look to the next: a look asks every address of every bus.
  static let interval = 30.0

  private let interval: Double
  private let open: @Sendable () throws(SourceError) -> OpenedSource
  // Only on the supervisor's thread.
  private var next: UInt64

  init(every interval: Double, _ open: @escaping @Sendable () throws(SourceError) -> OpenedSource) {
    (self.interval, self.open) = (interval, open)
    next = Self.now + UInt64(interval * 1e9)
  }

  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

  /// Looks where that is due.
  /// - Returns: That there is one; nil where there is none.
  func find() -> String? {
    guard Self.now >= next else { return nil }
    defer { next = Self.now + UInt64(interval * 1e9) }
    do throws(SourceError) {
      // What was opened is let go at once: the supervisor opens it for good.
      _ = try open()
      return "a board was attached"
    } catch {
      return nil
    }
  }
}
