import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct NavPVTTests {
  /// A fix of 2026-11-21 10:20:30, laid out by the interface description's table.
  private func payload(count: Int = 92) -> PayloadBytes {
    var p = PayloadBytes(count: count)
    p.put(0, UInt32(555_648_000))
    p.put(4, UInt16(2026))
    p.put(6, UInt8(11))
    p.put(7, UInt8(21))
    p.put(8, UInt8(10))
    p.put(9, UInt8(20))
    p.put(10, UInt8(30))
    p.put(11, UInt8(0b111))
    p.put(12, UInt32(25))
    p.put(20, UInt8(3))
    p.put(21, UInt8(0b0000_0001))
    p.put(23, UInt8(14))
    p.put(24, Int32(-1_234_567_890))
    p.put(28, Int32(455_000_001))
    p.put(32, Int32(123_456))
    p.put(36, Int32(-7_001))
    p.put(40, UInt32(1_500))
    p.put(44, UInt32.max)
    p.put(76, UInt16(145))
    return p
  }

  private func decode(_ p: PayloadBytes) throws -> NavPVT {
    let pvt: NavPVT? = readUBX(0x0107, p.bytes) { if case .navPVT(let m) = $0 { m } else { nil } }
    return try #require(pvt)
  }

  @Test("A fix is decoded to degrees, metres and UTC")
  func fix() throws {
    let pvt = try decode(payload())
    let instant = UTCTime(year: 2026, month: 11, day: 21, hour: 10, minute: 20, second: 30)
    #expect(pvt.time.utc == instant)
    #expect(pvt.time.isFullyResolved)
    #expect(pvt.timeOfWeekMilliseconds == 555_648_000)
    let position = try #require(pvt.position)
    #expect(abs(position.longitude.degrees - -123.456789) < 1e-12)
    #expect(abs(position.latitude.degrees - 45.5000001) < 1e-12)
    #expect(pvt.ellipsoidalAltitudeMetres == 123.456)
    #expect(pvt.altitudeMetres == -7.001)
    #expect(pvt.horizontalAccuracyMetres == 1.5)
    #expect(pvt.verticalAccuracyMetres == nil, "all bits set: not known")
    #expect(pvt.positionDilution == 1.45)
    #expect(pvt.fixType == .threeDimensional)
    #expect(pvt.isFixOK)
    #expect(pvt.satellitesUsed == 14)
    #expect(pvt.timeAccuracySeconds == 25e-9)
    #expect(pvt.isDateConfirmed == nil)
    #expect(pvt.vehicleHeading == nil)
    #expect(pvt.magneticDeclination == nil)
  }

  @Test("A negative fraction belongs to the second before, over midnight to the day before")
  func negativeFraction() throws {
    var p = payload()
    p.put(16, Int32(-250_000_000))
    let before = UTCTime(
      year: 2026, month: 11, day: 21, hour: 10, minute: 20, second: 29, nanosecond: 750_000_000)
    #expect(try decode(p).time.utc == before)
    for offset in [8, 9, 10] { p.put(offset, UInt8(0)) }
    let midnight = try decode(p).time
    #expect(midnight.date == CivilDate(year: 2026, month: 11, day: 20))
    #expect(midnight.timeOfDay?.nanoseconds == 86_399_750_000_000)
    p.put(11, UInt8(0b10))
    #expect(try decode(p).time.timeOfDay?.nanoseconds == 86_399_750_000_000, "without a date too")
    p.put(16, Int32(250_000_000))
    #expect(try decode(p).time.timeOfDay?.nanoseconds == 250_000_000)
  }

  @Test("Second 60 is kept in the time of day and is the next day's first instant in UTC")
  func leapSecond() throws {
    var p = payload()
    p.put(4, UInt16(2016))
    p.put(6, UInt8(12))
    p.put(7, UInt8(31))
    p.put(8, UInt8(23))
    p.put(9, UInt8(59))
    p.put(10, UInt8(60))
    let time = try decode(p).time
    #expect(time.date == CivilDate(year: 2016, month: 12, day: 31))
    #expect(time.timeOfDay?.nanoseconds == 86_400_000_000_000)
    #expect(time.utc == UTCTime(year: 2017, month: 1, day: 1))
  }

  @Test("Invalid and impossible dates and times are nil")
  func invalidTimes() throws {
    var p = payload()
    p.put(11, UInt8(0b001))
    var time = try decode(p).time
    #expect(time.date != nil)
    #expect(time.timeOfDay == nil)
    #expect(time.utc == nil)
    #expect(!time.isFullyResolved)
    p.put(11, UInt8(0b010))
    time = try decode(p).time
    #expect(time.date == nil)
    #expect(time.timeOfDay != nil)
    p.put(11, UInt8(0b111))
    let wrong: [(Int, UInt8)] = [(6, 0), (6, 13), (7, 0), (7, 31), (8, 24), (9, 60), (10, 61)]
    for (offset, value) in wrong {
      var bad = p
      bad.put(offset, value)
      #expect(try decode(bad).time.utc == nil, "\(value) at \(offset)")
    }
    p.put(16, Int32(1_000_000_001))
    #expect(try decode(p).time.timeOfDay == nil, "more than a second")
  }

  @Test("Flags determine the kind of solution")
  func flags() throws {
    var p = payload()
    p.put(21, UInt8(0b1010_1110))
    p.put(22, UInt8(0b0110_0000))
    p.put(84, Int32(27_050_000))
    p.put(11, UInt8(0b1111))
    p.put(88, Int16(-1_234))
    p.put(90, UInt16(50))
    p.put(78, UInt16(0b0110_0000_0000_1010))
    let pvt = try decode(p)
    #expect(!pvt.isFixOK)
    #expect(pvt.isDifferential)
    #expect(pvt.powerSaving == .tracking)
    #expect(pvt.carrierSolution == .fixed)
    #expect(pvt.isDateConfirmed == true)
    #expect(pvt.isTimeConfirmed == false)
    #expect(abs((pvt.vehicleHeading?.angle.degrees ?? 0) - 270.5) < 1e-9)
    #expect(abs((pvt.magneticDeclination?.degrees ?? 0) - -12.34) < 1e-9)
    #expect(abs((pvt.magneticDeclinationAccuracy?.degrees ?? 0) - 0.5) < 1e-9)
    #expect(pvt.leastCorrectionAgeSeconds == 10)
    #expect(pvt.isTimeAuthenticated)
    #expect(pvt.mixesAuthenticatedSatellites)
    p.put(20, UInt8(9))
    #expect(try decode(p).fixType == nil)
  }

  @Test("A position that the receiver marks as invalid is nil")
  func invalidPlace() throws {
    var p = payload()
    p.put(78, UInt16(1))
    let pvt = try decode(p)
    #expect(pvt.position == nil)
    #expect(pvt.altitudeMetres == nil)
    #expect(pvt.ellipsoidalAltitudeMetres == nil)
    var far = payload()
    far.put(28, Int32(900_000_001))
    #expect(try decode(far).position == nil, "beyond the pole")
  }

  @Test("The 84 bytes of u-blox 7 have no heading and no declination")
  func ublox7() throws {
    var p = payload(count: 84)
    p.put(11, UInt8(0b1111))
    p.put(21, UInt8(0b0010_0001))
    let pvt = try decode(p)
    #expect(pvt.position != nil)
    #expect(pvt.vehicleHeading == nil)
    #expect(pvt.magneticDeclination == nil)
    #expect(decodeUBX(0x0107, Array(p.bytes.dropLast())) { _ in }.rejection == .malformed)
  }
}
