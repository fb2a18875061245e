/// A value of the program whose type is not Sendable.
package struct ProgramValue<Value>: @unchecked Sendable {
  // Unchecked: it is used where the program's delegate or handler is called, and passed on
  // elsewhere.
  package var value: Value

  package init(value: Value) { self.value = value }
}
