/// Decides when an application with a pending event is started: at once, then again while no client
/// connects, with twice the interval each time.
package struct LaunchPlan: Equatable {
  /// The longest interval between two starts: an hour, s.
  static let longestInterval = 3600.0

  private let shortestInterval: Double
  private var interval: Double
  private var last: Double?

  /// - Parameter interval: The shortest interval between two starts, s.
  package init(interval: Double) {
    shortestInterval = interval
    self.interval = interval
  }

  /// Whether to start the application now; true counts as a start. `now` is in seconds of a
  /// monotonic clock.
  package mutating func isDue(at now: Double) -> Bool {
    guard let last else {
      self.last = now
      return true
    }
    guard now - last >= interval else { return false }
    self.last = now
    interval = min(interval * 2, max(shortestInterval, Self.longestInterval))
    return true
  }

  /// Resets the interval to the shortest, after a client has connected.
  package mutating func clientCame() { interval = shortestInterval }
}
