import ReceiverProtocols

/// The framer: frames have valid checksums, and a valid sentence after any input is found.
struct FramerBody: FuzzBody {
  private var framer = ReceiverFramer()

  /// The buffer of 16 KiB, and 264 KiB of running checksums once all formats have begun.
  var mostHeldBytes: Int { 393_216 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var framer = ReceiverFramer()
    var frames = Frame.all(in: input, &framer)
    for frame in frames { try frame.check() }
    try expect(framer.noiseBytes >= 0, "noise bytes \(framer.noiseBytes)")
    let before = framer.noiseBytes
    // A line end and a sentence after the input. Only an incomplete binary frame may contain the
    // sentence, where its checksum happens to be valid.
    let planted = Frames.sentence("HCHDT,107.2,T")
    let line: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    frames = (line + planted).withUnsafeBytes { Frame.all(in: $0, &framer) }
    frames += Frame.atEnd(&framer)
    for frame in frames { try frame.check() }
    let body = planted[1..<(planted.count - 5)]
    let isFound = frames.contains { $0.kind == .sentence && $0.bytes.elementsEqual(body) }
    let isInFrame = frames.contains { $0.kind.isBinary }
    try expect(isFound || isInFrame, "the sentence after the input is lost")
    try expect(framer.noiseBytes >= before, "noise bytes decreased")
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    var rest = input[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while framer.next() != nil {}
    }
  }
}

/// A frame with its bytes; for a sentence those between `$` and `*`.
struct Frame: Equatable {
  let kind: ReceiverFrame.Kind
  let bytes: [UInt8]

  /// The frames that the bytes complete.
  static func all(in bytes: UnsafeRawBufferPointer, _ framer: inout ReceiverFramer) -> [Frame] {
    var frames: [Frame] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while let frame = framer.next() { frames.append(Frame(frame, framer)) }
    }
    return frames
  }

  /// The frames at the end of the stream.
  static func atEnd(_ framer: inout ReceiverFramer) -> [Frame] {
    var frames: [Frame] = []
    while let frame = framer.next(atEnd: true) { frames.append(Frame(frame, framer)) }
    return frames
  }

  init(_ frame: ReceiverFrame, _ framer: ReceiverFramer) {
    kind = frame.kind
    bytes = framer.withBytes(of: frame) { Array($0) }
  }

  /// Checks that the bytes agree with the kind.
  func check() throws(Violation) {
    switch kind {
    case .sentence, .uncheckedSentence:
      try expect(bytes.count <= ReceiverFramer.longestSentence, "a sentence of \(bytes.count)")
      try expect(
        bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "$") },
        "a sentence with a forbidden byte: \(bytes)")
    case .rejected:
      try expect(bytes.count <= ReceiverFramer.longestLog, "a reject of \(bytes.count)")
    case .log:
      try expect(bytes.count <= ReceiverFramer.longestLog, "a log of \(bytes.count)")
      try expect(
        bytes.contains(UInt8(ascii: ";")) && bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F },
        "a log with a forbidden byte: \(bytes)")
    case .sbf:
      try expect(bytes.count >= 16 && bytes[0] == 0x24 && bytes[1] == 0x40, "no SBF: \(bytes)")
      let length = Int(bytes[6]) | Int(bytes[7]) << 8
      try expect(bytes.count == length && length % 4 == 0, "SBF of \(bytes.count): \(length)")
      let (sum, received) = (
        FrameSums.crc16(bytes.dropFirst(4)), UInt16(bytes[2]) | UInt16(bytes[3]) << 8
      )
      try expect(sum == received, "SBF sum \(received) instead of \(sum)")
    case .binaryLog:
      try expect(bytes.count >= 16 && bytes[0] == 0xAA && bytes[1] == 0x44, "no log: \(bytes)")
      let received = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let sum = FrameSums.crc32(bytes.dropLast(4))
      try expect(sum == received, "sum of a log \(received) instead of \(sum)")
    case .casic:
      try expect(bytes.count >= 10 && bytes[0] == 0xBA && bytes[1] == 0xCE, "no CASIC: \(bytes)")
      let length = Int(bytes[2]) | Int(bytes[3]) << 8
      try expect(bytes.count == length + 10, "CASIC of \(bytes.count) bytes says \(length)")
      let received = bytes.suffix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let sum = FrameSums.words(bytes.dropFirst(2).dropLast(4))
      try expect(sum == received, "CASIC sum \(received) instead of \(sum)")
    case .skyTraq:
      try expect(bytes.count >= 7 && bytes[0] == 0xA0 && bytes[1] == 0xA1, "no SkyTraq: \(bytes)")
      let sum = FrameSums.exclusiveOr(bytes.dropFirst(4).dropLast(3))
      try expect(bytes.suffix(3) == [sum, 0x0D, 0x0A], "SkyTraq sum \(sum)")
    case .ubx: try checkFletcher("UBX", [0xB5, 0x62])
    case .allystar: try checkFletcher("Allystar", [0xF1, 0xD9])
    case .rtcm3:
      try expect(bytes.count >= 6 && bytes[0] == 0xD3, "no RTCM 3: \(bytes)")
      let length = Int(bytes[1] & 3) << 8 | Int(bytes[2])
      try expect(bytes.count == length + 6, "RTCM 3 of \(bytes.count) bytes says \(length)")
      let sum = FrameSums.crc24Q(bytes.dropLast(3))
      let received = bytes.suffix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      try expect(sum == received, "RTCM 3 sum \(received) instead of \(sum)")
    }
  }

  /// Checks a frame of UBX or Allystar.
  private func checkFletcher(_ name: String, _ start: [UInt8]) throws(Violation) {
    try expect(bytes.count >= 8 && Array(bytes.prefix(2)) == start, "no \(name): \(bytes)")
    let length = Int(bytes[4]) | Int(bytes[5]) << 8
    try expect(bytes.count == length + 8, "\(name) of \(bytes.count) bytes says \(length)")
    let sums = FrameSums.fletcher(bytes[2..<(bytes.count - 2)])
    try expect(sums == (bytes[bytes.count - 2], bytes[bytes.count - 1]), "\(name) sums \(sums)")
  }
}
