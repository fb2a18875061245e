/// What a decoder has met: enough to tell a wrong baud rate from a noisy line from a silent receiver.
public struct SentenceCounts: Equatable, Sendable {
  /// Sentences decoded.
  public internal(set) var accepted: Int64 = 0
  /// Sound sentences of a type that is not registered.
  public internal(set) var unregistered: Int64 = 0
  /// Checksum wrong.
  public internal(set) var badChecksum: Int64 = 0
  /// Checksum or end missing.
  public internal(set) var missingChecksum: Int64 = 0
  /// Broken off.
  public internal(set) var cut: Int64 = 0
  /// Longer than any sentence.
  public internal(set) var tooLong: Int64 = 0
  /// Too few fields.
  public internal(set) var malformed: Int64 = 0
  /// Fields of accepted sentences that held something else than they should.
  public internal(set) var unreadableFields: Int64 = 0
  /// UBX frames with a good checksum.
  public internal(set) var ubxFrames: Int64 = 0
  /// Those of them whose type is not registered.
  public internal(set) var unregisteredUBX: Int64 = 0
  /// Those of them that are shorter than their type, or contradict themselves.
  public internal(set) var malformedUBX: Int64 = 0
  /// RTCM 3 frames with a good checksum.
  public internal(set) var rtcm3Frames: Int64 = 0
  /// Bytes outside any frame, line ends apart.
  public internal(set) var noiseBytes: Int64 = 0

  /// Sentences not taken, all causes together.
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

  mutating func addUBX(_ cause: UBXRejection?) {
    ubxFrames += 1
    switch cause {
    case .unregistered: unregisteredUBX += 1
    case .malformed: malformedUBX += 1
    case nil: break
    }
  }
}
