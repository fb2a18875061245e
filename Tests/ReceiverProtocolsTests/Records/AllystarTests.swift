import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The frames are recorded ones of a TAU1201 and examples of the specification, with the values of
/// satpulse's tests (gps/lib/asbin). Where a test needs them of one instant, their times are
/// replaced. Frames that are marked as made are packed by Python's struct.
@Suite("Allystar", .timeLimit(.minutes(30)))
struct AllystarTests {
  private static let centred = bytes("f1d90101140068d47c0ae2542df9ad1c4d24402ef7084d0200002a50")
  private static let position = bytes(
    "f1d901021c0068d47c0aac2afd3b7c4f2f08dc91ffff12f9ffff991200008f0d0000ac17")
  private static let dilutions = bytes("f1d90104120068d47c0a95007e0050006700470037002d004ed2")
  private static let leapSeconds = bytes("f1d9010510000007 2c79ff553e16 1000 1200 0600 0000 925a")
  private static let utc = bytes("f1d9012114005755610a0000000051560b00ea07020300160d273f69")
  private static let summary = bytes(
    "f1d901c0200004ea07030407371afe2afd3b864e2f08388effff000000004d004d007300191aa438")
  private static let still = bytes(
    """
    f1d90112240068d47c0a0000000000000000000000000000000000000000653054000000000000000000e2b0
    """)
  /// The first three of 26 satellites.
  private static let satellites = summed(
    bytes(
      """
      f1d90130500000b1620a03000000e8000e0631509e00e5ffffff20995ac3f447bf33a2ed744110000e062e4fbcff\
      e2ffffff3106a7c3a88a5f1eeafc724144000e062a4712001b000000672814c40e382f21207372410000
      """), at: 0, [])

  @Test("the messages of one instant make one epoch, NAV-AUTO declares it valid")
  func epoch() throws {
    let all = epochs(
      Self.centred + Self.position + Self.dilutions + Self.leapSeconds + Self.moving
        + Self.summed(Self.utc, at: 6, Self.instant) + Self.summed(Self.summary, at: 7, Self.date))
    #expect(all.count == 1)
    let epoch = try #require(all.first)
    let fix = epoch.validFix
    #expect(fix.kind == .threeDimensional && fix.satellitesUsed == 25)
    // NAV-POSLLH, not the coarser NAV-AUTO.
    expectNear(fix.position?.latitude.degrees, 13.7318268, 1e-12)
    expectNear(fix.position?.longitude.degrees, 100.6447276, 1e-12)
    expectNear(fix.ellipsoidalAltitudeMetres, -28.196)
    expectNear(fix.altitudeMetres, -1.774)
    expectNear(fix.horizontalAccuracyMetres, 4.761)
    expectNear(fix.verticalAccuracyMetres, 3.471)
    expectNear(fix.speedMetresPerSecond, 1.31)
    expectNear(fix.course?.degrees, 339.90651)
    expectNear(fix.verticalSpeedMetresPerSecond, -0.06)
    expectNear(fix.speedAccuracyMetresPerSecond, 0.12)
    expectNear(fix.courseAccuracy?.degrees, 2.5)
    expectNear(epoch.geometricDilution, 1.49)
    expectNear(epoch.positionDilution, 1.26)
    expectNear(epoch.timeDilution, 0.8)
    expectNear(epoch.verticalDilution, 1.03)
    expectNear(fix.horizontalDilution, 0.71)
    #expect(epoch.leapSeconds == 18 && epoch.isTimeResolved == true)
    // 3 February 2026, 00:52:15.000743 UTC.
    #expect(fix.utc == UTCTime(gpsWeek: 2404, nanosecondsOfWeek: 175_935_000_742_993))
  }

  @Test("NAV-AUTO alone makes a fix, and another second another one")
  func summary() throws {
    let next = Self.summed(Self.summary, at: 13, [27])
    let all = epochs(Self.summary + next)
    #expect(all.count == 2)
    let fix = try #require(all.first?.validFix)
    expectNear(fix.position?.latitude.degrees, 13.7318022, 1e-12)
    expectNear(fix.position?.longitude.degrees, 100.6447358, 1e-12)
    expectNear(fix.ellipsoidalAltitudeMetres, -29.128)
    expectNear(all.first?.positionDilution, 0.77)
    expectNear(all.first?.verticalDilution, 1.15)
    #expect(fix.utc?.date == CivilDate(year: 2026, month: 3, day: 4))
    let time: Int64 = (7 * 3600 + 55 * 60 + 26) * 1_000_000_000
    #expect(fix.utc?.nanosecondsOfDay == time)
  }

  @Test("a position without a statement of its validity, or of another second, is no fix")
  func validity() {
    #expect(epochs(Self.position).first?.dimension != .three)
    let all = epochs(Self.position + Self.summary)
    #expect(all.count == 2 && all.first?.validFix.position == nil)
    for state in UInt8(0)...2 {
      let none = epochs(Self.summed(Self.summary, at: 6, [state])).first
      #expect(none?.fix.position == nil && none?.dimension == ReceiverEpoch.Dimension.none)
    }
    let kinds: [FixKind] = [
      .twoDimensional, .threeDimensional, .differential, .rtkFloat, .rtkFixed,
    ]
    for (state, kind) in zip(UInt8(3)..., kinds) {
      #expect(epochs(Self.summed(Self.summary, at: 6, [state])).first?.fix.kind == kind)
    }
  }

