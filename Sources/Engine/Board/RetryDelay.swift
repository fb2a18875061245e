/// The delay before the next attempt to connect: one second at first, doubled each time up to a limit, and one
/// second again after an answer.
package struct RetryDelay {
  private static let first = 1.0
  private let longest: Double
  /// The share of a delay that is drawn at random: 0 for none, 1 for half to one and a half of it.
  private let spread: Double
  private var delay = first

  /// Makes delays without chance, up to 30 s.
  package init() { self.init(longest: 30, spread: 0) }

  private init(longest: Double, spread: Double) { (self.longest, self.spread) = (longest, spread) }

  /// Delays for one of many clients of one server: up to 5 min, each by chance, so that they do not return together.
  package static let ofFleet = RetryDelay(longest: 300, spread: 1)

  /// The delay after a further failure, s.
  package mutating func next() -> Double {
    defer { delay = min(delay * 2, longest) }
    return min(delay * (1 + spread * Double.random(in: -0.5...0.5)), longest)
  }

  /// Starts again at one second: the server has answered.
  package mutating func reset() { delay = Self.first }
}
