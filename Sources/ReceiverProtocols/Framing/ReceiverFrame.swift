/// A delimited piece of a receiver's stream.
public struct ReceiverFrame: Equatable, Sendable {
  /// The type of a piece.
  public enum Kind: Equatable, Sendable {
    /// An NMEA 0183 sentence with a valid checksum.
    case sentence
    /// An NMEA 0183 sentence that ended in CR or LF without a checksum.
    case uncheckedSentence
    /// A UBX frame with a valid checksum.
    case ubx
    /// An RTCM 3 frame with a valid checksum.
    case rtcm3
    /// A rejected sentence, with the cause.
    case rejected(SentenceRejection)
  }

  /// The type of the piece.
  public let kind: Kind
  /// Its range in the framer's buffer; for a sentence from the address to before the `*`.
  let range: Range<Int>
}

/// The cause of a sentence's rejection.
public enum SentenceRejection: Error, CaseIterable, Sendable {
  /// The two characters after `*` do not match the sentence, or are not hexadecimal digits.
  case badChecksum
  /// No checksum, from a receiver that sends one with this sentence; or the sentence is incomplete.
  case missingChecksum
  /// Truncated: another `$`, a control or a non-ASCII byte came before its end.
  case cut
  /// Longer than `ReceiverFramer.longestSentence`.
  case tooLong
  /// Fewer fields than its type requires.
  case malformed

  /// The cause in words.
  public var words: String {
    switch self {
    case .badChecksum: "bad checksum"
    case .missingChecksum: "no checksum"
    case .cut: "cut"
    case .tooLong: "too long"
    case .malformed: "malformed"
    }
  }
}
