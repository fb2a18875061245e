import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The bytes are those of devices in canboat's recordings `samples/candumpSample3.txt` (Raymarine
/// EV-1, Em-Track B300) and `analyzer/tests/pgn-test.in`; the values are those that canboat 9.0.0
/// decodes (PyPI `nmea2000` 2026.10.3).
@Suite("Messages of NMEA 2000", .timeLimit(.minutes(30)))
struct PGNMessageTests {
  private func message(_ pgn: PGN, _ bytes: String) -> PGNMessage {
    PGNMessage(pgn, bytes: hexBytes(bytes))
  }

  private func isEqual(_ value: Double?, _ expected: Double, within tolerance: Double) -> Bool {
    value.map { abs($0 - expected) < tolerance } ?? false
  }

  @Test("values of recorded messages are those that canboat decodes")
  func recorded() {
    let heading = message(.heading, "FF725AFF7FFF7FFD")
    #expect(isEqual(heading[.heading], 2.3154, within: 1e-9))
    #expect(heading[code: .reference] == PGN.Code.magneticNorth)
    #expect(heading[.sid] == nil && heading[.deviation] == nil && heading[.variation] == nil)
    let starboard = message(.rateOfTurn, "FFD4E10000FFFFFF")
    #expect(isEqual(starboard[.rate], 0.001_806_625, within: 1e-12))
    let port = message(.rateOfTurn, "FF65E7FFFFFFFFFF")
    #expect(isEqual(port[.rate], -0.000_196_843_75, within: 1e-12))
    let attitude = message(.attitude, "FF725AFAF7FF04FF")
    #expect(isEqual(attitude[.pitch], -0.2054, within: 1e-9))
    #expect(isEqual(attitude[.roll], 0.1279, within: 1e-9))
    let position = message(.position, "F12B6B1B8E5E36FF")
    #expect(isEqual(position[.latitude], 46.000_843_3, within: 1e-9))
    #expect(isEqual(position[.longitude], -1.321_406_6, within: 1e-9))
    let motion = message(.courseAndSpeed, "FF00000001000000")
    #expect(motion[.course] == 0 && isEqual(motion[.speed], 0.01, within: 1e-9))
    let wind = message(.wind, "009201124DFAFFFF")
    #expect(isEqual(wind[.speed], 4.02, within: 1e-9) && isEqual(wind[.angle], 1.973, within: 1e-9))
    #expect(wind[code: .reference] == PGN.Code.apparentWind)
    #expect(isEqual(message(.waterSpeed, "001200FFFF00FFFF")[.speed], 0.18, within: 1e-9))
    let time = message(.systemTime, "10,f0,f1,3a,21,47,0f,16")
    #expect(time[.date] == 15_089 && isEqual(time[.time], 37_010.0001, within: 1e-6))
  }

  @Test("a recorded fix is decoded with its sixteen decimals of a degree")
  func fix() {
    let fix = message(
      .gnssPosition,
      "e6f13a809cc60d001238aa49eb5107000c4495fb15b80040e133000000000013fc095a008c00ffffff7f00")
    #expect(isEqual(fix[.latitude], 52.746_133_3, within: 1e-12))
    #expect(isEqual(fix[.longitude], 5.181_556_6, within: 1e-12))
    #expect(isEqual(fix[.altitude], 3.4, within: 1e-9) && fix[.time] == 23_112)
    #expect(fix[code: .method] == PGN.Code.gnss && fix[code: .integrity] == 0)
    #expect(fix[.satellites] == 9 && isEqual(fix[.horizontalDilution], 0.9, within: 1e-9))
    #expect(fix[.separation] == nil && fix[.correctionAge] == nil)
  }

  @Test("a new message has no value, and its unused bits are 1")
  func notAvailable() {
    for pgn in PGN.allCases {
      let message = PGNMessage(pgn)
      for number in UInt8.min...UInt8.max {
        guard let field = PGN.Field(rawValue: number), field != .reserved else { continue }
        #expect(message[field] == nil && message[code: field] == nil, "\(pgn) \(field)")
      }
    }
    #expect(PGNMessage(.heading).bytes == hexBytes("FFFFFFFF7FFF7FFF"))
    #expect(PGNMessage(.position).bytes == hexBytes("FFFFFF7FFFFFFF7F"))
    #expect(PGNMessage(.rateOfTurn).bytes == hexBytes("FFFFFFFF7FFFFFFF"))
    #expect(PGNMessage(.pressure).bytes == hexBytes("FFFFFFFFFFFF7FFF"))
  }

  @Test("a number beyond its field is out of range, not another number")
  func range() {
    var message = PGNMessage(.heave)
    message[.heave] = 500
    #expect(message.bytes == hexBytes("FFFE7FFFFFFFFFFF") && message[.heave] == nil)
    message[.heave] = -500
    #expect(message[.heave] == nil)
    message[.heave] = .nan
    #expect(message == PGNMessage(.heave))
    message[.heave] = -327.67
    #expect(isEqual(message[.heave], -327.67, within: 1e-9))
    var sid = PGNMessage(.heading)
    sid[.sid] = 253
    #expect(sid[.sid] == nil)
  }

  @Test("what is written is read, to half the resolution", arguments: [1, 2, 3])
  func roundTrip(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let latitude = Double(generator.next() % 180_000_000) / 1_000_000 - 90
      let angle = Double(generator.next() % 31_000) / 10_000
      var fix = PGNMessage(.gnssPosition)
      fix[.latitude] = latitude
      fix[.longitude] = -latitude
      fix[.correctionAge] = angle
      #expect(isEqual(fix[.latitude], latitude, within: 1e-13))
      #expect(isEqual(fix[.longitude], -latitude, within: 1e-13))
      #expect(isEqual(fix[.correctionAge], angle, within: 0.005_001))
      var heading = PGNMessage(.heading)
      heading[.variation] = -angle
      heading[code: .reference] = 1
      #expect(isEqual(heading[.variation], -angle, within: 0.000_050_1))
      #expect(heading[code: .reference] == 1)
    }
  }

  @Test("an identifier has priority, group, source, and a destination where the group has one")
  func identifier() {
    let broadcast = MessageHeader(0x09F1_12CC)
    #expect(broadcast == MessageHeader(priority: 2, pgn: 127_250, source: 0xCC))
    #expect(broadcast.identifier == 0x09F1_12CC)
    let addressed = MessageHeader(0x18EA_2301)
    #expect(
      addressed == MessageHeader(priority: 6, pgn: 59_904, source: 1, destination: 0x23))
    #expect(addressed.identifier == 0x18EA_2301)
  }

  @Test("a frame is the kernel's structure; others than data frames of 29 bits are refused")
  func kernelFrame() throws {
    let frame = canFrames("09F112CC#FF725AFF7FFF7FFD")[0]
    let bytes = frame.kernelBytes
    #expect(bytes == hexBytes("CC12F1890800000000").dropLast() + hexBytes("FF725AFF7FFF7FFD"))
    let back = bytes.withUnsafeBytes { CANFrame(kernel: $0) }
    #expect(back == frame)
    for (index, value) in [(3, UInt8(0x09)), (3, 0xC9), (3, 0xA9), (4, 9)] {
      var changed = bytes
      changed[index] = value
      #expect(changed.withUnsafeBytes { CANFrame(kernel: $0) } == nil)
    }
    #expect([UInt8](repeating: 0, count: 15).withUnsafeBytes { CANFrame(kernel: $0) } == nil)
  }
}
