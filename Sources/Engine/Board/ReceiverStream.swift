import Quantities
import ReceiverProtocols
import Recording

/// A receiver's bytes as instants, stamped with when they came in.
struct ReceiverStream {
  private var decoder = NMEADecoder()
  private var assembler = EpochAssembler()

  /// What has come in so far, the bad included.
  var counts: SentenceCounts { decoder.counts }

  /// Takes bytes in.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at instant: Timestamp, _ deliver: (SensorRow) -> Void
  ) {
    var assembler = self.assembler
    decoder.push(bytes) { source, sentence in
      assembler.add(sentence, from: source, at: instant) { deliver(Self.row($0, at: instant)) }
    }
    self.assembler = assembler
  }

  /// The line has been silent for a while: the epoch that came last is over.
  mutating func fellSilent(at instant: Timestamp, _ deliver: (SensorRow) -> Void) {
    assembler.lineFellSilent { deliver(Self.row($0, at: instant)) }
  }

  static func row(_ report: ReceiverReport, at instant: Timestamp) -> SensorRow {
    var row = SensorRow(timestamp: instant)
    switch report {
    case .epoch(let epoch):
      // It bears the instant at which it began to come in, not that at which its end was seen.
      row.fix = epoch.fix
    case .heading(let report):
      row.heading = HeadingSample(
        timestamp: instant, magnetic: report.magneticHeading, true: report.trueHeading)
    }
    return row
  }
}
