import Quantities
import ReceiverProtocols
import Testing

/// UBX messages of one navigation epoch become one epoch, also together with sentences.
@Suite(.timeLimit(.minutes(30))) struct UBXEpochTests {
  /// 2024-06-15T12:00:00Z is time of week 561 618 s: a Saturday noon and 18 leap seconds.
  private static let noon: UInt32 = 561_618_000
  private static let (latitude, longitude) = (48.208_174_3, 16.373_818_9)

  private func pvt(
    _ tow: UInt32, second: UInt8 = 0, fixType: UInt8 = 3, flags: UInt8 = 1, valid: UInt8 = 7
  )
    -> [UInt8]
  {
    var p = PayloadBytes(count: 92)
    p.put(0, tow)
    p.put(4, UInt16(2024))
    for (offset, value) in [(6, 6), (7, 15), (8, 12), (9, 0), (11, valid)] {
      p.put(offset, UInt8(value))
    }
    p.put(10, second)
    p.put(20, fixType)
    p.put(21, flags)
    p.put(23, UInt8(9))
    p.put(24, Int32(163_738_189))
    p.put(28, Int32(482_081_743))
    p.put(32, Int32(214_500))
    p.put(36, Int32(171_300))
    p.put(40, UInt32(1500))
    p.put(44, UInt32(2500))
    p.put(60, Int32(5000))
    p.put(64, Int32(9_000_000))
    return ubxFrame(0x0107, p.bytes)
  }

  private func eoe(_ tow: UInt32) -> [UInt8] {
    var p = PayloadBytes(count: 4)
    p.put(0, tow)
    return ubxFrame(0x0161, p.bytes)
  }

  private func epochs(_ bytes: [UInt8]) -> [ReceiverEpoch] {
    reports(bytes).compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } }
  }

  @Test("NAV-PVT alone is a fix with the receiver's own accuracies")
  func alone() throws {
    let all = epochs(pvt(Self.noon) + eoe(Self.noon))
    #expect(all.count == 1)
    let epoch = try #require(all.first)
    #expect(epoch.fix.utc == UTCTime(year: 2024, month: 6, day: 15, hour: 12))
    #expect(epoch.fix.kind == .threeDimensional)
    #expect(epoch.fix.horizontalAccuracyMetres == 1.5)
    #expect(epoch.fix.verticalAccuracyMetres == 2.5)
    #expect(epoch.fix.altitudeMetres == 171.3)
    #expect(epoch.fix.ellipsoidalAltitudeMetres == 214.5)
    #expect(epoch.fix.speedMetresPerSecond == 5)
    #expect(try abs(#require(epoch.fix.course).degrees - 90) < 1e-9)
  }

  @Test("The kind of the fix follows from fixType and flags")
  func kinds() {
    let kinds: [(UInt8, UInt8, FixKind, ReceiverEpoch.Dimension)] = [
      (0, 0, .none, .none), (1, 1, .deadReckoning, .two), (2, 1, .twoDimensional, .two),
      (3, 1, .threeDimensional, .three), (4, 1, .threeDimensional, .three),
      (3, 3, .differential, .three), (3, 0x43, .rtkFloat, .three), (3, 0x83, .rtkFixed, .three),
    ]
    for (fixType, flags, kind, dimension) in kinds {
      let epoch = epochs(pvt(Self.noon, fixType: fixType, flags: flags)).first
      #expect(epoch?.fix.kind == kind, "\(fixType) \(flags)")
      #expect(epoch?.dimension == dimension, "\(fixType) \(flags)")
      #expect((epoch?.fix.position == nil) == (kind == FixKind.none), "\(fixType) \(flags)")
    }
  }

  @Test("An epoch is reported with NAV-EOE, not with the next epoch")
  func end() {
    var decoder = ReceiverDecoder()
    var sources = PositionSources()
    var epochCount = 0
    (pvt(Self.noon) + eoe(Self.noon)).withUnsafeBytes {
      decoder.push($0) { sources.add($0, at: Timestamp(nanoseconds: 0)) { _ in epochCount += 1 } }
    }
    #expect(epochCount == 1)
  }

  @Test("A position to tenths of millimetres is used, whichever message comes first")
  func fine() throws {
    var p = PayloadBytes(count: 36)
    p.put(4, Self.noon)
    p.put(8, Int32(163_738_189))
    p.put(12, Int32(482_081_743))
    p.put(24, Int8(50))
    p.put(25, Int8(-50))
    let high = ubxFrame(0x0114, p.bytes)
    for bytes in [pvt(Self.noon) + high, high + pvt(Self.noon)] {
      let place = try #require(epochs(bytes).first?.fix.position)
      #expect(abs(place.longitude.degrees - (Self.longitude + 50e-9)) < 1e-11)
      #expect(abs(place.latitude.degrees - (Self.latitude - 50e-9)) < 1e-11)
    }
  }

  @Test("An earth-centred solution is converted to the geodetic position")
  func earthCentred() throws {
    var p = PayloadBytes(count: 52)
    p.put(0, Self.noon)
    p.put(8, Int16(2318))
    p.put(10, UInt8(3))
    p.put(11, UInt8(0x0D))
    // 48.2081743 N 16.3738189 E, 171.3 m above the ellipsoid, by the textbook's formula.
    p.put(12, Int32(408_588_541))
    p.put(16, Int32(120_051_299))
    p.put(20, Int32(473_246_139))
    // Due east at 10 m/s.
    p.put(28, Int32(-282))
    p.put(32, Int32(959))
    let epoch = try #require(epochs(ubxFrame(0x0106, p.bytes)).first)
    let place = try #require(epoch.fix.position)
    // A centimetre is 9e-8 degrees of latitude.
    #expect(abs(place.latitude.degrees - Self.latitude) < 1e-7)
    #expect(abs(place.longitude.degrees - Self.longitude) < 1.4e-7)
    #expect(try abs(#require(epoch.fix.ellipsoidalAltitudeMetres) - 171.3) < 0.02)
    #expect(try abs(#require(epoch.fix.speedMetresPerSecond) - 10) < 0.01)
    #expect(try abs(#require(epoch.fix.course).degrees - 90) < 0.1)
    #expect(epoch.fix.utc == UTCTime(year: 2024, month: 6, day: 15, hour: 12))
  }

  @Test("Sentences and UBX of one instant are one epoch, those of two instants are two")
  func mixed() {
    func gga(_ time: String) -> [UInt8] {
      Array(
        sentence("GPGGA,\(time),4812.490458,N,01622.429134,E,1,09,0.9,171.3,M,43.2,M,,").utf8)
    }
    #expect(epochs(pvt(Self.noon) + gga("120000.00")).count == 1)
    #expect(epochs(gga("120000.00") + pvt(Self.noon)).count == 1)
    #expect(epochs(pvt(Self.noon) + gga("120001.00")).count == 2)
    #expect(epochs(gga("120000.00") + pvt(Self.noon + 1000, second: 1)).count == 2)
  }

  @Test("An epoch shows whether the receiver knows the leap seconds, where it reports that")
  func resolved() {
    #expect(epochs(pvt(Self.noon)).first?.isTimeResolved == true)
    #expect(epochs(pvt(Self.noon, valid: 3)).first?.isTimeResolved == false)
    func resolved(_ sentences: String...) -> [Bool?] {
      epochs(sentences.flatMap { Array(sentence($0).utf8) }).map(\.isTimeResolved)
    }
    let fix = "GPRMC,120000.00,A,4812.490458,N,01622.429134,E,0.0,0.0,150624,,,A"
    #expect(resolved(fix) == [nil])
    func time(_ leap: String) -> String {
      "PUBX,04,120000.00,150624,561618.00,2318,\(leap),0,0.0,43,"
    }
    #expect(resolved(fix, time("18")) == [true])
    #expect(resolved(fix, time("18D")) == [false])
  }

  @Test("An invalid attitude is in the printed angles only and is no heading")
  func attitude() throws {
    func frame(headingAccuracy: UInt32) -> [UInt8] {
      var p = PayloadBytes(count: 32)
      p.put(0, Self.noon)
      p.put(16, Int32(12_300_000))
      p.put(28, headingAccuracy)
      return ubxFrame(0x0105, p.bytes)
    }
    func heading(_ bytes: [UInt8]) -> HeadingReport? {
      for case .heading(let report) in reports(bytes) { return report }
      return nil
    }
    let known = try #require(heading(frame(headingAccuracy: 100_000)))
    #expect(try abs(#require(known.trueHeading).angle.degrees - 123) < 1e-9)
    #expect(try abs(#require(known.headingAccuracy).degrees - 1) < 1e-9)
    let unknown = try #require(heading(frame(headingAccuracy: 0)))
    #expect(!unknown.hasHeading)
    #expect(try abs(#require(unknown.printed?.heading).degrees - 123) < 1e-9)
  }

  @Test("The vector of a moving base to its rover is a heading where the receiver marks it valid")
  func movingBase() throws {
    func frame(flags: UInt32) -> [UInt8] {
      var p = PayloadBytes(count: 64)
      p.put(0, UInt8(1))
      p.put(4, Self.noon)
      p.put(24, Int32(27_050_000))
      p.put(52, UInt32(30_000))
      p.put(60, flags)
      return ubxFrame(0x013C, p.bytes)
    }
    // Fix, differential, offset valid, fixed ambiguities, moving base, heading valid.
    let flags: UInt32 = 0b1_0011_0111
    var headings: [HeadingReport] = []
    for case .heading(let report) in reports(frame(flags: flags)) { headings.append(report) }
    #expect(headings.count == 1)
    #expect(try abs(#require(headings.first?.trueHeading).angle.degrees - 270.5) < 1e-9)
    #expect(try abs(#require(headings.first?.headingAccuracy).degrees - 0.3) < 1e-9)
    for case .heading in reports(frame(flags: flags & ~0b1_0000_0000)) {
      Issue.record("a heading that is not valid")
    }
  }
}
