/// One piece of a receiver's stream whose beginning and end are known.
public struct ReceiverFrame: Equatable, Sendable {
  /// What the piece turned out to be.
  public enum Kind: Equatable, Sendable {
    /// An NMEA 0183 sentence whose checksum holds.
    case sentence
    /// An NMEA 0183 sentence that ended in CR or LF without a checksum.
    case uncheckedSentence
    /// A UBX frame whose checksum holds.
    case ubx
    /// An RTCM 3 frame whose checksum holds.
    case rtcm3
    /// Bytes given up as a sentence, with the cause.
    case rejected(SentenceRejection)
  }

  /// What the piece turned out to be.
  public let kind: Kind
  /// Where it lies in the framer's buffer. Of a sentence: from the address to before the `*`.
  let range: Range<Int>
}

/// Why a sentence was not taken.
public enum SentenceRejection: Error, CaseIterable, Sendable {
  /// The two digits after `*` do not match the sentence, or are no digits.
  case badChecksum
  /// No checksum, from a receiver that sends one with this sentence; or the sentence is not whole.
  case missingChecksum
  /// It broke off: another `$`, a control or a non-ASCII byte came before its end.
  case cut
  /// It grew past `ReceiverFramer.longestSentence`.
  case tooLong
  /// Too few fields for what its address says it is.
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
