import Quantities
import ReceiverProtocols

/// A receiver's stream from bytes to reports.
struct Stream {
  private var decoder = NMEADecoder()
  private var assembler = EpochAssembler()
  private var sentences: UInt64 = 0

  var counts: SentenceCounts { decoder.counts }

  /// Pushes bytes; each sentence is stamped with its number.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, heard: (Heard) -> Void = { _ in },
    _ body: (ReceiverReport) -> Void
  ) {
    decoder.push(bytes) { talker, sentence in
      sentences += 1
      heard(Heard(talker: talker, sentence: sentence))
      assembler.add(sentence, from: talker, at: Timestamp(nanoseconds: sentences), body)
    }
  }

  /// Says that the line has fallen silent.
  mutating func fallSilent(_ body: (ReceiverReport) -> Void) { assembler.lineFellSilent(body) }

  /// Ends the stream.
  mutating func finish(
    heard: (Heard) -> Void = { _ in }, _ body: (ReceiverReport) -> Void
  ) {
    decoder.finish { talker, sentence in
      sentences += 1
      heard(Heard(talker: talker, sentence: sentence))
      assembler.add(sentence, from: talker, at: Timestamp(nanoseconds: sentences), body)
    }
    assembler.finish(body)
  }
}
