/// The result of a reader that throws one type of error.
func outcome<Value, Fault: Error>(
  _ read: () throws(Fault) -> Value
) -> Result<Value, Fault> {
  do throws(Fault) {
    return .success(try read())
  } catch {
    return .failure(error)
  }
}

/// Checks that a line of an error is one of the input's.
func expectLine(_ line: Int, of input: UnsafeRawBufferPointer) throws(Violation) {
  // YAML also ends a line by a carriage return, by U+0085 and by U+2028 and U+2029.
  let lines = 2 + input.count { $0 == 0x0A || $0 == 0x0D || $0 == 0x85 || $0 == 0xA8 || $0 == 0xA9 }
  try expect((1...lines).contains(line), "line \(line) of \(lines)")
}
