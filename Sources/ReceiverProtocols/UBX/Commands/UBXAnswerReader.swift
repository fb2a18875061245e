/// Extracts the answers to commands from a receiver's byte stream and skips all other bytes.
///
/// It receives the same bytes as the decoder, but only while answers are expected.
public struct UBXAnswerReader: Sendable {
  private var framer = ReceiverFramer()

  /// Makes a reader at the start of a stream.
  public init() {}

  /// Reads the next bytes and calls `body` with each answer that they complete.
  public mutating func push(_ bytes: UnsafeRawBufferPointer, _ body: (UBXAnswer) -> Void) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while let frame = framer.next() {
        guard frame.kind == .ubx else { continue }
        let answer = framer.withBytes(of: frame) { bytes -> UBXAnswer? in
          let name = UBXMessageName(bytes[2], bytes[3])
          return UBXAnswer(name, payload: Array(bytes[6..<bytes.count - 2]))
        }
        if let answer { body(answer) }
      }
    }
  }
}
