/// A value of the program whose type is not Sendable.
struct ProgramValue<Value>: @unchecked Sendable {
  // Unchecked: it is used where the program's delegate or handler is called, and passed on elsewhere.
  var value: Value
}
