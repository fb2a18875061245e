import Foundation
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// Logs of Unicore and NovAtel. The lines and frames with values are published, with their CRC:
/// those of the sources that each test names; the binary ones of Unicore are laid out and read by
/// pyunigps 1.0.1.
@Suite("Logs of NovAtel and Unicore", .timeLimit(.minutes(30)))
struct LogTests {
  // Tests of two drivers for the UM982.
  private static let heading =
    "#UNIHEADINGA,78,GPS,FINE,2428,116060000,0,0,18,11;SOL_COMPUTED,NARROW_INT,1.4773,179.0284,"
    + "-2.4202,0.0000,0.8259,1.0921,\"999\",27,21,21,15,3,01,3,f3*5d424350\r\n"
  private static let float =
    "#UNIHEADINGA,93,GPS,FINE,2385,326588000,0,0,18,10;SOL_COMPUTED,NARROW_FLOAT,5.5208,219.9783,"
    + "24.6813,0.0000,16.4390,35.3287,\"999\",21,9,9,5,3,00,3,13*53e4320d\r\n"
  // A comment of a driver for the UM482, whose header is NovAtel's.
  private static let olderHeading =
    "#HEADINGA,COM2,0,23.0,FINE,2376,266819.200,112748,24,18;SOL_COMPUTED,NARROW_INT,0.7935,"
    + "309.5608,-1.6492,0.0000,0.2902,0.7118,\"999\",52,46,46,27,3,00,3,f3*91c43d2c\r\n"
  // The test of NovAtel's EDIE, "ASCII_COMPLETE".
  private static let position =
    "#BESTPOSA,COM1,0,83.5,FINESTEERING,2163,329760.000,02400000,b1f6,65535;SOL_COMPUTED,SINGLE,"
    + "51.15043874397,-114.03066788586,1097.6822,-17.0000,WGS84,1.3648,1.1806,3.1112,\"\",0.000,0.000,"
    + "18,18,18,0,00,02,11,01*c3194e35\r\n"
  // The test of NovAtel's EDIE, "BINARY_COMPLETE".
  private static let binaryPosition = bytes(
    """
    aa44121c2a00002048000000a3b473089874a81300000002f6b1ffff0000000010000000fcabe18241934940ba32868a\
    f6815cc00010e5df71239140000088c13d0000002421a53ff18f8f3f43743c400000000000000000000000001515150000\
    02110155cec389
    """)
  // NovAtel OEM7 commands and logs, "32-bit CRC".
  private static let olderBinaryPosition = bytes(
    """
    aa44121c2a0002204800000090b49305b0abb9120000000045 61bc0a00000000100000001b0450b3f28e494016fa6bbe\
    7c825cc0006076 9f449f9040a62a82c13d000000125acb3fcd9e983fdb664040003030300000000000000000 0b0b0000\
    00060003 42dc4c48
    """)

  @Test("UNIHEADINGA and HEADINGA give heading, pitch and their accuracies")
  func directions() throws {
    let report = try #require(headings(Array(Self.heading.utf8)).first)
    expectNear(report.trueHeading?.angle.degrees, 179.0284)
    expectNear(report.pitch?.degrees, -2.4202)
    expectNear(report.headingAccuracy?.degrees, 0.8259)
    expectNear(report.pitchAccuracy?.degrees, 1.0921)
    // GPS week 2428, 116 060 s, less 18 leap seconds.
    #expect(report.utc == UTCTime(gpsWeek: 2428, nanosecondsOfWeek: 116_042_000_000_000))
    let older = try #require(headings(Array(Self.olderHeading.utf8)).first)
    expectNear(older.trueHeading?.angle.degrees, 309.5608)
    expectNear(older.headingAccuracy?.degrees, 0.2902)
  }

  @Test("a float solution and one that is not computed have no direction")
  func uncertainDirections() {
    #expect(headings(Array(Self.float.utf8)).isEmpty)
    #expect(records(Array(Self.float.utf8)).count == 1)
    let none = log(
      "UNIHEADINGA,97,GPS,FINE,2190,365174000,0,0,18,12;INSUFFICIENT_OBS,NARROW_INT,1,2,3,0,1,1")
    #expect(headings(Array(none.utf8)).isEmpty)
  }

