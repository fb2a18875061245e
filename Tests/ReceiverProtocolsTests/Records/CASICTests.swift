import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The frames are recorded ones of an AT6558 and an ATGM332D, with the values of casictool's tests
/// (jclark/casictool, casbin) and those that Python's struct reads.
@Suite("CASIC", .timeLimit(.minutes(30)))
struct CASICTests {
  private static let position = bytes(
    """
    bace5000010398a451000707031a09110000f5ec953f98b1ff3d43295940521c09dbae762b40418ef7c100000000621a\
    e13eb191973f0000000000000000000000000000000000000000000000000856d6380024744924cc33b9
    """)
  private static let dilutions = bytes(
    "bace1c00010198a45100f5ec953fa6061c3faa07803f20fbbe3ee1c8f63e11b6363f0b1a717c")
  private static let solution = bytes(
    """
    bace48000102418cc804070700031909100072006209e60800008036cb40bae82a46797731c1bf42b680973b5741053d\
    8e86a7f3364107c0c93f00000000000000000000000088ea6b39a4c2893fe958f59d
    """)
  private static let utc = bytes(
    "bace180001102890c804ee3d8940004959b70000ea0701120333380700036730994a")
  private static let fractionalUTC = bytes(
    "bace18000110f28f6f05ec82c240e6e5a139c800ea0707160f191a070003c516ceb3")

  @Test("NAV-PV and NAV-DOP of one instant make an epoch without a time")
  func position() throws {
    let all = epochs(Self.position + Self.dilutions)
    #expect(all.count == 1)
    let epoch = try #require(all.first)
    let fix = epoch.validFix
    #expect(fix.kind == .threeDimensional && fix.utc == nil)
    expectNear(fix.position?.latitude.degrees, 13.731802792417657, 1e-12)
    expectNear(fix.position?.longitude.degrees, 100.64472913713541, 1e-12)
    expectNear(fix.ellipsoidalAltitudeMetres, -30.944, 1e-2)
    #expect(fix.altitudeMetres == nil, "a separation of zero is unknown")
    // The square roots of 0.4396 and 1.1841 square metres.
    expectNear(fix.horizontalAccuracyMetres, 0.66305, 1e-3)
    expectNear(fix.verticalAccuracyMetres, 1.08816, 1e-3)
    #expect(fix.satellitesUsed == 26)
    expectNear(fix.speedMetresPerSecond, 0)
    expectNear(epoch.positionDilution, 1.17130, 1e-4)
    expectNear(fix.horizontalDilution, 0.60948, 1e-4)
    expectNear(epoch.verticalDilution, 1.00024, 1e-4)
  }

  @Test("NAV-SOL makes a fix from its earth-centred position and GPS time")
  func solution() throws {
    let epoch = try #require(epochs(Self.solution).first)
    let fix = epoch.validFix
    #expect(fix.kind == .threeDimensional && fix.satellitesUsed == 25)
    // By Python's own formulas from the earth-centred position.
    expectNear(fix.position?.latitude.degrees, 13.731808028886439, 1e-9)
    expectNear(fix.position?.longitude.degrees, 100.64473330951242, 1e-9)
    expectNear(fix.ellipsoidalAltitudeMetres, -28.46566, 1e-3)
    // The square root of two thirds of the variance of 1.57617 square metres.
    expectNear(fix.horizontalAccuracyMetres, 1.02507, 1e-4)
    #expect(fix.utc == UTCTime(gpsWeek: 2402, nanosecondsOfWeek: 13_915_000_000_000))
  }

  @Test("NAV-TIMEUTC gives the time of the instant, to the millisecond")
  func time() throws {
    // The position and dilutions of the time's instant.
    let runTime = Array(Self.utc[6..<10])
    let all = epochs(moved(Self.position, to: runTime) + Self.utc)
    #expect(all.count == 1)
    let epoch = try #require(all.first)
    #expect(epoch.fix.position != nil && epoch.isTimeResolved == true)
    #expect(
      epoch.fix.utc
        == UTCTime(year: 2026, month: 1, day: 18).map {
          UTCTime(nanosecondsSince1970: $0.nanosecondsSince1970 + 13_916_000_000_000)
        })
    let fraction = try #require(records(Self.fractionalUTC).first?.utc)
    #expect(fraction.nanosecondsOfDay == (15 * 3600 + 25 * 60 + 26) * 1_000_000_000 + 200_000_000)
  }

  @Test("another time since the start begins another epoch")
  func instants() {
    #expect(epochs(Self.position + moved(Self.position, to: [1, 2, 3, 4])).count == 2)
  }

  @Test("a position that is entered, estimated or old is none")
  func oldPositions() {
    for flag in UInt8(0)...3 {
      var frame = Self.position
      frame[10] = flag
      let epoch = epochs(summed(frame)).first
      #expect(epoch?.fix.position == nil && epoch?.dimension == ReceiverEpoch.Dimension.none)
    }
  }

  @Test("a stream of frames gives the same wherever it is divided")
  func splits() {
    var damaged = Self.position
    damaged[30] ^= 1
    expectSplitsAgree(
      damaged + Self.position + Self.dilutions + Array(sentence("GPHDT,1.0,T").utf8) + Self.utc)
    let (sentences, counts) = decode(damaged + Array(sentence("GPHDT,1.0,T").utf8))
    #expect(sentences.count == 1 && counts.otherFrames == 0)
  }

  /// The frame with another time since the start.
  private func moved(_ frame: [UInt8], to runTime: [UInt8]) -> [UInt8] {
    var frame = frame
    frame.replaceSubrange(6..<10, with: runTime)
    return summed(frame)
  }

  /// The frame with its checksum: the sum of its words after the synchronisation bytes, the first
  /// of which has the length below.
  private func summed(_ frame: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 0
    for start in stride(from: 2, to: frame.count - 4, by: 4) {
      for offset in 0..<4 { sum &+= UInt32(frame[start + offset]) << UInt32(8 * offset) }
    }
    return frame.dropLast(4) + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
  }
}
