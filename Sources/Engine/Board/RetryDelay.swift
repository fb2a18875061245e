/// How long to wait before a server is tried again: one second at first, twice as long each time, half a
/// minute at most; from the start again once it has answered.
package struct RetryDelay {
  private static let (first, longest) = (1.0, 30.0)
  private var coming = first

  package init() {}

  /// The wait after a further failure, s.
  package mutating func next() -> Double {
    defer { coming = min(coming * 2, Self.longest) }
    return coming
  }

  /// The server has answered.
  package mutating func reset() { coming = Self.first }
}