  @Test(
    "the field's case gives the accuracies also where THS is not valid, once its CRC is right",
    .enabled(if: SharedData.path("data/cases") != nil, "no reference data"))
  func fieldCase() throws {
    // The lines of the case have the CRC of the manual's example, whose values they do not have.
    let text = String(
      decoding: try #require(SharedData.bytes("data/cases/01-um982-heading/in.nmea")), as: UTF8.self
    )
    let repaired = text.split(whereSeparator: \.isNewline).map { line in
      line.hasPrefix("#") ? log(String(line.dropFirst().prefix { $0 != "*" })) : line + "\r\n"
    }
    let exact = headings(Array(repaired.joined().utf8)).filter { $0.headingAccuracy != nil }
    #expect(exact.count == 2)
    for (report, heading) in zip(exact, [341.3344, 341.4344]) {
      expectNear(report.trueHeading?.angle.degrees, heading)
      expectNear(report.pitch?.degrees, -6.2505)
      expectNear(report.headingAccuracy?.degrees, 1.605)
      expectNear(report.pitchAccuracy?.degrees, 2.469)
    }
    let (_, counts) = decode(text)
    #expect(counts.badChecksum == 2)
    #expect(epochs(repaired.joined()).count == 2, "a heading begins no instant")
  }

  @Test("BESTPOSA alone makes a fix with the receiver's own accuracies")
  func positions() throws {
    let second = Self.position.replacingOccurrences(of: "329760.000", with: "329761.000")
    let stream = Self.position + log(String(second.dropFirst().prefix { $0 != "*" }))
    let all = epochs(stream)
    #expect(all.count == 2)
    let fix = try #require(all.first?.validFix)
    #expect(fix.kind == .threeDimensional)
    expectNear(fix.position?.latitude.degrees, 51.15043874397, 1e-10)
    expectNear(fix.position?.longitude.degrees, -114.03066788586, 1e-10)
    expectNear(fix.altitudeMetres, 1097.6822)
    expectNear(fix.ellipsoidalAltitudeMetres, 1080.6822)
    expectNear(fix.horizontalAccuracyMetres, (1.3648 * 1.3648 + 1.1806 * 1.1806).squareRoot())
    expectNear(fix.verticalAccuracyMetres, 3.1112)
    #expect(fix.satellitesUsed == 18)
    #expect(fix.utc == UTCTime(gpsWeek: 2163, nanosecondsOfWeek: 329_742_000_000_000))
    #expect(all.first?.isTimeResolved == false, "the leap seconds are assumed")
  }

  // The values are those that Python's struct reads by the table of BESTPOS.
  @Test("BESTPOSB alone makes a fix with the receiver's own accuracies")
  func binaryPositions() throws {
    let fix = try #require(epochs(Self.binaryPosition).first?.validFix)
    #expect(fix.kind == .threeDimensional)
    expectNear(fix.position?.latitude.degrees, 51.150436744872394, 1e-12)
    expectNear(fix.position?.longitude.degrees, -114.03067267518318, 1e-12)
    expectNear(fix.altitudeMetres, 1096.8612056532875)
    expectNear(fix.ellipsoidalAltitudeMetres, 1079.8612056532875)
    expectNear(fix.horizontalAccuracyMetres, 1.709454)
    expectNear(fix.verticalAccuracyMetres, 2.9445961)
    #expect(fix.satellitesUsed == 21)
    #expect(fix.utc == UTCTime(gpsWeek: 2163, nanosecondsOfWeek: 329_789_000_000_000))
    let older = try #require(epochs(Self.olderBinaryPosition).first?.validFix)
    expectNear(older.position?.latitude.degrees, 51.11678162962945, 1e-12)
    expectNear(older.altitudeMetres, 1063.8170145507902)
    #expect(older.satellitesUsed == 11)
    #expect(older.utc == UTCTime(gpsWeek: 1427, nanosecondsOfWeek: 314_140_000_000_000))
  }

