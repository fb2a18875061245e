/// A promise of a decoder that an input broke.
public struct Violation: Error, CustomStringConvertible, Sendable {
  /// Which promise, with the figures.
  public let description: String

  /// Makes a violation.
  public init(_ description: String) { self.description = description }
}

/// Throws where a promise is broken.
func expect(
  _ holds: Bool, _ promise: @autoclosure () -> String
) throws(Violation) {
  if !holds { throw Violation(promise()) }
}
