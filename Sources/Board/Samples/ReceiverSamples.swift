import Formats
import Quantities
import ReceiverProtocols

/// Decodes raw receiver bytes into rows.
///
/// The only time in the bytes is the receiver's: the recording's clock starts at the first epoch
/// and follows the receiver's time. Where that jumps back or far ahead (the first date, a restart)
/// the clock advances by one second, so that it never decreases.
public struct ReceiverSamples: SampleSource {
  /// Longest step of the receiver's time that counts as elapsed time, s.
  private static let longestGap = 600.0

  /// Bytes that are decoded at once: less than most epochs have, so that the output beside a row is
  /// of its instant.
  private static let pieceLength = 256

  package let bytes: ByteReader
  private var chunk: ArraySlice<UInt8> = []
  private var text = WideText()
  private let output = ReceiverOutputBuffer()
  private var reader: ReceiverReader
  private var waiting: [SensorSamples] = []
  private var handedOut = 0
  private var clock = Timestamp(nanoseconds: 0)
  private var lastUTC: UTCTime?
  /// The date of the first epoch that has one, not corrected where no date is given.
  public private(set) var firstDate: CivilDate?
  private var hasStarted = false
  private var isAtEnd = false

  /// Makes the rows of a stream of bytes.
  /// - Parameters:
  ///   - bytes: What the receiver sent.
  ///   - date: A date near the recording: the receiver's dates are moved by multiples of 1024 weeks
  ///     to the period around it; nil leaves them as they are.
  public init(bytes: ByteReader, near date: CivilDate? = nil) {
    self.bytes = bytes
    reader = ReceiverReader(dates: date.map { .near($0) } ?? .none)
  }

  /// The messages so far, including rejected ones.
  public var counts: SentenceCounts { reader.counts }

  /// The next row; nil at the end. Invalid bytes are skipped.
  public mutating func next() throws(RecordingError) -> SensorSamples? {
    while handedOut == waiting.count {
      guard !isAtEnd else { return nil }
      waiting.removeAll(keepingCapacity: true)
      handedOut = 0
      if chunk.isEmpty {
        // Released first, so that the reader need not copy its buffer.
        chunk = []
        let received = try bytes.next()
        isAtEnd = received.isEmpty
        chunk = text.narrow(received)
      }
      let piece = chunk.prefix(Self.pieceLength)
      chunk = chunk.dropFirst(Self.pieceLength)
      output.add(piece)
      for report in reports(of: piece) { receive(report) }
    }
    handedOut += 1
    return waiting[handedOut - 1]
  }

  private mutating func reports(of chunk: ArraySlice<UInt8>) -> [ReceiverReport] {
    var reports: [ReceiverReport] = []
    let now = clock
    if isAtEnd {
      reader.finish(at: now) { reports.append($0) }
    } else {
      chunk.withUnsafeBytes { bytes in reader.push(bytes, at: now) { reports.append($0) } }
    }
    return reports
  }

  /// Moves what the receiver sent up to the newest row to the caller.
  public func removeReceiverOutput(collecting: Bool) -> [ReceiverOutput] {
    output.removeAll(collecting: collecting)
  }

  private mutating func receive(_ report: ReceiverReport) {
    output.add(report)
    switch report {
    case .epoch(let epoch):
      advance(to: epoch.fix.utc)
      var row = SensorSamples(timestamp: clock)
      var fix = epoch.validFix
      fix.timestamp = clock
      row.fix = fix
      waiting.append(row)
    case .heading(let report):
      guard report.hasHeading else { return }
      var row = SensorSamples(timestamp: clock)
      row.heading = HeadingSample(
        timestamp: clock, magnetic: report.magneticHeading, true: report.trueHeading,
        accuracy: report.headingAccuracy)
      row.heading?.antennas = report.antennas
      waiting.append(row)
    case .alignment, .pulse: break
    }
  }

  private mutating func advance(to utc: UTCTime?) {
    defer {
      firstDate = firstDate ?? utc?.date
      lastUTC = utc ?? lastUTC
      hasStarted = true
    }
    guard hasStarted else { return }
    let second: UInt64 = 1_000_000_000
    guard let utc, let lastUTC else {
      clock = clock.advanced(byNanoseconds: second)
      return
    }
    let elapsed = utc.seconds(since: lastUTC)
    // A repeated instant (a revision, two talkers) does not advance the clock.
    guard elapsed != 0 else { return }
    let isPassing = elapsed > 0 && elapsed <= Self.longestGap
    clock = clock.advanced(
      byNanoseconds: isPassing ? UInt64(bounded: (elapsed * 1e9).rounded()) : second)
  }
}
