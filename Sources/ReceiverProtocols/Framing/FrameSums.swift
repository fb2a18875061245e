/// The running checksums of all formats of binary frames; each takes memory once a frame of its
/// format may have begun.
struct FrameSums: Sendable {
  private static let longest = BinaryFormat.longestPayload + 8
  private var fletcher = RunningSums<FletcherSum>(longest: longest)
  private var crc24Q = RunningSums<CRCSum<CRC24Q>>(longest: 1023 + 6)
  private var crc16 = RunningSums<CRCSum<CRC16CCITT>>(longest: longest)
  private var crc32 = RunningSums<CRCSum<NovAtelCRC32>>(longest: BinaryFormat.longestFrame)
  private var words = RunningSums<WordSum>(longest: 2048)
  private var exclusiveOr = RunningSums<ExclusiveOrSum>(longest: longest)

  /// How many bytes have entered the checksums, false starts included.
  var addedBytes: Int64 {
    fletcher.addedBytes + crc24Q.addedBytes + crc16.addedBytes + crc32.addedBytes
      + words.addedBytes + exclusiveOr.addedBytes
  }

  /// Discards the sums, because the bytes have other positions now.
  mutating func bytesMoved() {
    fletcher.bytesMoved()
    crc24Q.bytesMoved()
    crc16.bytesMoved()
    crc32.bytesMoved()
    words.bytesMoved()
    exclusiveOr.bytesMoved()
  }

  /// True where the checksum of a frame of at least its format's shortest length is valid.
  mutating func holds(_ format: BinaryFormat, _ frame: Range<Int>, in bytes: [UInt8]) -> Bool {
    let (start, end) = (frame.lowerBound, frame.upperBound)
    switch format {
    case .ubx, .allystar:
      // Class, id, length and payload.
      let summed = start + 2..<end - 2
      let (before, after) = fletcher.ends(of: summed, in: bytes)
      return after.checksum(since: before, count: summed.count) == (bytes[end - 2], bytes[end - 1])
    case .rtcm3:
      let (before, after) = crc24Q.ends(of: frame, in: bytes)
      return before.remainder == after.remainder
    case .sbf:
      // The CRC stands before the bytes that it covers, its lower byte first.
      let (before, sum) = crc16.ends(of: start + 4..<end, in: bytes)
      var after = sum
      after.add(bytes[start + 3])
      after.add(bytes[start + 2])
      return before.remainder == after.remainder
    case .binaryLog:
      let (before, after) = crc32.ends(of: frame, in: bytes)
      return before.remainder == after.remainder
    case .casic:
      let (before, after) = words.ends(of: start + 6..<end - 4, in: bytes)
      let head = UInt32(bytes[start + 5]) << 24 &+ UInt32(bytes[start + 4]) << 16
      let length = UInt32(bytes[start + 3]) << 8 | UInt32(bytes[start + 2])
      return head &+ length &+ after.sum(since: before) == Self.littleWord(bytes, end - 4)
    case .skyTraq:
      let (before, after) = exclusiveOr.ends(of: start + 4..<end - 3, in: bytes)
      return before.sum ^ after.sum == bytes[end - 3] && bytes[end - 2] == 0x0D
        && bytes[end - 1] == 0x0A
    }
  }

  private static func littleWord(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16
      | UInt32(bytes[offset + 3]) << 24
  }
}
