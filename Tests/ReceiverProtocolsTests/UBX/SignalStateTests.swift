import ReceiverProtocols
import Testing

/// The frames' values are those that pyubx2 1.4.0 reads in them.
@Suite("Antenna, interference and spoofing", .timeLimit(.minutes(30)))
struct SignalStateTests {
  private static let secSig = (
    // jamDetEnabled=1, jammingState=2, spfDetEnabled=1, spoofingState=3; then version 2 with 3 and
    // 2; then both detectors off.
    version1: "b56227090c0001000000050000000700000049ef",
    version2: "b56227090800022f0001fc0918018821",
    off: "b56227090c0001000000040000000400000045db"
  )

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { UInt8(truncatingIfNeeded: Int($0 > 57 ? $0 - 87 : $0 - 48)) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The state that an epoch has after the frames.
  private func state(_ frames: [String]) throws -> ReceiverEpoch {
    let position = sentence("GPGLL,5400.0,N,01000.0,E,120000,A,A")
    let stream = frames.flatMap(Self.bytes) + Array(position.utf8)
    let epochs = reports(stream).compactMap {
      if case .epoch(let epoch) = $0 { epoch } else { nil }
    }
    return try #require(epochs.last)
  }

  private func generated(_ name: String) throws -> String {
    try #require(generatedFrames.first { $0.name == name }?.hex.filter { !$0.isWhitespace })
  }

  @Test("SEC-SIG states interference and spoofing where its detectors are on")
  func security() throws {
    let first = try state([Self.secSig.version1]).signals
    #expect(first.interference == .warning && first.spoofing == .multiple)
    #expect(first.troubles == ["interference", "spoofing indicated"])
    let second = try state([Self.secSig.version2]).signals
    #expect(second.interference == .critical && second.spoofing == .indicated)
    #expect(try state([Self.secSig.off]).signals.isEmpty)
    #expect(try state([]).signals.isEmpty)
  }

  @Test("the worst radio path counts")
  func radio() throws {
    // Its paths have antStatus 3 and 2, jammingState 2 and 1, jamInd 2 and 181.
    let epoch = try state([try generated("MON-RF")])
    #expect(epoch.signals.antenna == .short && epoch.signals.interference == .warning)
    #expect(epoch.signals.interferenceLevel == 181)
    #expect(epoch.signals.troubles == ["antenna short-circuited", "interference"])
  }

  @Test("Quectel's sentences state jamming and antenna")
  func quectel() throws {
    // As pyqgc reads them: jamming 2, a warning; antenna 2, open.
    let text =
      "$PQTMJAMMINGSTATUS,1,2*44\r\n" + sentence("PQTMANTENNASTATUS,1,2")
      + sentence("GNGLL,5400.0,N,01000.0,E,120000,A,A")
    let signals = try #require(epochs(text).last?.signals)
    #expect(signals.troubles == ["antenna open", "interference"])
  }
}
