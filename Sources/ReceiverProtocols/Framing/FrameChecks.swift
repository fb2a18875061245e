/// The checksum characters of sentences.
enum FrameChecks {
  /// Exclusive or of all bytes.
  /// - Source: NMEA 0183 (IEC 61162-1), "checksum field".
  static func exclusiveOr(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt8 {
    var sum: UInt8 = 0
    for i in range { sum ^= bytes[i] }
    return sum
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
