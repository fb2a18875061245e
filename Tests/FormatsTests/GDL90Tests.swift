import Formats
import Quantities
import Testing

/// The expected bytes are the examples of Garmin 560-1058-00 Rev A (sections 2.2.4, 3.1 and 3.5.4)
/// and follow its tables.
@Suite("GDL 90", .timeLimit(.minutes(30)))
struct GDL90Tests {
  /// The values of the specification's example of a report.
  private func estimate() -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: 100_000_000_000))
    // 15:08:27 UTC, 54507 s.
    e.utc = UTCTime(nanosecondsSince1970: 1_785_078_507_000_000_000)
    e.fixKind = .threeDimensional
    // In the specification 44.90708 and -122.99488, which are rounded.
    let step = 180 / 8_388_608.0
    e.position = GeodeticPosition(
      latitudeDegrees: 2_092_821 * step, longitudeDegrees: -5_731_976 * step)
    (e.horizontalAccuracyMetres, e.verticalAccuracyMetres) = (12, 20)
    e.speedMetresPerSecond = 123 * 1852 / 3600
    e.verticalSpeedMetresPerSecond = 64 * 0.3048 / 60
    e.course = Angle(degrees: 45)
    return e
  }

  /// The pressure of 5000 feet in the standard atmosphere, hPa.
  private let pressure = PressureSample(
    timestamp: Timestamp(nanoseconds: 100_000_000_000), hectopascal: 843.07)

  private func report(_ e: Estimate, _ pressure: PressureSample? = nil) -> GDL90Report {
    GDL90Report(e, pressure: pressure)
  }

  /// The message of a frame, without flags, escapes and check.
  private func message(_ frame: [UInt8]) -> [UInt8] {
    var (bytes, isEscaped) = ([UInt8](), false)
    for byte in frame.dropFirst().dropLast() {
      if byte == 0x7D {
        isEscaped = true
      } else {
        bytes.append(isEscaped ? byte ^ 0x20 : byte)
        isEscaped = false
      }
    }
    return bytes.dropLast(2)
  }

  @Test("a frame has the check of the specification's example, and flags inside are escaped")
  func frame() {
    #expect(
      GDL90Report.framed([0x00, 0x81, 0x41, 0xDB, 0xD0, 0x08, 0x02])
        == [0x7E, 0x00, 0x81, 0x41, 0xDB, 0xD0, 0x08, 0x02, 0xB3, 0x8B, 0x7E])
    let escaped = GDL90Report.framed([0x7E, 0x7D])
    #expect(escaped.first == 0x7E && escaped.last == 0x7E)
    #expect(escaped.dropFirst().prefix(4) == [0x7D, 0x5E, 0x7D, 0x5D])
  }

  @Test("the own position has the bytes of the specification's example")
  func ownship() {
    let bytes = message(report(estimate(), pressure).ownship)
    #expect(bytes.count == 28 && bytes[0] == 10)
    #expect(Array(bytes[5...12]) == [0x1F, 0xEF, 0x15, 0xA8, 0x89, 0x78, 0x0F, 0x09])
    #expect(Array(bytes[14...18]) == [0x07, 0xB0, 0x01, 0x20, 0x01])
    // 19.4 m with 95 %: NACp 9 (30 m); no radius of containment: NIC 8 at best.
    #expect(bytes[13] == 0x89)
    var e = estimate()
    e.verticalAccuracyMetres = nil
    #expect(message(report(e).ownship)[13] == 0x88, "no height, NACp 8")
    e.horizontalAccuracyMetres = 3585
    #expect(message(report(e).heartbeat)[1] == 0x01, "coarse")
  }

  @Test("without a valid position there are zeros, and the heartbeat says so")
  func lost() {
    var e = estimate()
    #expect(message(report(e).heartbeat) == [0, 0x81, 0x01, 0xEB, 0xD4, 0, 0])
    for change in [
      { $0.fixKind = .deadReckoning }, { $0.isSimulated = true }, { $0.position = nil },
    ] as [(inout Estimate) -> Void] {
      e = estimate()
      change(&e)
      #expect(message(report(e).heartbeat)[1] == 0x01)
      let bytes = message(report(e).ownship)
      #expect(bytes[5...10].allSatisfy { $0 == 0 } && bytes[13] == 0)
      #expect(bytes[14] == 0xFF && bytes[15] >> 4 == 0xF, "no speed")
      #expect(report(e).geometricAltitude == nil)
    }
  }

  @Test("a simulation has no values, which have no mark for one")
  func simulated() {
    var e = estimate()
    e.isSimulated = true
    e.trueHeading = TrueHeading(Angle(degrees: 180))
    let bytes = message(report(e, pressure).ownship)
    #expect(bytes[11] == 0xFF && bytes[12] == 0xF8 && bytes[15] & 0xF == 0x8 && bytes[16] == 0)
    let attitude = message(report(e).attitude)
    #expect(attitude[2...7] == [0x7F, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
  }

  @Test("what is not known has the absent value")
  func absent() {
    var e = estimate()
    (e.verticalSpeedMetresPerSecond, e.course, e.utc) = (nil, nil, nil)
    let bytes = message(report(e).ownship)
    #expect(bytes[11] == 0xFF && bytes[12] == 0xF8, "neither pressure altitude nor direction")
    #expect(bytes[15] & 0xF == 0x8 && bytes[16] == 0)
    #expect(message(report(e).heartbeat)[2] & 1 == 0, "no time")
    e.trueHeading = TrueHeading(Angle(degrees: 180))
    let turned = message(report(e).ownship)
    #expect(turned[12] & 0xF == 0xB && turned[17] == 0x80, "a true heading in place of the track")
  }

  @Test("the geometric altitude is in units of five feet, with its figure of merit")
  func altitude() throws {
    var e = estimate()
    (e.verticalAccuracyMetres, e.ellipsoidalAltitudeMetres) = (nil, -1000 * 0.3048)
    #expect(message(try #require(report(e).geometricAltitude)) == [11, 0xFF, 0x38, 0x7F, 0xFF])
    e.verticalAccuracyMetres = 25
    #expect(message(try #require(report(e).geometricAltitude)) == [11, 0xFF, 0x38, 0, 50])
  }

  @Test("the attitude is in tenths of a degree, right down and bow up positive")
  func attitude() {
    var e = estimate()
    #expect(
      message(report(e).attitude)
        == [0x65, 1, 0x7F, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
    e.attitude = Rotation(
      AttitudeAngles(heading: .zero, pitch: Angle(degrees: -5), roll: Angle(degrees: 10)))
    e.isLevelKnown = true
    e.magneticHeading = MagneticHeading(Angle(degrees: 90))
    #expect(
      message(report(e).attitude).dropFirst(2).prefix(6) == [0, 100, 0xFF, 0xCE, 0x83, 0x84])
    e.trueHeading = TrueHeading(Angle(degrees: 359.96))
    #expect(message(report(e).attitude)[6...7] == [0, 0])
  }

  @Test("the identity has name and datum")
  func identity() {
    let bytes = message(GDL90Report.identity)
    #expect(bytes.count == 39 && bytes.prefix(3) == [0x65, 0, 1])
    #expect(String(decoding: bytes[11..<19], as: UTF8.self) == "Lodestar")
    #expect(bytes.suffix(4) == [0, 0, 0, 0], "above the ellipsoid")
  }
}
