import Chips

/// The fault thrown by a call; nil for none.
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
