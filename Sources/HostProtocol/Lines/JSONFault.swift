/// Why text is not the JSON that was expected.
public struct JSONFault: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where, in bytes from the line's start.
  public var offset: Int
  /// What was expected there.
  public var expected: String

  /// Makes a fault.
  public init(at offset: Int, expected: String) {
    self.offset = offset
    self.expected = expected
  }

  /// One line for people.
  public var description: String { "byte \(offset): expected \(expected)" }
}
