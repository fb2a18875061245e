/// A view of one UBX frame with a valid checksum.
///
/// It does not own its memory: it, and every view made from it, is valid only inside the closure
/// that receives the bytes.
/// - Source: u-blox M8 receiver description UBX-13003221, "UBX frame structure".
public struct UBXFrame {
  /// Bytes around a payload: two of synchronisation, class, id, two of length, two of checksum.
  static var overhead: Int { 8 }
  private static var header: Int { 6 }

  /// The class of the message: 0x01 navigation, 0x0A monitoring, ….
  public let messageClass: UInt8
  /// The message within its class.
  public let messageID: UInt8
  /// The bytes between the length and the checksum.
  public let payload: UnsafeBufferPointer<UInt8>

  /// Makes a view of the bytes from 0xB5 to the last of the checksum, which is not checked here.
  /// - Returns: nil where the bytes are too few, have other synchronisation bytes or do not match
  ///   their length field.
  public init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= Self.overhead, bytes[0] == 0xB5, bytes[1] == 0x62 else { return nil }
    let length = Int(bytes[4]) | Int(bytes[5]) << 8
    guard bytes.count == length + Self.overhead else { return nil }
    messageClass = bytes[2]
    messageID = bytes[3]
    payload = UnsafeBufferPointer(rebasing: bytes[Self.header..<Self.header + length])
  }

  /// Class times 256 plus id, as in the message table.
  public var type: UInt16 { UInt16(messageClass) << 8 | UInt16(messageID) }
}
