import Quantities
import ReceiverProtocols

/// The decoder of gpsd's JSON: possible epochs and headings, independent of how the bytes are
/// split.
struct GPSDBody: FuzzBody {
  private var decoder = GPSDDecoder()

  /// A line of 10 KiB and sixteen devices, each with a sky.
  var mostHeldBytes: Int { 262_144 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let (whole, counts) = Self.reports(input, splitAt: [])
    for report in whole {
      switch report {
      case .heading(let report): try report.check()
      case .alignment, .pulse: throw Violation("an alignment or a pulse from gpsd")
      case .epoch(let epoch): try epoch.check()
      }
    }
    var generator = InputGenerator(input)
    let cuts = (0..<4).map { _ in Int.random(in: 0...input.count, using: &generator) }.sorted()
    let (pieces, pieceCounts) = Self.reports(input, splitAt: cuts)
    try expect(whole == pieces && counts == pieceCounts, "cut at \(cuts): \(whole) and \(pieces)")
    try expect(counts.rejected >= 0 && counts.unreadableFields >= 0, "\(counts)")
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    decoder.push(input, at: Timestamp(nanoseconds: 0)) { _ in }
  }

  private static func reports(
    _ input: UnsafeRawBufferPointer, splitAt cuts: [Int]
  ) -> ([ReceiverReport], GPSDCounts) {
    var decoder = GPSDDecoder()
    var reports: [ReceiverReport] = []
    var start = 0
    for end in cuts + [input.count] {
      decoder.push(
        UnsafeRawBufferPointer(rebasing: input[start..<end]), at: Timestamp(nanoseconds: 0)
      ) { reports.append($0) }
      start = end
    }
    return (reports, decoder.counts)
  }
}
