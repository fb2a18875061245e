import HostProtocol

/// The lines of a connection's bytes.
enum Lines {
  /// Limit of a line, bytes: longer than the longest input that `Fuzz/run` makes.
  static let limit = 8192

  /// The lines of the input. Pieces of it must give the same lines.
  static func all(_ input: UnsafeRawBufferPointer) throws(Violation) -> [[UInt8]] {
    let whole = lines(input, cutAt: [])
    var generator = InputGenerator(input)
    let cuts = (0..<3).map { _ in Int.random(in: 0...input.count, using: &generator) }.sorted()
    try expect(lines(input, cutAt: cuts) == whole, "other lines where the bytes are cut at \(cuts)")
    return whole
  }

  private static func lines(_ input: UnsafeRawBufferPointer, cutAt cuts: [Int]) -> [[UInt8]] {
    var buffer = LineBuffer(limit: limit)
    var lines: [[UInt8]] = []
    var start = 0
    for end in cuts + [input.count] {
      buffer.append(UnsafeRawBufferPointer(rebasing: input[start..<end]))
      start = end
      read(from: &buffer) { lines.append(Array($0)) }
    }
    return lines
  }

  /// Takes the complete lines out of a buffer; a line beyond the limit empties it.
  static func read(from buffer: inout LineBuffer, _ body: (ArraySlice<UInt8>) -> Void) {
    do throws(LineBuffer.Overflow) {
      while let line = try buffer.next() { body(line) }
    } catch {
      buffer = LineBuffer(limit: limit)
    }
  }

  /// Checks the length of what is made from a line: an escaped character has six bytes for one, a
  /// coordinate of one digit has forty.
  static func checkLength(
    _ made: [UInt8], of line: [UInt8], beside constant: Int
  ) throws(Violation) {
    try expect(
      made.count <= 40 * line.count + constant,
      "\(made.count) bytes were made from \(line.count)")
  }

  /// Checks the message of a refusal: one line, not longer than useful.
  static func check(_ fault: HostFault, of line: [UInt8]) throws(Violation) {
    let scalars = fault.message.unicodeScalars
    try expect(!scalars.isEmpty && scalars.count < 500, "a message of \(scalars.count) characters")
    try expect(
      scalars.allSatisfy { $0.properties.generalCategory != .control },
      "a control character in the message: \(fault.message.debugDescription)")
  }
}
