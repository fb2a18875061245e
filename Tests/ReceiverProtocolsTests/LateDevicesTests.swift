import Quantities
import ReceiverProtocols
import Testing

/// Two devices with one talker, and a receiver whose clock is set back.
@Suite("Two devices with the same talker", .timeLimit(.minutes(30)))
struct LateDevicesTests {
  private static func sentences(_ second: Int, minutes: Double, dilution: Double) -> [UInt8] {
    let time = "12\(two(second / 60))\(two(second % 60)).00"
    let whole = Int(bounded: minutes * 1e4)
    let place =
      "54\(two(whole / 10_000)).\(String(whole % 10_000 + 10_000).dropFirst()),N,01000.0000,E"
    return [
      "GPRMC,\(time),A,\(place),4.0,0.0,230726,,,A",
      "GPGGA,\(time),\(place),1,08,\(dilution),3.0,M,45.0,M,,",
    ]
    .flatMap { body -> [UInt8] in
      let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      let hex = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
      return Array("$\(body)*\(hex)\r\n".utf8)
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static func epochs(_ lines: [[UInt8]]) -> (epochs: [ReceiverEpoch], sources: [String]) {
    var reader = ReceiverReader()
    var epochs: [ReceiverEpoch] = []
    for (index, line) in lines.enumerated() {
      let instant = Timestamp(nanoseconds: UInt64(index + 1) * 500_000_000)
      line.withUnsafeBytes { bytes in
        reader.push(bytes, at: instant) {
          if case .epoch(let epoch) = $0 { epochs.append(epoch) }
        }
      }
    }
    return (epochs, reader.positionSources.map(\.name))
  }

  @Test("the later device is a source of its own after two returns, and its positions are not used")
  func late() throws {
    var lines: [[UInt8]] = []
    for second in 2..<40 {
      lines.append(Self.sentences(second, minutes: Double(second) * 0.1, dilution: 0.9))
      lines.append(Self.sentences(second - 2, minutes: Double(second - 2) * 0.1, dilution: 2.5))
    }
    let (epochs, sources) = Self.epochs(lines)
    #expect(sources.contains("GP late") && sources.count == 2, "\(sources)")
    let settled = epochs.drop { ($0.fix.utc?.recordText ?? "") < "2026-07-23T12:00:10" }
    try #require(settled.count > 20)
    var last = ""
    for epoch in settled {
      let text = epoch.fix.utc?.recordText ?? ""
      #expect(text >= last && epoch.fix.horizontalDilution ?? 0.9 == 0.9, "\(text)")
      last = text
    }
  }

  @Test("a clock that is set back once leaves one source, and loses no more than one epoch")
  func setBack() {
    var lines: [[UInt8]] = []
    for second in 10..<30 { lines.append(Self.sentences(second, minutes: 1, dilution: 1)) }
    for second in 5..<40 { lines.append(Self.sentences(second, minutes: 1, dilution: 1)) }
    let (epochs, sources) = Self.epochs(lines)
    #expect(sources.count == 1, "\(sources)")
    #expect(epochs.filter { !$0.isRevision }.count >= lines.count - 2)
  }
}
