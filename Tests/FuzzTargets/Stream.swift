import Quantities
import ReceiverProtocols

/// A receiver's stream from bytes to reports.
struct Stream {
  private var decoder = ReceiverDecoder()
  private var assembler = EpochAssembler()
  private var messages: UInt64 = 0

  var counts: SentenceCounts { decoder.counts }

  /// Pushes bytes; each message is stamped with its number.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, heard: (Heard) -> Void = { _ in },
    _ body: (ReceiverReport) -> Void
  ) {
    decoder.push(bytes) { message in
      messages += 1
      Heard(message).map(heard)
      assembler.add(message, at: Timestamp(nanoseconds: messages), body)
    }
  }

  /// Says that the line has fallen silent.
  mutating func fallSilent(_ body: (ReceiverReport) -> Void) { assembler.lineFellSilent(body) }

  /// Ends the stream.
  mutating func finish(
    heard: (Heard) -> Void = { _ in }, _ body: (ReceiverReport) -> Void
  ) {
    decoder.finish { message in
      messages += 1
      Heard(message).map(heard)
      assembler.add(message, at: Timestamp(nanoseconds: messages), body)
    }
    assembler.finish(body)
  }
}
