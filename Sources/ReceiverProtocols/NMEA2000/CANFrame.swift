/// A data frame of a CAN bus with a 29-bit identifier, as NMEA 2000 uses it.
public struct CANFrame: Hashable, Sendable {
  /// The size of the kernel's `struct can_frame`, bytes.
  public static var size: Int { 16 }
  /// The greatest number of data bytes.
  public static var mostBytes: Int { 8 }

  /// The 29 bits of the identifier.
  public let identifier: UInt32
  /// The number of data bytes, 0 to 8.
  public let count: Int
  /// The data, the first byte in the lowest bits; 0 after `count` bytes.
  private let data: UInt64

  /// Makes a frame; bytes after the eighth are dropped.
  public init(identifier: UInt32, _ bytes: some Sequence<UInt8>) {
    var (data, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      guard count < Self.mostBytes else { break }
      data |= UInt64(byte) << (8 * UInt64(count))
      count += 1
    }
    (self.identifier, self.count, self.data) = (identifier & Flag.identifier, count, data)
  }

  /// The data bytes.
  public var bytes: [UInt8] { (0..<count).map { self[$0] } }

  /// A data byte; 0 outside of the frame.
  subscript(_ index: Int) -> UInt8 {
    (0..<Self.mostBytes).contains(index) ? UInt8(truncatingIfNeeded: data >> UInt64(8 * index)) : 0
  }

  /// - Source: Linux, `include/uapi/linux/can.h`.
  private enum Flag {
    static var extended: UInt32 { 0x8000_0000 }
    static var remoteOrError: UInt32 { 0x6000_0000 }
    static var identifier: UInt32 { 0x1FFF_FFFF }
  }

  /// Reads the kernel's `struct can_frame` of a little-endian machine; nil for a frame without data
  /// (remote, error), with an 11-bit identifier, or with a length above eight bytes.
  public init?(kernel bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size, bytes[4] <= Self.mostBytes else { return nil }
    let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[$1]) << UInt32(8 * $1) }
    guard word & Flag.extended != 0, word & Flag.remoteOrError == 0 else { return nil }
    self.init(identifier: word, bytes[8..<8 + Int(bytes[4])])
  }

  /// The frame as the kernel's `struct can_frame` of a little-endian machine.
  public var kernelBytes: [UInt8] {
    let word = identifier | Flag.extended
    return (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
      + [UInt8(count), 0, 0, 0] + (0..<Self.mostBytes).map { self[$0] }
  }
}

/// Priority, parameter group number, source and destination of a message, which are the identifier
/// of its frames.
/// - Source: ISO 11783-3; canboat 9.0.0, "NMEA 2000 CAN ID".
public struct MessageHeader: Hashable, Sendable {
  /// The destination of messages for all devices.
  public static var everyone: UInt8 { 255 }
  /// The source of a device without an address.
  public static var noAddress: UInt8 { 254 }

  /// 0, sent before all others, to 7.
  public var priority: UInt8
  /// The parameter group number, 18 bits.
  public var pgn: UInt32
  /// The address of the sender.
  public var source: UInt8
  /// The address of the receiver; 255 for all.
  public var destination: UInt8

  /// Makes a header.
  public init(
    priority: UInt8, pgn: UInt32, source: UInt8, destination: UInt8 = MessageHeader.everyone
  ) {
    (self.priority, self.pgn) = (priority & 7, pgn & 0x3FFFF)
    (self.source, self.destination) = (source, destination)
  }

  /// Reads an identifier.
  public init(_ identifier: UInt32) {
    let number = identifier >> 8 & 0x3FFFF
    let isAddressed = number >> 8 & 0xFF < Self.firstBroadcastFormat
    self.init(
      priority: UInt8(truncatingIfNeeded: identifier >> 26),
      pgn: isAddressed ? number & 0x3FF00 : number,
      source: UInt8(truncatingIfNeeded: identifier),
      destination: isAddressed ? UInt8(truncatingIfNeeded: number) : Self.everyone)
  }

  /// The 29 bits of the identifier.
  public var identifier: UInt32 {
    let number = isAddressed ? pgn & 0x3FF00 | UInt32(destination) : pgn
    return UInt32(priority) << 26 | number << 8 | UInt32(source)
  }

  /// Whether messages of this parameter group have a destination.
  private var isAddressed: Bool { pgn >> 8 & 0xFF < Self.firstBroadcastFormat }
  /// The second byte of a parameter group number from which on its messages are for all devices.
  private static var firstBroadcastFormat: UInt32 { 240 }
}
