import Quantities
import ReceiverProtocols

/// The UBX decoder: any payload of any type is a message with values in range, or is rejected.
struct UBXBody: FuzzBody {
  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    // The input as a stream: the decoder accepts every frame of the framer.
    var framer = ReceiverFramer()
    let frames = Frame.all(in: input, &framer) + Frame.atEnd(&framer)
    for frame in frames where frame.kind == .ubx { try Self.decode(frame.bytes) }
    // The input as one payload: mutations usually make a frame's length wrong, so the frame is
    // rebuilt.
    guard input.count >= 8, input[0] == 0xB5, input[1] == 0x62 else { return }
    try Self.decode(Frames.ubx(input[2], input[3], Array(input[6..<(input.count - 2)])))
  }

  private static func decode(_ bytes: [UInt8]) throws(Violation) {
    var violation: Violation?
    bytes.withUnsafeBufferPointer { bytes in
      do throws(Violation) {
        guard let frame = UBXFrame(bytes) else { throw Violation("a valid frame is rejected") }
        try expect(frame.payload.count == bytes.count - 8, "payload of \(frame.payload.count)")
        if let message = Self.message(frame) { try message.check() }
      } catch {
        violation = error
      }
    }
    if let violation { throw violation }
  }

  private static func message(_ frame: UBXFrame) -> UBXMessage? {
    do throws(UBXRejection) {
      return try UBXMessage(frame)
    } catch {
      return nil
    }
  }
}
