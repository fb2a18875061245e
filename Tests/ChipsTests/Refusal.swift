import Chips

/// The fault that a call ends with; nil where it does not.
///
/// `#expect(throws:)` gives the error back from Swift 6.1 on only.
func refusal(_ call: () throws -> Void) -> ChipError? {
  do {
    try call()
    return nil
  } catch {
    return error as? ChipError
  }
}
