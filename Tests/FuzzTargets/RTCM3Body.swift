import ReceiverProtocols

/// RTCM 3 framing: every valid frame is found, between any bytes that do not start a frame.
struct RTCM3Body: FuzzBody {
  private var framer = ReceiverFramer()

  /// The same as for the framer.
  var mostHeldBytes: Int { 393_216 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    // The input as a stream: every frame has a valid checksum.
    var framer = ReceiverFramer()
    var found = Frame.all(in: input, &framer) + Frame.atEnd(&framer)
    for frame in found { try frame.check() }
    // The input as a plan: payloads of its bytes, separated by bytes that do not start a frame.
    let (stream, sent) = Self.stream(input)
    framer = ReceiverFramer()
    found = stream.withUnsafeBytes { Frame.all(in: $0, &framer) } + Frame.atEnd(&framer)
    let frames = found.filter { $0.kind == .rtcm3 }.map(\.bytes)
    try expect(frames == sent, "\(frames.count) of \(sent.count) frames were found")
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    var rest = input[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while framer.next() != nil {}
    }
  }

  /// Reads a length of two bytes, the payload, and the bytes before the next frame.
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
  private static let starts: [UInt8] =
    [0xB5, 0xD3, 0xAA, 0xBA, 0xA0] + "$!#+".utf8
}
