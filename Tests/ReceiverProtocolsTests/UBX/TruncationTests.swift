import ReceiverProtocols
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(30))) struct TruncationTests {
  @Test(
    "A payload truncated at any length is malformed or complete", arguments: generatedFrames)
  func truncated(_ generated: GeneratedFrame) throws {
    let frame = try #require(bytes(hex: generated.hex))
    let type = UInt16(frame[2]) << 8 | UInt16(frame[3])
    let payload = Array(frame[6..<frame.count - 2])
    let shortest = try #require(
      Self.shortest[generated.name], "\(generated.name) is not in the list")
    for count in 0..<payload.count {
      let outcome = decodeUBX(type, Array(payload[..<count])) { FieldValues($0, nano: nil).numbers }
      // Without a count of the blocks, a message with fewer blocks is complete.
      let isWhole = count >= shortest
      #expect(
        isWhole ? outcome.value != nil : outcome.rejection == .malformed,
        "\(generated.name), \(count) bytes: \(outcome)")
    }
    let longer = decodeUBX(type, payload + [0, 0, 0]) { _ in true }
    #expect(longer.value == true, "\(generated.name) with fields appended")
  }

  /// The shortest complete payload of each generated frame by the interface descriptions: header
  /// and the declared number of blocks.
  static let shortest = [
    "NAV-POSECEF": 20, "NAV-POSLLH": 28, "NAV-STATUS": 16, "NAV-DOP": 18, "NAV-ATT": 32,
    "NAV-SOL": 52, "NAV-PVT": 84, "NAV-VELECEF": 20, "NAV-VELNED": 36, "NAV-HPPOSECEF": 28,
    "NAV-HPPOSLLH": 36, "NAV-PVAT": 116, "NAV-TIMEGPS": 16, "NAV-TIMEUTC": 20, "NAV-CLOCK": 20,
    "NAV-TIMELS": 24, "NAV-SVINFO": 8 + 4 * 12, "NAV-SAT": 8 + 3 * 12, "NAV-COV": 64,
    "NAV-RELPOSNED-V0": 40, "NAV-RELPOSNED": 64, "NAV-DAHEADING": 60, "NAV-SIG": 8 + 3 * 16,
    "NAV-EOE": 4,
    "ACK-NAK": 2, "ACK-ACK": 2, "CFG-PRT": 20, "CFG-MSG": 8, "CFG-RATE": 6, "CFG-NAV5": 36,
    "MON-VER": 40, "MON-HW": 60, "MON-RF": 4 + 2 * 24, "TIM-TP": 16, "ESF-MEAS": 8 + 3 * 4,
    "ESF-RAW": 4, "ESF-STATUS": 16 + 3 * 4, "ESF-ALG": 16, "ESF-INS": 36, "HNR-PVT": 72,
    "HNR-ATT": 32, "HNR-INS": 36,
  ]

  @Test("Frames that are too short, begin otherwise or have a wrong length are rejected")
  func frames() {
    let good = ubxFrame(0x0161, [1, 2, 3, 4])
    #expect(decodeUBX(good) { _ in true }.value == true)
    var wrongs = (0..<good.count).map { Array(good[..<$0]) }
    wrongs.append(good + [0])
    for (index, value) in [(0, UInt8(0xB6)), (1, 0x63), (4, 5), (5, 1)] {
      var wrong = good
      wrong[index] = value
      wrongs.append(wrong)
    }
    for wrong in wrongs {
      if case .noFrame = decodeUBX(wrong, { _ in true }) { continue }
      Issue.record("\(wrong) was taken for a frame")
    }
  }

  @Test("Unknown types are unregistered with any payload")
  func unknown() {
    for type: UInt16 in [0x0000, 0x0100, 0x0215, 0x0A07, 0x2702, 0xF000, 0xFFFF] {
      for count in [0, 1, 40, 200] {
        let payload = [UInt8](repeating: 1, count: count)
        #expect(decodeUBX(type, payload) { _ in }.rejection == .unregistered)
      }
    }
  }

  @Test("Random payloads of any length never stop the decoder")
  func random() {
    var generator = SeededGenerator(seed: 20_261_121)
    var types: [UInt16] = []
    for generated in generatedFrames {
      guard let frame = bytes(hex: generated.hex) else { continue }
      types.append(UInt16(frame[2]) << 8 | UInt16(frame[3]))
    }
    types.append(0x068B)
    var decoded = 0
    for round in 0..<20_000 {
      let count = Int.random(in: 0...260, using: &generator)
      let payload = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let outcome = decodeUBX(types[round % types.count], payload) { message in
        switch message {
        case .monVer(let m): m.protocolVersionHundredths ?? m.extensions.count
        case .cfgValGet(let m): m.reduce(0) { $0 + $1.size }
        default: FieldValues(message, nano: nil).numbers.count
        }
      }
      if outcome.value != nil { decoded += 1 }
    }
    #expect(decoded > 1000)
  }
}
