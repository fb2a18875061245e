import Formats
import Quantities
import ReceiverProtocols

/// Decodes a receiver's bytes into rows, stamped with their arrival.
struct ReceiverStream {
  private var reader: ReceiverReader
  private let announce: (PulseAnnouncement) -> Void

  /// - Parameters:
  ///   - notBefore: The earliest possible date; nil leaves dates as they are.
  ///   - announce: Called with each announcement of the next pulse.
  init(notBefore: CivilDate? = nil, announce: @escaping (PulseAnnouncement) -> Void = { _ in }) {
    reader = ReceiverReader(notBefore: notBefore)
    self.announce = announce
  }

  /// The messages so far, including rejected ones.
  var counts: SentenceCounts { reader.counts }

  /// Decodes received bytes.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at instant: Timestamp, _ deliver: (SensorSamples) -> Void
  ) {
    reader.push(bytes, at: instant) { report in
      if case .pulse(let announcement) = report { announce(announcement) }
      Self.row(report, at: instant).map(deliver)
    }
  }

  /// Ends the last epoch after a silence of the line.
  mutating func fellSilent(at instant: Timestamp, _ deliver: (SensorSamples) -> Void) {
    reader.lineFellSilent(at: instant) { Self.row($0, at: instant).map(deliver) }
  }

  /// A report as a row; nil if the pipeline does not use it.
  static func row(_ report: ReceiverReport, at instant: Timestamp) -> SensorSamples? {
    var row = SensorSamples(timestamp: instant)
    switch report {
    case .epoch(let epoch):
      // Its timestamp is the arrival of its first byte, not of its end.
      row.fix = epoch.validFix
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
