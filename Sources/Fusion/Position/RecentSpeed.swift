import Quantities

/// The mean square of a body's velocity on an axis over about a minute: what is usual in an outage
/// that begins then.
struct RecentSpeed: Sendable {
  private var square = 0.0
  private var seconds = 0.0
  private var newest: Timestamp?

  /// Time over which the mean is taken, s.
  private static var window: Double { 60 }
  /// Longest interval between fixes that counts, s.
  private static var longestInterval: Double { 2 }

  /// Adds the square of a velocity on an axis, (m/s)².
  mutating func add(square newer: Double, at t: Timestamp) {
    let dt = min(max(newest.map { t.seconds(since: $0) } ?? 1, 0), Self.longestInterval)
    newest = t
    seconds = min(seconds + dt, Self.window)
    guard seconds > 0 else { return }
    square += (newer - square) * (dt / seconds)
  }

  /// The mean square, (m/s)², at least that of a speed.
  func meanSquare(orAtLeast least: Double) -> Double { max(square, least * least) }
}
