import ReceiverProtocols

/// RTCM 3 framing: every frame that a caster could send comes out whole, between any harmless bytes.
struct RTCM3Body: FuzzBody {
  private var framer = ReceiverFramer()

  /// As the framer's.
  var mostHeldBytes: Int { 32_768 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    // The input's bytes as they are: a frame that comes out has its checksum.
    var framer = ReceiverFramer()
    var found = Frame.all(in: input, &framer) + Frame.atEnd(&framer)
    for frame in found { try frame.check() }
    // The input as a plan: payloads of its bytes, with bytes between that start nothing.
    let (stream, sent) = Self.stream(input)
    framer = ReceiverFramer()
    found = stream.withUnsafeBytes { Frame.all(in: $0, &framer) } + Frame.atEnd(&framer)
    let frames = found.filter { $0.kind == .rtcm3 }.map(\.bytes)
    try expect(frames == sent, "\(frames.count) frames came out of \(sent.count)")
  }

  mutating func goOn(_ input: UnsafeRawBufferPointer) {
    var rest = input[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while framer.next() != nil {}
    }
  }

  /// A length of two bytes, the payload, then a count of bytes between.
  private static func stream(_ input: UnsafeRawBufferPointer) -> ([UInt8], sent: [[UInt8]]) {
    var reader = InputReader(input)
    var (stream, sent): ([UInt8], [[UInt8]]) = ([], [])
    while !reader.isAtEnd {
      let length = Int(reader.byte() & 3) << 8 | Int(reader.byte())
      let frame = Frames.rtcm3(reader.some(length))
      sent.append(frame)
      stream += frame
      stream += reader.some(reader.choice(16)).map { starts.contains($0) ? 0 : $0 }
    }
    return (stream, sent)
  }

  /// The bytes that a frame or sentence can start with.
  private static let starts: [UInt8] = [0xB5, 0xD3, UInt8(ascii: "$"), UInt8(ascii: "!")]
}
