/// What went wrong, and the remedy.
public struct StudyError: Error, CustomStringConvertible {
  /// The line.
  public let description: String

  /// Makes an error of its line.
  public init(_ description: String) { self.description = description }
}
