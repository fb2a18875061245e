/// The checksums of sentences and frames.
enum FrameChecks {
  /// Exclusive or of all bytes.
  /// - Source: NMEA 0183 (IEC 61162-1), "checksum field".
  static func exclusiveOr(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt8 {
    var sum: UInt8 = 0
    for i in range { sum ^= bytes[i] }
    return sum
  }

  /// True where the UBX frame's last two bytes are the Fletcher sums of class, id, length and
  /// payload.
  /// - Source: u-blox M8 receiver description, UBX-13003221, section 32.4 "UBX checksum".
  static func ubxHolds(_ bytes: UnsafeBufferPointer<UInt8>, _ frame: Range<Int>) -> Bool {
    var (a, b): (UInt8, UInt8) = (0, 0)
    for i in frame.lowerBound + 2..<frame.upperBound - 2 {
      a &+= bytes[i]
      b &+= a
    }
    return a == bytes[frame.upperBound - 2] && b == bytes[frame.upperBound - 1]
  }

  /// True where the CRC-24Q over an RTCM 3 frame, including its own three bytes, is zero.
  /// - Source: RTCM 10403.x, section 4 "Transport layer"; polynomial 0x1864CFB.
  static func rtcm3Holds(_ bytes: UnsafeBufferPointer<UInt8>, _ frame: Range<Int>) -> Bool {
    var remainder: UInt32 = 0
    for i in frame {
      remainder ^= UInt32(bytes[i]) << 16
      for _ in 0..<8 {
        remainder <<= 1
        if remainder & 0x100_0000 != 0 { remainder ^= 0x186_4CFB }
      }
    }
    return remainder == 0
  }

  /// The value of a hexadecimal digit of either case.
  static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
