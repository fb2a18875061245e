/// An invariant of a decoder that an input has violated.
public struct Violation: Error, CustomStringConvertible, Sendable {
  /// The violated invariant, with the values.
  public let description: String

  /// Makes a violation.
  public init(_ description: String) { self.description = description }
}

/// Throws where an invariant is violated.
func expect(
  _ holds: Bool, _ violation: @autoclosure () -> String
) throws(Violation) {
  if !holds { throw Violation(violation()) }
}
