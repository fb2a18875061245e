import Quantities
import ReceiverProtocols

/// A decoder of another program's JSON.
protocol ReportDecoder {
  associatedtype Counts: Equatable
  var counts: Counts { get }
  /// Rejected lines, and values that could not be read.
  var faults: (rejected: Int64, unreadable: Int64) { get }
  init()
  mutating func push(
    _ bytes: UnsafeRawBufferPointer, at timestamp: Timestamp, _ body: (ReceiverReport) -> Void)
}

extension GPSDDecoder: ReportDecoder {
  init() { self.init(device: nil) }
  var faults: (rejected: Int64, unreadable: Int64) { (counts.rejected, counts.unreadableFields) }
}

extension SignalKDecoder: ReportDecoder {
  init() { self.init(source: nil) }
  var faults: (rejected: Int64, unreadable: Int64) { (counts.rejected, counts.unreadableFields) }
}

/// A decoder of a program's JSON: possible epochs and headings, independent of how the bytes are
/// split.
struct ReportDecoderBody<Decoder: ReportDecoder>: FuzzBody {
  private var decoder = Decoder()

  /// A line of 10 KiB and sixteen devices of a gpsd, each with a sky; a line of 64 KiB and sixteen
  /// sources of a Signal K server.
  var mostHeldBytes: Int { 262_144 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let (whole, read) = Self.reports(input, splitAt: [])
    for report in whole {
      switch report {
      case .heading(let report): try report.check()
      case .alignment, .pulse: throw Violation("an alignment or a pulse of a program")
      case .epoch(let epoch): try epoch.check()
      }
    }
    var generator = InputGenerator(input)
    let cuts = (0..<4).map { _ in Int.random(in: 0...input.count, using: &generator) }.sorted()
    let (pieces, readPieces) = Self.reports(input, splitAt: cuts)
    try expect(
      whole == pieces && read.counts == readPieces.counts, "cut at \(cuts): \(whole) and \(pieces)")
    try expect(
      read.faults.rejected >= 0 && read.faults.unreadable >= 0, "\(read.counts)")
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    decoder.push(input, at: Timestamp(nanoseconds: 0)) { _ in }
  }

  private static func reports(
    _ input: UnsafeRawBufferPointer, splitAt cuts: [Int]
  ) -> ([ReceiverReport], Decoder) {
    var decoder = Decoder()
    var reports: [ReceiverReport] = []
    var start = 0
    for end in cuts + [input.count] {
      decoder.push(
        UnsafeRawBufferPointer(rebasing: input[start..<end]), at: Timestamp(nanoseconds: 0)
      ) { reports.append($0) }
      start = end
    }
    return (reports, decoder)
  }
}
