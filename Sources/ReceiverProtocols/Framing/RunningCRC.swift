/// The stream's bits, each times a power of x that decreases by one from bit to bit, modulo the
/// polynomial of a CRC that begins with zero.
///
/// The remainder of a part is the difference of the sums at its ends times a power of x. Since x
/// has an inverse modulo the polynomial, the remainder is zero exactly where the two sums are
/// equal.
struct CRCSum<Polynomial: CRCPolynomial>: RunningSum {
  typealias Register = Polynomial.Register
  private(set) var remainder: Register = 0
  /// The next bit's power of x.
  private var power: Register = 1

  mutating func add(_ byte: UInt8) {
    var bits = byte
    for _ in 0..<8 {
      let bit: UInt8
      if Polynomial.isLowestBitFirst {
        bit = bits & 1
        bits >>= 1
      } else {
        bit = bits >> 7
        bits <<= 1
      }
      remainder ^= power & (0 &- Register(bit))
      power = (power >> 1) ^ (Polynomial.inverse & (0 &- (power & 1)))
    }
  }
}

/// A polynomial of a CRC.
protocol CRCPolynomial: Sendable {
  associatedtype Register: FixedWidthInteger & UnsignedInteger & Sendable
  /// The polynomial divided by x, without its constant term: x to the power of minus one.
  static var inverse: Register { get }
  /// True where the lowest bit of each byte comes first.
  static var isLowestBitFirst: Bool { get }
}

/// - Source: RTCM 10403.x, section 4 "Transport layer"; polynomial 0x1864CFB.
enum CRC24Q: CRCPolynomial {
  static var inverse: UInt32 { 0x186_4CFB >> 1 }
  static var isLowestBitFirst: Bool { false }
}

/// - Source: Septentrio mosaic-X5 reference guide 4.14, section 4.1; polynomial 0x11021.
enum CRC16CCITT: CRCPolynomial {
  static var inverse: UInt16 { 0x8810 }
  static var isLowestBitFirst: Bool { false }
}

/// - Source: NovAtel OEM7 commands and logs, "32-bit CRC"; polynomial 0x104C11DB7, which NovAtel
///   prints in the order of its bits as 0xEDB88320.
enum NovAtelCRC32: CRCPolynomial {
  static var inverse: UInt32 { 0x8260_8EDB }
  static var isLowestBitFirst: Bool { true }

  /// The CRC of bytes in the order in which it is printed.
  static func checksum(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let reversed: UInt32 = 0xEDB8_8320
    var sum: UInt32 = 0
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = (sum >> 1) ^ (reversed & (0 &- (sum & 1))) }
    }
    return sum
  }
}
