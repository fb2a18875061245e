/// The address of an access point's radio.
public struct BSSID: Hashable, Sendable {
  /// Six bytes in transmission order.
  public let bytes: [UInt8]

  /// Nil unless there are six bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 6 else { return nil }
    self.bytes = bytes
  }

  /// Reads text such as `00:1A:2b:00:00:01`; nil for invalid text.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let bytes = parts.compactMap { part in
      part.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
    }
    guard bytes.count == parts.count else { return nil }
    self.init(bytes)
  }

  /// Whether it is a vendor's address of one radio. A group address belongs to no radio, and a
  /// locally administered one is not unique: telephones that share their connection generate them.
  /// - Source: IEEE 802-2014, 8.2: the I/G bit and the U/L bit of the first byte.
  public var isUniversal: Bool { bytes[0] & 0x03 == 0 && bytes.contains { $0 != 0 } }
}

extension BSSID: CustomStringConvertible {
  /// Such as `00:1a:2b:00:00:01`.
  public var description: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}
