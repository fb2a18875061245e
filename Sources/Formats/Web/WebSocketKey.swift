import FoundationEssentials

/// The key of a WebSocket's handshake and its answer, by which a WebSocket server is recognised.
/// - Source: RFC 6455, sections 1.3 and 4.
package enum WebSocketKey {
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// The answer of a server that has understood the key.
  package static func answer(to key: String) -> String {
    Data(sha1(Array((key + identifier).utf8))).base64EncodedString()
  }

  /// The hash that the handshake names; it protects nothing.
  /// - Source: FIPS 180-4, section 6.1.
  private static func sha1(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    bytes += bigEndian(UInt64(message.count) * 8)
    var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for start in stride(from: 0, to: bytes.count, by: 64) {
      var words = stride(from: start, to: start + 64, by: 4).map { place in
        bytes[place..<(place + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      for place in 16..<80 {
        let mixed = words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16]
        words.append(rotate(mixed, 1))
      }
      var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
      for (place, word) in words.enumerated() {
        let (mixed, constant): (UInt32, UInt32) =
          switch place / 20 {
          case 0: (b & c | ~b & d, 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = rotate(a, 5) &+ mixed &+ e &+ constant &+ word
        (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
      }
      for (place, value) in [a, b, c, d, e].enumerated() { hash[place] &+= value }
    }
    return hash.flatMap { bigEndian($0) }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static func bigEndian<Word: FixedWidthInteger>(_ word: Word) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }
}
