import Quantities
import ReceiverProtocols

/// A decoder of a daemon's lines, with its reports.
struct GPSDReading: Equatable {
  var reports: [ReceiverReport] = []
  var counts: GPSDCounts { decoder.counts }
  var decoder: GPSDDecoder
  /// The timestamp of the next bytes.
  var clock = Timestamp(nanoseconds: 1_000_000_000)

  init(device: String? = nil) { decoder = GPSDDecoder(device: device.map { Array($0.utf8) }) }

  /// Decodes bytes, split at the given positions.
  mutating func push(_ bytes: [UInt8], splitAt positions: [Int] = []) {
    var start = 0
    let now = clock
    bytes.withUnsafeBytes { all in
      for end in positions + [bytes.count] {
        decoder.push(UnsafeRawBufferPointer(rebasing: all[start..<end]), at: now) {
          reports.append($0)
        }
        start = end
      }
    }
  }

  /// Decodes a line, some seconds after the last.
  mutating func push(_ line: String, after seconds: Double = 0) {
    clock = clock.advanced(bySeconds: seconds)
    push(Array((line + "\r\n").utf8))
  }

  var epochs: [ReceiverEpoch] {
    reports.compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } }
  }
  var headings: [HeadingReport] {
    reports.compactMap { if case .heading(let heading) = $0 { heading } else { nil } }
  }
  var deviceInUse: String? { decoder.deviceInUse.map { String(decoding: $0.path, as: UTF8.self) } }

  static func == (a: GPSDReading, b: GPSDReading) -> Bool {
    a.reports == b.reports && a.counts == b.counts
  }
}

/// A TPV line with a position.
func tpv(
  _ device: String, second: Int, mode: Int = 3, status: Int? = nil, latitude: Double = 57.5,
  others: String = ""
) -> String {
  let time = "2026-06-01T12:00:\(second < 10 ? "0" : "")\(second).000Z"
  return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"#
    + (status.map { #""status":\#($0),"# } ?? "")
    + #""time":"\#(time)","lat":\#(latitude),"lon":11.5\#(others)}"#
}
