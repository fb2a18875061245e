/// One message of a receiver, or a rejected piece of its stream.
///
/// Views in it (UBX messages with repeated blocks, frames) are valid only inside the closure that
/// receives it.
public enum ReceiverMessage {
  /// A sentence and its talker.
  case sentence(NMEASentence, Talker)
  /// A UBX message of a registered type.
  case ubx(UBXMessage, type: UInt16)
  /// A message of SBF, NovAtel, Unicore, CASIC, SkyTraq or Allystar that is decoded.
  case record(SolutionRecord)
  /// A correction frame, to be forwarded unchanged.
  case rtcm3(RTCM3Frame)
  /// A rejected piece of the stream: the cause and all its bytes.
  case rejected(SentenceRejection, bytes: UnsafeBufferPointer<UInt8>)
}

/// A view of one RTCM 3 frame with a valid checksum.
/// - Source: RTCM 10403.x, section 4 "Transport layer": preamble 0xD3, six reserved bits, ten of
///   length, payload, CRC-24Q; a message number is the payload's first twelve bits.
public struct RTCM3Frame {
  private static var header: Int { 3 }

  /// The frame from its preamble to its checksum.
  public let bytes: UnsafeBufferPointer<UInt8>

  /// The message number, for instance 1005 for a station's position; nil without a payload.
  public var messageNumber: Int? {
    guard bytes.count >= Self.header + 2 + 3 else { return nil }
    return Int(bytes[Self.header]) << 4 | Int(bytes[Self.header + 1]) >> 4
  }
}
