import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct RelativePositionTests {
  private func decode(_ p: PayloadBytes) throws -> NavRelPosNED {
    let m: NavRelPosNED? = readUBX(0x013C, p.bytes) {
      if case .navRelPosNED(let m) = $0 { m } else { nil }
    }
    return try #require(m)
  }

  /// Version 1 as in UBX-18010854: 12.34 m north and 0.5 mm, heading 123.45678 degrees.
  private func version1(flags: UInt32) -> PayloadBytes {
    var p = PayloadBytes(count: 64)
    p.put(0, UInt8(1))
    p.put(2, UInt16(1234))
    p.put(4, UInt32(345_600_250))
    p.put(8, Int32(1234))
    p.put(12, Int32(-567))
    p.put(16, Int32(89))
    p.put(20, Int32(1361))
    p.put(24, Int32(12_345_678))
    p.put(32, Int8(5))
    p.put(33, Int8(-99))
    p.put(34, Int8(7))
    p.put(35, Int8(-3))
    p.put(36, UInt32(101))
    p.put(40, UInt32(102))
    p.put(44, UInt32(203))
    p.put(48, UInt32(111))
    p.put(52, UInt32(45_678))
    p.put(60, flags)
    return p
  }

  @Test("Version 1 contains heading and length with their accuracy")
  func heading() throws {
    let m = try decode(version1(flags: 0b1_0011_0111))
    #expect(m.timeOfWeekMilliseconds == 345_600_250)
    #expect(m.referenceStation == 1234)
    #expect(m.offset == .init(northMetres: 12.3405, eastMetres: -5.6799, downMetres: 0.8907))
    #expect(m.offsetAccuracy == .init(northMetres: 0.0101, eastMetres: 0.0102, downMetres: 0.0203))
    #expect(m.lengthMetres == 13.6097)
    #expect(m.lengthAccuracyMetres == 0.0111)
    #expect(abs((m.heading?.degrees ?? 0) - 123.45678) < 1e-10)
    #expect(abs((m.headingAccuracy?.degrees ?? 0) - 0.45678) < 1e-12)
    #expect(m.isFixOK)
    #expect(m.isDifferential)
    #expect(m.carrierSolution == .fixed)
    #expect(m.isMovingBaseline)
    #expect(!m.extrapolatesReferencePosition)
    #expect(!m.isNormalised)
  }

  @Test("Without relPosHeadingValid there is no heading, without relPosValid no offset")
  func validity() throws {
    let withoutHeading = try decode(version1(flags: 0b0_0000_0111))
    #expect(withoutHeading.heading == nil)
    #expect(withoutHeading.headingAccuracy == nil)
    #expect(withoutHeading.offset != nil)
    let withoutOffset = try decode(version1(flags: 0b11_1100_1011))
    #expect(withoutOffset.offset == nil)
    #expect(withoutOffset.offsetAccuracy == nil)
    #expect(withoutOffset.lengthMetres == nil)
    #expect(withoutOffset.heading != nil)
    #expect(withoutOffset.carrierSolution == .float)
    #expect(withoutOffset.extrapolatesReferencePosition)
    #expect(withoutOffset.extrapolatesReferenceObservations)
    #expect(withoutOffset.isNormalised)
  }

  @Test("Version 0 of 40 bytes has an offset, no heading and no length")
  func version0() throws {
    var p = PayloadBytes(count: 40)
    p.put(4, UInt32(1000))
    p.put(8, Int32(-100))
    p.put(12, Int32(200))
    p.put(16, Int32(300))
    p.put(20, Int8(-50))
    p.put(21, Int8(25))
    p.put(24, UInt32(10))
    p.put(28, UInt32(20))
    p.put(32, UInt32(30))
    p.put(36, UInt32(0b1_0000_1111))
    let m = try decode(p)
    #expect(m.offset == .init(northMetres: -1.005, eastMetres: 2.0025, downMetres: 3))
    #expect(m.offsetAccuracy == .init(northMetres: 0.001, eastMetres: 0.002, downMetres: 0.003))
    #expect(m.carrierSolution == .float)
    #expect(m.heading == nil)
    #expect(m.lengthMetres == nil)
  }

  @Test("Version 1 truncated to version 0's length is malformed; version 2 is unregistered")
  func versions() {
    let p = version1(flags: 0)
    for count in 0..<64 {
      #expect(decodeUBX(0x013C, Array(p.bytes[..<count])) { _ in }.rejection == .malformed)
    }
    var other = p
    other.put(0, UInt8(2))
    #expect(decodeUBX(0x013C, other.bytes) { _ in }.rejection == .unregistered)
  }
}
