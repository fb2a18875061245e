import Quantities
import ReceiverProtocols
import Testing

/// The bytes of hexadecimal digits.
func bytes(_ hex: String) -> [UInt8] {
  let digits = hex.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] * 16 + digits[$0 + 1])
  }
}

/// The records of a stream.
func records(_ bytes: [UInt8]) -> [SolutionRecord] {
  var records: [SolutionRecord] = []
  decode(bytes) { if case .record(let record) = $0 { records.append(record) } }
  return records
}

/// The headings of a stream, as a reader reports them.
func headings(_ bytes: [UInt8]) -> [HeadingReport] {
  reports(bytes).compactMap { if case .heading(let report) = $0 { report } else { nil } }
}

func epochs(_ bytes: [UInt8]) -> [ReceiverEpoch] {
  reports(bytes).compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } }
}

func expectNear(
  _ value: Double?, _ wanted: Double, _ tolerance: Double = 1e-6,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(
    value.map { abs($0 - wanted) <= tolerance } ?? false, "\(String(describing: value))",
    sourceLocation: sourceLocation)
}

/// Checks that a stream gives the same reports and counts, wherever it is divided.
func expectSplitsAgree(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) {
  let (whole, counts) = (reports(bytes), decode(bytes) { _ in })
  for cut in 1..<bytes.count {
    #expect(
      reports(bytes, splitAt: [cut]) == whole, "cut at \(cut)", sourceLocation: sourceLocation)
    #expect(
      decode(bytes, splitAt: [cut]) { _ in } == counts, "cut at \(cut)",
      sourceLocation: sourceLocation)
  }
}

extension UTCTime {
  /// From GPS time with 18 leap seconds already subtracted.
  init?(gpsWeek: Int, nanosecondsOfWeek: Int64) {
    self.init(
      nanosecondsSince1970: (315_964_800 + Int64(gpsWeek) * 604_800) * 1_000_000_000
        + nanosecondsOfWeek)
  }
}
