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
    withSink(at: timestamp, body) { decoder, sink in decoder.push(bytes, into: &sink) }
  }

  /// Gives up a binary frame that has not ended and reports the open epoch: the line has fallen silent.
  public mutating func lineFellSilent(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    withSink(at: timestamp, body) { decoder, sink in decoder.lineFellSilent(into: &sink) }
    assembler.lineFellSilent(body)
  }

  /// Reads what still waits, and closes the last epoch: the stream has ended.
  public mutating func finish(at timestamp: Timestamp, _ body: (ReceiverReport) -> Void) {
    withSink(at: timestamp, body) { decoder, sink in decoder.finish(into: &sink) }
    assembler.finish(body)
  }

  private mutating func withSink(
    at timestamp: Timestamp, _ body: (ReceiverReport) -> Void,
    _ read: (inout ReceiverDecoder, inout EpochSink) -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      withUnsafeMutablePointer(to: &assembler) { assembler in
        var sink = EpochSink(assembler: assembler, timestamp: timestamp, body: body)
        read(&decoder, &sink)
      }
    }
  }
}

/// Who takes the messages of a decoder.
protocol MessageSink {
  mutating func take(_ sentence: NMEASentence, from talker: Talker)
  mutating func take(_ message: UBXMessage, type: UInt16)
  mutating func take(_ frame: RTCM3Frame)
  mutating func take(_ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>)
}

/// Hands messages on to the epochs.
private struct EpochSink: MessageSink {
  /// Pointed to: a copy would share the sky's arrays, and the first change to each would copy it as well.
  let assembler: UnsafeMutablePointer<EpochAssembler>
  let timestamp: Timestamp
  let body: (ReceiverReport) -> Void

  mutating func take(_ sentence: NMEASentence, from talker: Talker) {
    assembler.pointee.add(sentence, from: talker, at: timestamp, body)
  }

  mutating func take(_ message: UBXMessage, type: UInt16) {
    assembler.pointee.add(message, type: type, at: timestamp, body)
  }

  func take(_ frame: RTCM3Frame) {}
  func take(_ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>) {}
}

/// Hands messages on to a closure.
struct ClosureSink: MessageSink {
  let body: (ReceiverMessage) -> Void

  func take(_ sentence: NMEASentence, from talker: Talker) { body(.sentence(sentence, talker)) }
  func take(_ message: UBXMessage, type: UInt16) { body(.ubx(message, type: type)) }
  func take(_ frame: RTCM3Frame) { body(.rtcm3(frame)) }
  func take(_ cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>) {
    body(.rejected(cause, bytes: bytes))
  }
}
