/// A view of one UBX frame whose checksum holds.
///
/// It owns nothing: it, and every view made from it, may be used only while the closure runs that got
/// the bytes.
/// - Source: u-blox M8 receiver description UBX-13003221, "UBX frame structure".
public struct UBXFrame {
  /// Bytes around a payload: two of synchronisation, class, id, two of length, two of checksum.
  static var overhead: Int { 8 }
  private static var header: Int { 6 }

  /// The family that the message belongs to: 0x01 navigation, 0x0A monitoring, ….
  public let messageClass: UInt8
  /// The message within its class.
  public let messageID: UInt8
  /// What lies between the length and the checksum.
  public let payload: UnsafeBufferPointer<UInt8>

  /// Makes a view of the bytes from 0xB5 to the last of the checksum, which is not computed again.
  /// - Returns: nil where the bytes are too few, begin otherwise or do not match their length field.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= Self.overhead, bytes[0] == 0xB5, bytes[1] == 0x62 else { return nil }
    let length = Int(bytes[4]) | Int(bytes[5]) << 8
    guard bytes.count == length + Self.overhead else { return nil }
    messageClass = bytes[2]
    messageID = bytes[3]
    payload = UnsafeBufferPointer(rebasing: bytes[Self.header..<Self.header + length])
  }

  /// Class and id as one number, as the message table counts: class times 256 plus id.
  public var type: UInt16 { UInt16(messageClass) << 8 | UInt16(messageID) }
}
