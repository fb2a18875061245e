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
    /// An SBF block with a valid checksum.
    case sbf
    /// A log of NovAtel or Unicore in ASCII with a valid checksum.
    case log
    /// A log of NovAtel or Unicore in binary with a valid checksum.
    case binaryLog
    /// A CASIC frame with a valid checksum.
    case casic
    /// A SkyTraq frame with a valid checksum.
    case skyTraq
    /// An Allystar frame with a valid checksum.
    case allystar
    /// A rejected sentence, with the cause.
    case rejected(SentenceRejection)
  }

  /// The type of the piece.
  public let kind: Kind
  /// Its range in the framer's buffer; for a sentence or a log from the address to before the `*`.
  let range: Range<Int>
}

extension ReceiverFrame.Kind {
  init(_ format: BinaryFormat) {
    self =
      switch format {
      case .ubx: .ubx
      case .rtcm3: .rtcm3
      case .sbf: .sbf
      case .binaryLog: .binaryLog
      case .casic: .casic
      case .skyTraq: .skyTraq
      case .allystar: .allystar
      }
  }

  /// True for a binary frame.
  public var isBinary: Bool {
    switch self {
    case .ubx, .rtcm3, .sbf, .binaryLog, .casic, .skyTraq, .allystar: true
    case .sentence, .uncheckedSentence, .log, .rejected: false
    }
  }
}

/// The cause of a sentence's rejection.
public enum SentenceRejection: Error, CaseIterable, Sendable {
  /// The characters after `*` do not match the sentence or log, or are not hexadecimal digits.
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
