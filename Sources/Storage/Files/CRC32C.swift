/// The cyclic redundancy check of iSCSI: it detects every change within 32 neighbouring bits, so
/// every changed digit, and misses any other with a probability of 2^-32. It detects damage, not
/// forgery.
/// - Source: RFC 3720, 12.1 and B.4 (polynomial 0x1EDC6F41, reflected 0x82F63B78; test values).
package enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1
    }
  }

  /// The checksum of bytes.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
  }

  /// The checksum as eight hexadecimal digits.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    let hex = String(checksum(bytes), radix: 16)
    return String(repeating: "0", count: 8 - hex.count) + hex
  }
}
