import Formats
import Quantities
import ReceiverProtocols

/// Decodes a receiver's bytes into rows, stamped with their arrival.
struct ReceiverStream {
  private var reader: ReceiverReader
  private let headings: LineHeadings
  private let admit: (ReceiverReport) -> ReceiverReport?

  /// - Parameters:
  ///   - dates: How dates are corrected after a rollover of the receiver's week count.
  ///   - order: The preferred talkers, the first before the others.
  ///   - headings: How headings are used.
  ///   - admit: Called with each report; returns what becomes a row of it, nil for nothing.
  init(
    dates: DateCorrection = .none, order: [Talker] = [],
    headings: LineHeadings = LineHeadings(ofReceiverBeside: []),
    admit: @escaping (ReceiverReport) -> ReceiverReport? = { $0 }
  ) {
    reader = ReceiverReader(dates: dates, order: order)
    (self.headings, self.admit) = (headings, admit)
  }

  /// The messages so far, including rejected ones.
  var counts: SentenceCounts { reader.counts }

  /// The sources of positions on the line.
  var positionSources: [PositionSource] { reader.positionSources }

  /// The reports of all sources so far: without a new one `positionSources` are the same.
  var reportCount: Int { reader.reportCount }

  /// Decodes received bytes.
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at instant: Timestamp, _ deliver: (SensorSamples) -> Void
  ) {
    reader.push(bytes, at: instant) {
      guard let report = admit($0) else { return }
      Self.row(report, at: instant, headings).map(deliver)
    }
  }

  /// Ends the last epoch after a silence of the line.
  mutating func fellSilent(at instant: Timestamp, _ deliver: (SensorSamples) -> Void) {
    reader.lineFellSilent(at: instant) {
      guard let report = admit($0) else { return }
      Self.row(report, at: instant, headings).map(deliver)
    }
  }

  /// A report as a row; nil if the pipeline does not use it.
  static func row(
    _ report: ReceiverReport, at instant: Timestamp, _ headings: LineHeadings
  ) -> SensorSamples? {
    var row = SensorSamples(timestamp: instant)
    switch report {
    case .epoch(let epoch):
      // Its timestamp is the arrival of its first byte, not of its end.
      row.fix = epoch.validFix
    case .heading(let report):
      guard let sample = headings.sample(report, at: instant) else { return nil }
      row.heading = sample
    case .alignment, .pulse: return nil
    }
    return row
  }
}