  // A driver's test of the R4.10 firmware; the CRC of its line is not of this text, so it is made
  // here.
  private static let navigation = log(
    "BESTNAVA,97,GPS,FINE,2294,472312000,0,0,18,16;SOL_COMPUTED,NARROW_FLOAT,40.0789588272,"
      + "116.2365102982,65.8312,-8.4925,WGS84,1.2221,1.1053,2.1970,\"0\",0.400,0.200,50,28,28,0,1,12,"
      + "12,41,SOL_COMPUTED,DOPPLER_VELOCITY,0.000,0.000,0.0046,335.592288,0.0045,0.0194,0.0123")
  // The same values.
  private static let binaryNavigation = bytes(
    """
    aa44b5614608780000a0f608c0e8261c0000000000120c000000000022000000fa46a6521b0a4440ebfb16fc220f5d40\
    da1b7c613275504048e107c13d000000c66d9c3f787a8d3fa69b0c4030000000cdcccc3ecdcc4c3e321c1c0001121241\
    000000000800000000000000000000004850fc1873d7723f035dfb027af974403bdf4f8d976e723fc0ec9e3cf085493c\
    b788e8a5
    """)

  @Test("BESTNAV gives position, motion and accuracies, in ASCII and in binary")
  func navigation() throws {
    for stream in [Array(Self.navigation.utf8), Self.binaryNavigation] {
      let epoch = try #require(epochs(stream).first)
      let fix = epoch.validFix
      #expect(fix.kind == .rtkFloat)
      expectNear(fix.position?.latitude.degrees, 40.0789588272, 1e-10)
      expectNear(fix.position?.longitude.degrees, 116.2365102982, 1e-10)
      expectNear(fix.altitudeMetres, 65.8312)
      expectNear(fix.ellipsoidalAltitudeMetres, 57.3387)
      expectNear(fix.horizontalAccuracyMetres, 1.64777, 1e-4)
      expectNear(fix.verticalAccuracyMetres, 2.197)
      expectNear(fix.speedMetresPerSecond, 0.0046)
      expectNear(fix.course?.degrees, 335.592288)
      expectNear(fix.verticalSpeedMetresPerSecond, 0.0045)
      expectNear(fix.speedAccuracyMetresPerSecond, 0.0123)
      expectNear(fix.correctionAgeSeconds, 0.4)
      #expect(fix.satellitesUsed == 28)
      #expect(fix.utc == UTCTime(gpsWeek: 2294, nanosecondsOfWeek: 472_294_000_000_000))
      #expect(epoch.leapSeconds == 18 && epoch.isTimeResolved == nil)
    }
  }

  // The configuration file of a driver for the UM982.
  private static let solution =
    "#PVTSLNA,79,GPS,FINE,2377,93246900,0,0,18,8;SINGLE,188.1621,34.60324214605,-86.74943363150,"
    + "7.5696,4.3304,3.4834,0.000,SINGLE,188.1621,34.60324214605,-86.74943363150,-28.5587,19,17,19,17,"
    + "-0.0933,-0.0469,-0.1506,NONE,0.0000,0.0000,0.0000,0,0,0,0,2.8451,1.6314,0.8332,2.4753,2.3309,"
    + "5.0,17,3,4,9,16,26,31,47,49,51,76,77,82,104,179,182,196,205*d127bb24\r\n"

  @Test("PVTSLNA gives position, accuracies, speed and dilutions, and a heading where it is fixed")
  func solutions() throws {
    let epoch = try #require(epochs(Self.solution).first)
    let fix = epoch.validFix
    expectNear(fix.position?.latitude.degrees, 34.60324214605, 1e-10)
    expectNear(fix.altitudeMetres, 188.1621)
    expectNear(fix.verticalAccuracyMetres, 7.5696)
    expectNear(fix.horizontalAccuracyMetres, (4.3304 * 4.3304 + 3.4834 * 3.4834).squareRoot())
    expectNear(fix.speedMetresPerSecond, 0.104425, 1e-5)
    expectNear(epoch.geoidSeparationMetres, -28.5587)
    expectNear(fix.horizontalDilution, 0.8332)
    expectNear(epoch.positionDilution, 1.6314)
    expectNear(epoch.timeDilution, 2.3309)
    #expect(fix.satellitesUsed == 17)
    #expect(headings(Array(Self.solution.utf8)).isEmpty)
    let body = Self.solution.dropFirst().prefix { $0 != "*" }
    let fixed = body.replacingOccurrences(
      of: "NONE,0.0000,0.0000,0.0000", with: "NARROW_INT,0.43,90.0,-1.5")
    let report = try #require(headings(Array(log(fixed).utf8)).first)
    expectNear(report.trueHeading?.angle.degrees, 90)
    expectNear(report.pitch?.degrees, -1.5)
  }

