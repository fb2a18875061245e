import Formats
import Quantities
import Testing

/// The expected bytes are those of pymavlink 2.4.50 for the same values.
@Suite("MAVLink", .timeLimit(.minutes(30)))
struct MAVLinkTests {
  private let place = GeodeticPosition(latitudeDegrees: 48.5, longitudeDegrees: -11.25)

  private func hex(_ bytes: [UInt8]?) -> String? {
    bytes?.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined(separator: " ")
  }

  private func estimate() -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: 100_000_000_000))
    e.attitude = Rotation(AttitudeAngles(heading: .zero, pitch: .zero, roll: .zero))
    e.isLevelKnown = true
    e.trueHeading = TrueHeading(Angle(degrees: 90))
    e.rateOfTurn = AngularSpeed(radiansPerSecond: 0.125)
    (e.fixKind, e.position, e.altitudeMetres) = (.rtkFixed, place, 512.346)
    e.velocity = Velocity(components: SIMD3(1.5, -2, 0.25))
    return e
  }

  private func fix() -> Fix {
    var fix = Fix(timestamp: Timestamp(nanoseconds: 100_000_000_000), kind: .rtkFixed)
    fix.utc = UTCTime(nanosecondsSince1970: 1_785_000_000_000_000_000)
    (fix.position, fix.altitudeMetres) = (place, 512.5)
    (fix.horizontalDilution, fix.verticalDilution) = (0.75, 1.25)
    fix.velocity = Velocity(components: SIMD3(1.5, -2, 0.25))
    (fix.horizontalAccuracyMetres, fix.verticalAccuracyMetres) = (0.02, 0.04)
    (fix.speedAccuracyMetresPerSecond, fix.satellitesUsed) = (0.5, 17)
    return fix
  }

  @Test("each message has the bytes of a second implementation, numbered in order")
  func bytes() {
    var report = MAVLinkReport(system: 7)
    let e = estimate()
    #expect(
      hex(report.heartbeat(e))
        == "FD 09 00 00 00 07 BF 00 00 00 00 00 00 00 12 08 00 04 03 43 7E")
    #expect(
      hex(report.attitude(e))
        == "FD 20 00 00 01 07 BF 1F 00 00 A0 86 01 00 F3 04 35 3F 00 00 00 00 00 00 00 00 "
        + "F3 04 35 3F 00 00 C0 7F 00 00 C0 7F 00 00 00 3E 49 FD")
    _ = report.heartbeat(e)
    #expect(
      hex(report.receiver(fix(), heading: .zero))
        == "FD 41 00 00 03 07 BF E8 00 00 00 E1 F5 05 00 00 00 00 50 94 9E 22 40 83 E8 1C "
        + "E0 62 4B F9 00 20 00 44 00 00 40 3F 00 00 A0 3F 00 00 C0 3F 00 00 00 C0 00 00 80 3E "
        + "00 00 00 3F 0A D7 A3 3C 0A D7 23 3D 00 00 7C 09 00 06 11 A0 8C 29 62")
  }

  @Test("without a fix every value is ignored, and the fix type says so")
  func noFix() {
    var report = MAVLinkReport(system: 7)
    for _ in 0..<4 { _ = report.heartbeat(estimate()) }
    var lost = Fix(timestamp: Timestamp(nanoseconds: 101_000_000_000), kind: .none)
    lost.satellitesUsed = 0
    #expect(
      hex(report.receiver(lost, heading: nil))
        == "FD 3E 00 00 04 07 BF E8 00 00 40 23 05 06 00 00 00 00 00 00 00 00 00 00 00 00 "
        + "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
        + "00 00 00 00 00 00 00 00 00 00 00 00 FF 00 00 00 00 01 4A 32")
    #expect(
      hex(
        report.pressure(
          PressureSample(
            timestamp: Timestamp(nanoseconds: 100_000_000_000), hectopascal: 954.5, celsius: 31)))
        == "FD 0E 00 00 05 07 BF 1D 00 00 A0 86 01 00 00 A0 6E 44 00 00 00 00 1C 0C D3 02")
    for kind in [FixKind.deadReckoning, .network, .simulated] {
      lost = fix()
      lost.kind = kind
      let bytes = report.receiver(lost, heading: nil)
      #expect(bytes[10 + 61] == 1 && bytes[22...29].allSatisfy { $0 == 0 }, "\(kind)")
    }
  }

  @Test("what is not known is not sent, and a simulation has its flag")
  func unknown() {
    var report = MAVLinkReport(system: 1)
    var e = estimate()
    e.trueHeading = nil
    #expect(report.attitude(e) == nil)
    e = estimate()
    e.isLevelKnown = false
    #expect(report.attitude(e) == nil)
    e.isSimulated = true
    #expect(report.heartbeat(e)[16] == 32)
  }
}
