import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The frames are packed by Python's struct from the table of AN0028, with a position by its own
/// formulas; no other decoder of the message was at hand.
@Suite("SkyTraq", .timeLimit(.minutes(30)))
struct SkyTraqTests {
  private static let threeDimensional = bytes(
    """
    a0a1003ba802090961014dc3700ec5d9844820775c000030390000269400dd00bc006100a10074ee354bb11d99af\
    c60fd704480000007dffffffd80000001e930d0a
    """)
  private static let twoDimensional = bytes(
    """
    a0a1003ba801090961014dc3d40ec5d9844820775c000030390000269400dd00bc006100a10074ee354bb11d99af\
    c60fd704480000007dffffffd80000001e340d0a
    """)
  private static let noFix = bytes(
    """
    a0a1003ba800090961014dc4380ec5d9844820775c000030390000269400dd00bc006100a10074ee354bb11d99af\
    c60fd704480000007dffffffd80000001ede0d0a
    """)

  @Test("navigation data alone makes a fix")
  func fix() throws {
    let all = epochs(Self.threeDimensional + Self.twoDimensional + Self.noFix)
    #expect(all.map(\.dimension) == [.three, .two, .none])
    let epoch = try #require(all.first)
    let fix = epoch.validFix
    expectNear(fix.position?.latitude.degrees, 24.78473, 1e-12)
    expectNear(fix.position?.longitude.degrees, 121.008726, 1e-12)
    expectNear(fix.ellipsoidalAltitudeMetres, 123.45)
    expectNear(fix.altitudeMetres, 98.76)
    expectNear(fix.speedMetresPerSecond, 1.1042583, 1e-6)
    expectNear(fix.course?.degrees, 308.40889, 1e-4)
    expectNear(fix.verticalSpeedMetresPerSecond, -0.7701387, 1e-6)
    expectNear(epoch.geometricDilution, 2.21)
    expectNear(epoch.positionDilution, 1.88)
    expectNear(fix.horizontalDilution, 0.97)
    expectNear(epoch.verticalDilution, 1.61)
    expectNear(epoch.timeDilution, 1.16)
    #expect(fix.satellitesUsed == 9)
    #expect(fix.utc == UTCTime(gpsWeek: 2401, nanosecondsOfWeek: 218_717_200_000_000))
  }

  @Test("a damaged frame hides no sentence")
  func damage() {
    let good = Array(sentence("GPHDT,1.0,T").utf8)
    for index in [5, 20, 63, 64, 65] {
      var damaged = Self.threeDimensional
      damaged[index] ^= 1
      let (sentences, counts) = decode(damaged + good)
      #expect(sentences.count == 1 && counts.otherFrames == 0, "byte \(index)")
    }
  }

  @Test("a stream of frames gives the same wherever it is divided")
  func splits() {
    expectSplitsAgree(
      Array(Self.threeDimensional.prefix(30)) + Self.threeDimensional
        + Array(sentence("GPHDT,1.0,T").utf8) + Self.twoDimensional)
  }
}
