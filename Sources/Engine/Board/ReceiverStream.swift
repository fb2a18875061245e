import Quantities
import ReceiverProtocols
import Recording

/// A receiver's bytes as instants, stamped with when they came in.
struct ReceiverStream {
  private var reader: ReceiverReader
  private let announce: (PulseAnnouncement) -> Void

  /// - Parameters:
  ///   - notBefore: a day before which the stream cannot be; nil leaves dates as they are.
  ///   - announce: Told what the receiver announces of its next pulse.
  init(notBefore: CivilDate? = nil, announce: @escaping (PulseAnnouncement) -> Void = { _ in }) {
    reader = ReceiverReader(notBefore: notBefore)
    self.announce = announce
  }

  /// What has come in so far, the bad included.
  var counts: SentenceCounts { reader.counts }

  /// Takes bytes in.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at instant: Timestamp, _ deliver: (SensorRow) -> Void
  ) {
    reader.push(bytes, at: instant) { report in
      if case .pulse(let announcement) = report { announce(announcement) }
      Self.row(report, at: instant).map(deliver)
    }
  }

  /// The line has been silent for a while: the epoch that came last is over.
  mutating func fellSilent(at instant: Timestamp, _ deliver: (SensorRow) -> Void) {
    reader.lineFellSilent(at: instant) { Self.row($0, at: instant).map(deliver) }
  }

  /// What the pipeline takes of a report; nil where that is nothing.
  static func row(_ report: ReceiverReport, at instant: Timestamp) -> SensorRow? {
    var row = SensorRow(timestamp: instant)
    switch report {
    case .epoch(let epoch):
      // It bears the instant at which it began to come in, not that at which its end was seen.
      row.fix = epoch.vouchedFix
    case .heading(let report):
      guard report.hasHeading else { return nil }
      row.heading = HeadingSample(
        timestamp: instant, magnetic: report.magneticHeading, true: report.trueHeading,
        accuracy: report.headingAccuracy)
    case .alignment, .pulse: return nil
    }
    return row
  }
}
