import CFieldSplitter
import Foundation
import Quantities
import ReceiverProtocols

/// Prints, one JSON object a line, what receiver bytes cost: sentences to fixes, UBX to fixes, and
/// the sentences' bytes only split in C.
func benchmarkReceivers(_ folder: String) throws {
  let nmea = try ReceiverStream.nmea(in: folder)
  try reading("NMEA", nmea, unit: \.sentences).print()
  try splitting(nmea).print()
  try reading("UBX", ReceiverStream.ubx(in: folder), unit: \.ubxFrames).print()
}

/// Each benchmark's; `Benchmarks/run` calls several times.
private let rounds = 5

/// Bytes to fixes by a reader that has seen the stream once.
private func reading(
  _ name: String, _ stream: ReceiverStream, unit: KeyPath<SentenceCounts, Int64>
) throws -> ThroughputReport {
  // The largest chunk from a serial port or a file.
  let chunk = 65_536
  var reader = ReceiverReader()
  var epochs = 0
  let measurement = stream.bytes.withUnsafeBytes { bytes in
    Measurement(rounds: rounds) {
      let before = reader.counts[keyPath: unit]
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        let part = bytes[start..<min(start + chunk, bytes.count)]
        reader.push(UnsafeRawBufferPointer(rebasing: part), at: Timestamp(nanoseconds: 0)) {
          if case .epoch = $0 { epochs += 1 }
        }
      }
      return Int(reader.counts[keyPath: unit] - before)
    }
  }
  guard epochs > 0 else { throw BenchmarkError("\(name): no fix came out") }
  // The first round, which is not counted, is one of them.
  return ThroughputReport(
    name, measurement, bytes: stream.bytes.count, epochs: epochs / (rounds + 1))
}

/// The minimum work of any decoder: checksums and the positions of the fields.
private func splitting(_ stream: ReceiverStream) throws -> ThroughputReport {
  var fields = [UnsafePointer<UInt8>?](repeating: nil, count: FIELD_SPLITTER_MOST_FIELDS)
  var total: UInt64 = 0
  let measurement = stream.bytes.withUnsafeBufferPointer { bytes in
    Measurement(rounds: rounds) {
      let counts = field_splitter_run(bytes.baseAddress, bytes.count, &fields)
      total += counts.fields
      return Int(counts.sentences)
    }
  }
  guard total > 0 else { throw BenchmarkError("the splitter found no field") }
  return ThroughputReport("splitter", measurement, bytes: stream.bytes.count, epochs: nil)
}

extension SentenceCounts {
  /// All whose checksum holds, and those not taken.
  fileprivate var sentences: Int64 { accepted + unregistered + rejected }
}
