import Foundation

/// The begin of a WebSocket.
/// - Source: RFC 6455, section 4.2.
enum WebSocketHandshake {
  /// The only version.
  static let version = "13"
  /// - Source: RFC 6455, section 1.3.
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
  /// The random bytes of a key.
  private static let keyCount = 16

  /// The answer that makes a connection a WebSocket.
  /// - Throws: `HTTPRefusal` for a request of another kind, after which the connection goes on.
  static func response(to request: HTTPRequest) throws(HTTPRefusal) -> HTTPResponse {
    let fields = request.fields
    guard request.method == "GET", request.isVersion11,
      fields.list("Upgrade", has: "websocket"), fields.list("Connection", has: "upgrade"),
      fields["Sec-WebSocket-Version"] == version
    else {
      throw HTTPRefusal(
        status: .upgradeRequired, reason: "only WebSockets of version \(version) are served here")
    }
    let keys = fields.values(of: "Sec-WebSocket-Key")
    guard keys.count == 1, Data(base64Encoded: keys[0])?.count == keyCount else {
      throw HTTPRefusal(status: .badRequest, reason: "the key of the WebSocket is none")
    }
    return HTTPResponse(
      .switchingProtocols,
      [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"),
        ("Sec-WebSocket-Accept", accept(keys[0])),
      ])
  }

  private static func accept(_ key: String) -> String {
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
