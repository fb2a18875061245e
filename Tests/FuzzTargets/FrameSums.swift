/// Checksums by other algorithms than those of the decoders, so that a common error is unlikely.
enum FrameSums {
  /// Exclusive or of a sentence's bytes between `$` and `*`.
  static func exclusiveOr(_ bytes: some Sequence<UInt8>) -> UInt8 { bytes.reduce(0, ^) }

  /// Fletcher's two sums; in the second, each byte is weighted by the number of bytes from it to
  /// the end.
  static func fletcher(_ bytes: some Collection<UInt8>) -> (UInt8, UInt8) {
    var (plain, weighted) = (0, 0)
    var weight = bytes.count
    for byte in bytes {
      plain += Int(byte)
      weighted += Int(byte) * weight
      weight -= 1
    }
    return (UInt8(plain & 0xFF), UInt8(weighted & 0xFF))
  }

  /// CRC-24Q by a table of the 256 leading bytes.
  /// - Source: RTCM 10403.x, section 4; polynomial 0x1864CFB.
  static func crc24Q(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { sum, byte in
      (sum << 8 & 0xFF_FFFF) ^ table[Int(UInt8(truncatingIfNeeded: sum >> 16) ^ byte)]
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var sum = UInt32(index) << 16
    for _ in 0..<8 { sum = sum & 0x80_0000 == 0 ? sum << 1 : (sum << 1) ^ 0x86_4CFB }
    return sum & 0xFF_FFFF
  }

  /// The CRC of SBF by long division.
  static func crc16(_ bytes: some Sequence<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in
        sum & 0x8000 == 0 ? sum << 1 : (sum << 1) ^ 0x1021
      }
    }
  }

  /// The CRC of logs of NovAtel by long division.
  static func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320
      }
    }
  }

  /// The sum of little-endian words, as of CASIC.
  static func words(_ bytes: some Collection<UInt8>) -> UInt32 {
    var (sum, offset): (UInt32, UInt32) = (0, 0)
    for byte in bytes {
      sum &+= UInt32(byte) << (offset % 4 * 8)
      offset += 1
    }
    return sum
  }
}
