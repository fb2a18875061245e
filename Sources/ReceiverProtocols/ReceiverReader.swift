import Quantities

/// Receiver bytes in, reports out: `ReceiverDecoder` and `EpochAssembler` in one, without a message being
/// copied between them.
public struct ReceiverReader: Sendable {
  private var decoder = ReceiverDecoder()
  private var assembler: EpochAssembler

  /// Makes a reader.
  /// - Parameter notBefore: a day before which the stream cannot be, as `EpochAssembler` takes it.
  public init(notBefore: CivilDate? = nil) { assembler = EpochAssembler(notBefore: notBefore) }

  /// What has come in so far, the bad included.
  public var counts: SentenceCounts { decoder.counts }

  /// Takes the next bytes and calls `body` with what they complete.
  ///
  /// `timestamp` is when they came in; an epoch bears that of its first message.
  public mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void
  ) {
    assembler.now = timestamp
    decoder.push(bytes, into: &assembler, body)
  }

  /// Gives up a binary frame that has not ended and reports the open epoch: the line has fallen silent.
  public mutating func lineFellSilent(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    assembler.now = timestamp
    decoder.lineFellSilent(into: &assembler, body)
    assembler.lineFellSilent(body)
  }

  /// Reads what still waits, and closes the last epoch: the stream has ended.
  public mutating func finish(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    assembler.now = timestamp
    decoder.finish(into: &assembler, body)
    assembler.finish(body)
  }
}

/// Who takes the messages of a decoder, and calls `body` with what he makes of them.
protocol MessageSink {
  associatedtype Output
  mutating func take(_ sentence: NMEASentence, from talker: Talker, _ body: (Output) -> Void)
  mutating func take(_ message: UBXMessage, type: UInt16, _ body: (Output) -> Void)
  mutating func take(_ frame: RTCM3Frame, _ body: (Output) -> Void)
  mutating func take(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>, _ body: (Output) -> Void)
}

extension EpochAssembler: MessageSink {
  mutating func take(
    _ sentence: NMEASentence, from talker: Talker, _ body: (ReceiverReport) -> Void
  ) {
    add(sentence, from: talker, at: now, body)
  }

  mutating func take(_ message: UBXMessage, type: UInt16, _ body: (ReceiverReport) -> Void) {
    add(message, type: type, at: now, body)
  }

  func take(_ frame: RTCM3Frame, _ body: (ReceiverReport) -> Void) {}
  func take(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (ReceiverReport) -> Void
  ) {}
}

/// Makes messages of messages.
struct MessageRelay: MessageSink {
  func take(_ sentence: NMEASentence, from talker: Talker, _ body: (ReceiverMessage) -> Void) {
    body(.sentence(sentence, talker))
  }
  func take(_ message: UBXMessage, type: UInt16, _ body: (ReceiverMessage) -> Void) {
    body(.ubx(message, type: type))
  }
  func take(_ frame: RTCM3Frame, _ body: (ReceiverMessage) -> Void) { body(.rtcm3(frame)) }
  func take(
    _ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>,
    _ body: (ReceiverMessage) -> Void
  ) {
    body(.rejected(cause, bytes: bytes))
  }
}
