/// The delay before the next attempt to connect: one second at first, doubled each time up to 30 s, and
/// one second again after an answer.
package struct RetryDelay {
  private static let (first, longest) = (1.0, 30.0)
  private var delay = first

  package init() {}

  /// The delay after a further failure, s.
  package mutating func next() -> Double {
    defer { delay = min(delay * 2, Self.longest) }
    return delay
  }

  /// Starts again at one second: the server has answered.
  package mutating func reset() { delay = Self.first }
}
