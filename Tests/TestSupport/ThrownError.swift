/// The error that an expression throws, for a look at its content: `#expect(throws:)` returns it
/// only since Swift 6.1.
/// - Parameters:
///   - type: The expected type.
///   - body: The expression.
/// - Returns: nil where nothing, or an error of another type, is thrown.
public func thrownError<Failure: Error, Result>(
  _ type: Failure.Type, _ body: () throws -> Result
) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}
