/// When an application is started for what waits for it: at once, and again after a while where nobody came,
/// with twice the wait each time.
package struct LaunchPlan: Equatable {
  /// Seconds between two starts at most: an hour.
  static let longestInterval = 3600.0

  private let first: Double
  private var interval: Double
  private var last: Double?

  /// - Parameter interval: Seconds between two starts at least.
  package init(interval: Double) {
    first = interval
    self.interval = interval
  }

  /// Whether to start it now; it counts as started then. `now` is in seconds of a clock that is never set.
  package mutating func isDue(at now: Double) -> Bool {
    guard let last else {
      self.last = now
      return true
    }
    guard now - last >= interval else { return false }
    self.last = now
    interval = min(interval * 2, max(first, Self.longestInterval))
    return true
  }

  /// A client of the application has come: the next start is not sooner than the interval after the last.
  package mutating func clientCame() { interval = first }
}
