/// A UBX message to a receiver: class, number and payload.
///
/// - Source: frame of u-blox receiver protocols: ZED-F9P interface description, UBX-18010854 R04,
///   sections 5.2 "UBX Frame Structure" and 5.4 "UBX Checksum"; checked with pyubx2 1.4.0.
public struct UBXCommand: Equatable, Sendable {
  /// The message's class and number within it, high byte and low byte.
  public let name: UBXMessageName
  /// The bytes between length and checksum.
  public let payload: [UInt8]

  /// Makes a command from an encoded payload.
  public init(_ name: UBXMessageName, payload: [UInt8] = []) {
    self.name = name
    self.payload = payload
  }

  /// The whole frame with synchronisation bytes and checksum.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = [0xB5, 0x62, name.messageClass, name.number]
    bytes.appendLittleEndian(UInt16(truncatingIfNeeded: payload.count))
    bytes += payload
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in bytes[2...] {
      a &+= byte
      b &+= a
    }
    return bytes + [a, b]
  }
}

/// The identifier of a message: class and number within the class.
public struct UBXMessageName: Hashable, Sendable {
  /// The class, such as 0x06 for configuration.
  public let messageClass: UInt8
  /// The number within the class.
  public let number: UInt8

  /// Names a message.
  public init(_ messageClass: UInt8, _ number: UInt8) {
    self.messageClass = messageClass
    self.number = number
  }

  static var notAcknowledged: Self { Self(0x05, 0x00) }
  static var acknowledged: Self { Self(0x05, 0x01) }
  static var version: Self { Self(0x0A, 0x04) }
  static var powerRequest: Self { Self(0x02, 0x41) }
  static var port: Self { Self(0x06, 0x00) }
  static var messageRate: Self { Self(0x06, 0x01) }
  static var reset: Self { Self(0x06, 0x04) }
  static var rate: Self { Self(0x06, 0x08) }
  static var storage: Self { Self(0x06, 0x09) }
  static var navigation: Self { Self(0x06, 0x24) }
  static var timeMode2: Self { Self(0x06, 0x3D) }
  static var systems: Self { Self(0x06, 0x3E) }
  static var timeMode3: Self { Self(0x06, 0x71) }
  static var setValues: Self { Self(0x06, 0x8A) }
  static var getValues: Self { Self(0x06, 0x8B) }
  static var deleteValues: Self { Self(0x06, 0x8C) }
}

extension Array where Element == UInt8 {
  mutating func appendLittleEndian(_ value: UInt16) { append(UInt64(value), bytes: 2) }
  mutating func appendLittleEndian(_ value: UInt32) { append(UInt64(value), bytes: 4) }

  /// Appends the low bytes of a value, the lowest first.
  mutating func append(_ value: UInt64, bytes: Int) {
    for place in 0..<bytes { append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
  }

  /// The little-endian number at `offset`, which must lie within the array.
  func littleEndian(at offset: Int, bytes: Int) -> UInt64 {
    var value: UInt64 = 0
    for place in 0..<bytes { value |= UInt64(self[offset + place]) << (8 * UInt64(place)) }
    return value
  }
}
