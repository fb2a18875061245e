/// Why text is not the JSON that was expected.
public struct JSONFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place in bytes from the start.
  public var offset: Int
  /// What is wrong there.
  public var reason: String

  /// Makes a fault with its reason.
  public init(at offset: Int, _ reason: String) { (self.offset, self.reason) = (offset, reason) }

  /// Makes a fault where something else was expected.
  public init(at offset: Int, expected: String) { self.init(at: offset, "expected \(expected)") }

  /// One line: the place and the reason.
  public var description: String { "byte \(offset): \(reason)" }
}
