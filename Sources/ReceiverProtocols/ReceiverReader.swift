import Quantities

/// Converts a receiver's bytes to reports: `ReceiverDecoder` and `EpochAssembler` in one, without a
/// copy of each message between them.
public struct ReceiverReader: Sendable {
  private var decoder = ReceiverDecoder()
  private var assembler: EpochAssembler

  /// Makes a reader.
  /// - Parameter notBefore: a lower limit of the dates in the stream, as for `EpochAssembler`.
  public init(notBefore: CivilDate? = nil) { assembler = EpochAssembler(notBefore: notBefore) }

  /// Counts of the messages and rejections so far.
  public var counts: SentenceCounts { decoder.counts }

  /// Decodes the next bytes and calls `body` with each report that they complete.
  ///
  /// `timestamp` is when they were received. An epoch has that of its first message.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    assembler.now = timestamp
    decoder.push(bytes, into: &assembler, body)
  }

  /// Decodes the bytes of an incomplete binary frame and reports the open epoch, because the line
  /// is silent.
  public mutating func lineFellSilent(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    assembler.now = timestamp
    decoder.lineFellSilent(into: &assembler, body)
    assembler.lineFellSilent(body)
  }

  /// Decodes the buffered bytes and reports the last epoch at the end of the stream.
  public mutating func finish(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    assembler.now = timestamp
    decoder.finish(into: &assembler, body)
    assembler.finish(body)
  }
}

/// Receives the messages of a decoder and calls `body` with its output.
protocol MessageSink {
  associatedtype Output
  mutating func receive(_ sentence: NMEASentence, from talker: Talker, _ body: (Output) -> Void)
  mutating func receive(_ message: UBXMessage, type: UInt16, _ body: (Output) -> Void)
  mutating func receive(_ frame: RTCM3Frame, _ body: (Output) -> Void)
  mutating func receive(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Output) -> Void)
}

extension EpochAssembler: MessageSink {
  mutating func receive(
    _ sentence: NMEASentence, from talker: Talker, _ body: (ReceiverReport) -> Void
  ) {
    add(sentence, from: talker, at: now, body)
  }

  mutating func receive(_ message: UBXMessage, type: UInt16, _ body: (ReceiverReport) -> Void) {
    add(message, type: type, at: now, body)
  }

  func receive(_ frame: RTCM3Frame, _ body: (ReceiverReport) -> Void) {}
  func receive(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (ReceiverReport) -> Void
  ) {}
}

/// Forwards each message as a `ReceiverMessage`.
struct MessageRelay: MessageSink {
  func receive(_ sentence: NMEASentence, from talker: Talker, _ body: (ReceiverMessage) -> Void) {
    body(.sentence(sentence, talker))
  }
  func receive(_ message: UBXMessage, type: UInt16, _ body: (ReceiverMessage) -> Void) {
    body(.ubx(message, type: type))
  }
  func receive(_ frame: RTCM3Frame, _ body: (ReceiverMessage) -> Void) { body(.rtcm3(frame)) }
  func receive(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (ReceiverMessage) -> Void
  ) {
    body(.rejected(cause, bytes: bytes))
  }
}
