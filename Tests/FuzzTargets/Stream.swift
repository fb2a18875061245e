import Quantities
import ReceiverProtocols

/// A receiver's stream from bytes to reports.
struct Stream {
  private var decoder = ReceiverDecoder()
  private var sources = PositionSources()
  private var messages: UInt64 = 0

  var counts: SentenceCounts { decoder.counts }

  /// Decodes bytes; the timestamp of each message is its number.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, sentences: (DecodedSentence) -> Void = { _ in },
    _ body: (ReceiverReport) -> Void
  ) {
    decoder.push(bytes) { message in
      messages += 1
      DecodedSentence(message).map(sentences)
      sources.add(message, at: Timestamp(nanoseconds: messages), body)
    }
  }

  /// Reports silence on the line to the sources.
  mutating func fallSilent(_ body: (ReceiverReport) -> Void) { sources.lineFellSilent(body) }

  /// Ends the stream.
  mutating func finish(
    sentences: (DecodedSentence) -> Void = { _ in }, _ body: (ReceiverReport) -> Void
  ) {
    decoder.finish { message in
      messages += 1
      DecodedSentence(message).map(sentences)
      sources.add(message, at: Timestamp(nanoseconds: messages), body)
    }
    sources.finish(body)
  }
}
