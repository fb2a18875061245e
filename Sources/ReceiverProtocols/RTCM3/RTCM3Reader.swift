/// Extracts RTCM 3 frames with a valid checksum from a byte stream and skips all other bytes.
public struct RTCM3Reader: Sendable {
  private var framer = ReceiverFramer()

  /// Makes a reader at the start of a stream.
  public init() {}

  /// Reads the next bytes and calls `body` with each frame that they complete: its message type
  /// (nil for a frame that is too short for one) and its bytes from the preamble to the checksum.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, _ body: (Int?, UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(framer.fill(from: UnsafeRawBufferPointer(rebasing: rest)))
      while let frame = framer.next() {
        guard frame.kind == .rtcm3 else { continue }
        framer.withBytes(of: frame) { body(Self.messageType($0), $0) }
      }
    }
  }

  /// The first twelve bits of the payload.
  /// - Source: RTCM 10403.x, data field DF002 "Message Number"; as pyrtcm and RTKLIB read it.
  private static func messageType(_ frame: UnsafeBufferPointer<UInt8>) -> Int? {
    // Three bytes of header, three of checksum.
    guard frame.count >= 3 + 2 + 3 else { return nil }
    return Int(frame[3]) << 4 | Int(frame[4] >> 4)
  }
}
