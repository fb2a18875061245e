/// The delay before the next attempt: doubled each time up to a limit, and the first one again
/// after a success.
package struct RetryDelay {
  private let first: Double
  private let longest: Double
  /// The share of a delay that is drawn at random: 0 for none, 1 for half to one and a half of it.
  private let spread: Double
  private var delay: Double

  /// Makes delays without chance: one second at first, up to 30 s.
  package init() { self.init(first: 1, longest: 30) }

  /// Makes delays from `first` to `longest`, seconds.
  package init(first: Double, longest: Double, spread: Double = 0) {
    (self.first, self.longest, self.spread) = (first, longest, spread)
    delay = first
  }

  /// Delays for one of many clients of one server: up to 5 min, each by chance, so that they do not
  /// return together. The longest one is 200 s before the chance: a limit after it would make half
  /// of them equal.
  package static let ofFleet = RetryDelay(first: 1, longest: 200, spread: 1)

  /// The delay after a further failure, s.
  package mutating func next() -> Double {
    defer { delay = min(delay * 2, longest) }
    return delay * (1 + spread * Double.random(in: -0.5...0.5))
  }

  /// Starts again with the first delay: the attempt has succeeded.
  package mutating func reset() { delay = first }
}
