/// Picks the answers to commands out of a receiver's bytes, whatever lies between them.
///
/// It listens beside the decoder of the same bytes, only while answers are expected.
public struct UBXAnswerReader: Sendable {
  private var framer = ReceiverFramer()

  /// Makes a reader that has seen nothing.
  public init() {}

  /// Takes the next bytes and calls `body` with each answer that they complete.
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
