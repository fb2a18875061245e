/// Counts of a decoder's messages and rejections: they distinguish a wrong baud rate, a noisy line
/// and a receiver without data.
public struct SentenceCounts: Equatable, Sendable {
  /// Decoded sentences and logs in ASCII.
  public internal(set) var accepted: Int64 = 0
  /// Valid sentences and logs in ASCII of an unregistered type.
  public internal(set) var unregistered: Int64 = 0
  /// Sentences with a wrong checksum.
  public internal(set) var badChecksum: Int64 = 0
  /// Sentences without a checksum or without their last fields.
  public internal(set) var missingChecksum: Int64 = 0
  /// Truncated sentences.
  public internal(set) var cut: Int64 = 0
  /// Sentences beyond `ReceiverFramer.longestSentence`.
  public internal(set) var tooLong: Int64 = 0
  /// Sentences with too few fields.
  public internal(set) var malformed: Int64 = 0
  /// Fields of accepted sentences with an invalid value.
  public internal(set) var unreadableFields: Int64 = 0
  /// UBX frames with a valid checksum.
  public internal(set) var ubxFrames: Int64 = 0
  /// Of these, frames of an unregistered type.
  public internal(set) var unregisteredUBX: Int64 = 0
  /// Of these, frames shorter than their layout or with contradictory parts.
  public internal(set) var malformedUBX: Int64 = 0
  /// Binary frames of other protocols (SBF, NovAtel, Unicore, CASIC, SkyTraq) with a valid checksum.
  public internal(set) var otherFrames: Int64 = 0
  /// Of these, frames of an unregistered type.
  public internal(set) var unregisteredOther: Int64 = 0
  /// Of these, frames shorter than their layout.
  public internal(set) var malformedOther: Int64 = 0
  /// RTCM 3 frames with a valid checksum.
  public internal(set) var rtcm3Frames: Int64 = 0
  /// The types of the messages that are not decoded: those of `unregistered`, `unregisteredUBX` and
  /// `unregisteredOther`.
  public internal(set) var undecoded = UndecodedMessages()
  /// Bytes outside any frame, except line ends.
  public internal(set) var noiseBytes: Int64 = 0

  /// Sentences and frames with a valid checksum.
  public var valid: Int64 { accepted + unregistered + binaryFrames }

  /// Binary frames of all protocols with a valid checksum.
  public var binaryFrames: Int64 { ubxFrames + rtcm3Frames + otherFrames }

  /// Rejected sentences, all causes together.
  public var rejected: Int64 { badChecksum + missingChecksum + cut + tooLong + malformed }

  mutating func add(_ cause: SentenceRejection) {
    switch cause {
    case .badChecksum: badChecksum += 1
    case .missingChecksum: missingChecksum += 1
    case .cut: cut += 1
    case .tooLong: tooLong += 1
    case .malformed: malformed += 1
    }
  }

  mutating func addUBX(_ cause: UBXRejection?, type: UInt16) {
    ubxFrames += 1
    switch cause {
    case .unregistered:
      unregisteredUBX += 1
      undecoded.add(MessageKind(.ubx, number: type))
    case .malformed: malformedUBX += 1
    case nil: break
    }
  }
}
