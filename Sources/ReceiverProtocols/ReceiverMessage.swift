/// One thing that a receiver said.
///
/// Views in it (UBX messages with repeated blocks, frames) may be used only while the closure runs that
/// got it.
public enum ReceiverMessage {
  /// A sentence, and who spoke it.
  case sentence(NMEASentence, Talker)
  /// A UBX message of a type that is known here.
  case ubx(UBXMessage, type: UInt16)
  /// A correction, to be passed on as it is.
  case rtcm3(RTCM3Frame)
  /// A piece of the stream that was not taken, whole: the cause, and its bytes.
  case rejected(SentenceRejection, bytes: UnsafeBufferPointer<UInt8>)
}

/// A view of one RTCM 3 frame whose checksum holds.
/// - Source: RTCM 10403.x, section 4 "Transport layer": preamble 0xD3, six reserved bits, ten of length,
///   payload, CRC-24Q; a message number is the payload's first twelve bits.
public struct RTCM3Frame {
  private static var header: Int { 3 }

  /// The frame from its preamble to its checksum.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// Which message it is, for instance 1005 for a station's place; nil where it has no payload.
  public var messageNumber: Int? {
    guard bytes.count >= Self.header + 2 + 3 else { return nil }
    return Int(bytes[Self.header]) << 4 | Int(bytes[Self.header + 1]) >> 4
  }
}
