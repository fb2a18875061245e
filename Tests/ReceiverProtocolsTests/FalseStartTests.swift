import ReceiverProtocols
import TestSupport
import Testing

/// Binary frames among bytes that look like starts of frames.
@Suite("False starts of binary frames", .timeLimit(.minutes(30)))
struct FalseStartTests {
  /// The frames of a stream without sentences by the plain rule: at each byte the frame that begins
  /// there, if its checksum is valid, else the next byte.
  private func framesByPlainRule(_ bytes: [UInt8]) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var at = 0
    while at < bytes.count {
      if let count = lengthOfFrame(bytes[at...]), at + count <= bytes.count,
        isValid(bytes[at..<at + count])
      {
        frames.append(Array(bytes[at..<at + count]))
        at += count
      } else {
        at += 1
      }
    }
    return frames
  }

  private func lengthOfFrame(_ rest: ArraySlice<UInt8>) -> Int? {
    let b = Array(rest.prefix(6))
    if b.count >= 3, b[0] == 0xD3, b[1] < 4 { return Int(b[1]) * 256 + Int(b[2]) + 6 }
    guard b.count == 6, b[0] == 0xB5, b[1] == 0x62 else { return nil }
    let payload = Int(b[5]) * 256 + Int(b[4])
    return payload <= 4096 ? payload + 8 : nil
  }

  private func isValid(_ frame: ArraySlice<UInt8>) -> Bool {
    let frame = Array(frame)
    if frame[0] == 0xD3 { return remainder(frame) == 0 }
    return ubxFrame(Array(frame[2..<frame.count - 2])) == frame
  }

  /// CRC-24Q by long division.
  private func remainder(_ bytes: [UInt8]) -> UInt32 {
    var remainder: UInt32 = 0
    for byte in bytes {
      remainder ^= UInt32(byte) << 16
      for _ in 0..<8 {
        remainder = remainder << 1 ^ (remainder & 0x80_0000 != 0 ? 0x186_4CFB : 0)
      }
    }
    return remainder
  }

  private func rtcm3Frame(_ payload: [UInt8]) -> [UInt8] {
    let body = [0xD3, UInt8(payload.count >> 8), UInt8(payload.count & 255)] + payload
    let sum = remainder(body)
    return body + [UInt8(sum >> 16), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
  }

  /// A UBX frame around class, id, length and payload.
  private func ubxFrame(_ body: [UInt8]) -> [UInt8] {
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in body {
      a &+= byte
      b &+= a
    }
    return [0xB5, 0x62] + body + [a, b]
  }

  /// The frames that a framer finds in pieces of `size` bytes, and the framer at the end.
  private func frames(_ bytes: [UInt8], piece size: Int) -> (found: [[UInt8]], ReceiverFramer) {
    var framer = ReceiverFramer()
    var found: [[UInt8]] = []
    func read(atEnd: Bool) {
      while let frame = framer.next(atEnd: atEnd) {
        #expect(frame.kind == .ubx || frame.kind == .rtcm3)
        found.append(framer.withBytes(of: frame) { Array($0) })
      }
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + size)
      start += bytes[start..<end].withUnsafeBytes { framer.fill(from: $0) }
      read(atEnd: false)
    }
    read(atEnd: true)
    return (found, framer)
  }

  @Test("The same frames are found as by the plain rule", arguments: 1...6 as ClosedRange<UInt64>)
  func equality(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let noise: [UInt8] = [0xD3, 0xD3, 0, 1, 2, 3, 0xB5, 0x62, 0xB5, 0x62, 0x10, 0xFF]
    func random(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in noise[Int.random(in: 0..<noise.count, using: &generator)] }
    }
    var stream: [UInt8] = []
    var inserted = 0
    while stream.count < 60_000 {
      stream += random(Int.random(in: 0...300, using: &generator))
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        // A false start whose length covers the frames that follow.
        stream += [0xD3, 3, 0xFF]
      case 1: stream += [0xB5, 0x62, 1, 7, 0, 16]
      case 2:
        stream += rtcm3Frame(random(Int.random(in: 0...1023, using: &generator)))
        inserted += 1
      default:
        let count = Int.random(in: 0...600, using: &generator)
        let header: [UInt8] = [1, 7, UInt8(count & 255), UInt8(count >> 8)]
        stream += ubxFrame(header + random(count))
        inserted += 1
      }
    }
    let expected = framesByPlainRule(stream)
    #expect(expected.count > inserted / 2)
    for size in [1, 7, 512, 5000, stream.count] {
      #expect(frames(stream, piece: size).found == expected, "pieces of \(size)")
    }
  }

  @Test(
    "Checksums process each byte once, however many false starts cover it",
    arguments: [[0xD3, 0], [0xD3, 3], [0xD3, 3, 0xFF], [0xB5, 0x62, 1, 7, 0, 16]] as [[UInt8]])
  func work(pattern: [UInt8]) {
    let stream = (0..<200_000).map { pattern[$0 % pattern.count] }
    for size in [512, stream.count] {
      let (found, framer) = frames(stream, piece: size)
      #expect(found.isEmpty)
      // Moving the buffer's rest to its front repeats a part.
      #expect(framer.checkedBytes <= Int64(stream.count) * 3 / 2)
    }
  }

  @Test("Bytes that begin no frame enter no checksum")
  func preambles() {
    let (found, framer) = frames([UInt8](repeating: 0xD3, count: 50_000), piece: 512)
    #expect(found.isEmpty)
    #expect(framer.checkedBytes == 0)
    #expect(framer.noiseBytes == 50_000)
  }
}