  @Test("a sentence of the instant declares the position valid")
  func besideSentences() throws {
    let text = sentence("GNGGA,005215.00,1343.9096,N,10038.6837,E,1,25,0.7,-1.8,M,-26.4,M,,")
    let all = epochs(Array(text.utf8) + Self.position + Self.dilutions)
    #expect(all.count == 1)
    expectNear(all.first?.validFix.horizontalAccuracyMetres, 4.761)
  }

  @Test("the earth-centred position is that of the geodetic one")
  func earthCentred() throws {
    let text = sentence("GNGSA,A,3,01,02,03,04,,,,,,,,,1.9,1.0,1.6")
    let solved = Self.summed(Self.summary, at: 7, Self.date)
    let fix = try #require(epochs(Array(text.utf8) + Self.centred + solved).first?.validFix)
    // By Python's own formulas; the recorded NAV-POSLLH has 13.7318268, 100.6447276, -28.196.
    expectNear(fix.position?.latitude.degrees, 13.7318268, 1e-6)
    expectNear(fix.position?.longitude.degrees, 100.6447276, 1e-6)
    expectNear(fix.ellipsoidalAltitudeMetres, -28.196, 0.02)
    expectNear(fix.horizontalAccuracyMetres, 5.89 * (2.0 / 3.0).squareRoot(), 1e-6)
    let still = try #require(records(Self.still).first)
    #expect(still.speedMetresPerSecond == 0 && still.speedAccuracyMetresPerSecond == nil)
    expectNear(still.course?.degrees, 55.17413)
    // Made: standard deviations of 1.5 and 2.5 m, vertical 4 m.
    let errors = bytes(
      "f1d901261c0068d47c0adc050000c4090000a00f000064000000c80000002c010000bbe2")
    #expect(records(errors).first?.latitudeErrorMetres == 1.5)
    #expect(records(errors).first?.longitudeErrorMetres == 2.5)
    #expect(records(errors).first?.verticalAccuracyMetres == 4)
  }

  @Test("NAV-SVINFO gives the sky")
  func sky() throws {
    let stream = Self.satellites + Self.summed(Self.summary, at: 7, [0xEA, 7, 2, 3, 0, 23, 42])
    let sky = try #require(epochs(stream).first?.sky)
    #expect(
      sky.satellites == [
        SkyView.Satellite(
          id: SatelliteID(constellation: .beidou, number: 32), elevationDegrees: 80,
          azimuthDegrees: 158, signalDecibelHertz: 49, isUsed: true),
        SkyView.Satellite(
          id: SatelliteID(constellation: .gps, number: 16), elevationDegrees: 79,
          azimuthDegrees: 292, signalDecibelHertz: 46, isUsed: true),
        SkyView.Satellite(
          id: SatelliteID(constellation: .glonass, number: 4), elevationDegrees: 71,
          azimuthDegrees: 18, signalDecibelHertz: 42, isUsed: true),
      ])
    // Unhealthy and searching: no signal.
    let searched = Self.summed(Self.satellites, at: 16, [0x01, 0x03])
    let first = try #require(records(searched).first?.satellites?.first)
    #expect(first.isHealthy == false && !first.isUsed && first.signalDecibelHertz == nil)
    // A count beyond the payload.
    #expect(records(Self.summed(Self.satellites, at: 10, [255])).first?.satellites?.count == 3)
  }

  @Test("other messages are named, and damaged frames hide no sentence")
  func others() {
    // Examples of the specification: ACK-NACK of CFG-MSG, CFG-PPS.
    let all =
      bytes("f1d9050002000601 0e33")
      + bytes("f1d906070f0040420f000000000010270000010d01f386")
    #expect(
      decode(all) { _ in }.undecoded.description == "Allystar ACK-NACK 1, Allystar CFG-PPS 1")
    let good = Array(sentence("GPHDT,1.0,T").utf8)
    for index in Self.position.indices {
      var damaged = Self.position
      damaged[index] ^= 1
      let (sentences, counts) = decode(damaged + good)
      #expect(sentences.count == 1 && counts.otherFrames == 0, "byte \(index)")
    }
  }

  @Test("a stream of frames gives the same wherever it is divided")
  func splits() {
    expectSplitsAgree(
      Array(Self.position.prefix(30)) + Self.position + Self.dilutions
        + Array(sentence("GPHDT,1.0,T").utf8) + Self.satellites + Self.summary)
  }

  /// Made: 1.23 m/s to the north, 0.45 m/s to the west, 0.06 m/s downwards, at the position's time.
  private static let moving = bytes(
    """
    f1d90112240068d47c0a7b000000d3ffffff060000008300000083000000fba706020c00000090d003006913
    """)
  /// Time of week 175 952.999 s, accuracy 0, 742 993 ns, 3 February 2026, 00:52:15.
  private static let instant: [UInt8] = [
    0x67, 0xD4, 0x7C, 0x0A, 0, 0, 0, 0, 0x51, 0x56, 0x0B, 0, 0xEA, 7, 2, 3, 0, 52, 15,
  ]
  private static let date: [UInt8] = [0xEA, 7, 2, 3, 0, 52, 15]

  /// The frame with other bytes from an offset, and its checksum.
  private static func summed(_ frame: [UInt8], at offset: Int, _ bytes: [UInt8]) -> [UInt8] {
    var frame = frame
    frame.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    var (a, b): (UInt8, UInt8) = (0, 0)
    for byte in frame[2..<frame.count - 2] {
      a &+= byte
      b &+= a
    }
    return Array(frame.dropLast(2)) + [a, b]
  }
}