  @Test("UNIHEADINGB has the values of its form in ASCII")
  func binaryHeading() throws {
    let frame = bytes(
      """
      aa44b561cc032c0000a08e08f01cc4150000000000120c000000000032000000925cbe3eceaaaa431904c8c000000000\
      a470cd3f19041e40393939001f1f1f1c030003f32dbae0fa
      """)
    let report = try #require(headings(frame).first)
    expectNear(report.trueHeading?.angle.degrees, 341.33441, 1e-4)
    expectNear(report.pitch?.degrees, -6.2505, 1e-5)
    expectNear(report.headingAccuracy?.degrees, 1.605)
    expectNear(report.pitchAccuracy?.degrees, 2.469)
    #expect(report.utc == UTCTime(gpsWeek: 2190, nanosecondsOfWeek: 365_156_000_000_000))
  }

  @Test("a receiver set to BeiDou's time has the same UTC")
  func beiDou() {
    let gps = records(Array(Self.navigation.utf8)).first
    let text = Self.navigation.dropFirst().prefix { $0 != "*" }
      .replacingOccurrences(of: "GPS,FINE,2294,472312000", with: "BDS,FINE,938,472298000")
    let beiDou = records(Array(log(text).utf8)).first
    #expect(beiDou?.week == gps?.week)
    #expect(beiDou?.timeOfWeekMilliseconds == gps?.timeOfWeekMilliseconds)
  }

  @Test("a damaged log is rejected, a comment with # is noise, and sentences after both are read")
  func damage() {
    let good = sentence("GPHDT,1.0,T")
    let damaged = Self.position.replacingOccurrences(of: "51.15", with: "51.25")
    var (sentences, counts) = decode(damaged + good)
    #expect(counts.badChecksum == 1 && sentences.count == 1)
    for cut in ["#BESTPOSA,COM1,0;SOL", "#BESTPOSA,COM1,0;SOL*12", "#BESTPOSA,COM1;\u{1}"] {
      (sentences, counts) = decode(cut + good)
      #expect(counts.cut == 1 && sentences.count == 1, "\(cut)")
    }
    for comment in ["# a comment\r\n", "#Comment, more\r\n", "#A#B#\n"] {
      (sentences, counts) = decode(comment + good)
      #expect(counts.rejected == 0 && counts.noiseBytes > 0 && sentences.count == 1, "\(comment)")
    }
    (sentences, counts) = decode(log("BESTPOSA,COM1,0,83.5,FINE,2163,329760.000,0,0,0;SOL") + good)
    #expect(counts.malformed == 1 && sentences.count == 1)
    (sentences, counts) = decode(log("VERSIONA,97,GPS,FINE,2190,1,0,0,18,8;\"UM982\"") + good)
    #expect(counts.unregistered == 1 && sentences.count == 1)
  }

  @Test("a stream of logs gives the same wherever it is divided")
  func splits() {
    expectSplitsAgree(
      Array((Self.heading + sentence("GPHDT,1.0,T")).utf8) + Self.binaryPosition
        + Self.binaryNavigation + Array(Self.position.utf8))
  }
}

/// A log with its CRC, by another algorithm than the code under test.
private func log(_ body: String) -> String {
  var table: [UInt32] = []
  for index in UInt32(0)..<256 {
    table.append(
      (0..<8).reduce(index) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 })
  }
  var sum: UInt32 = 0
  for byte in body.utf8 { sum = sum >> 8 ^ table[Int((sum ^ UInt32(byte)) & 255)] }
  let digits = String(sum, radix: 16)
  return "#\(body)*\(String(repeating: "0", count: 8 - digits.count))\(digits)\r\n"
}
