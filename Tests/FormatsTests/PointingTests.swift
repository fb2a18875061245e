import EarthModel
import Formats
import Quantities
import Testing

@Suite("Pointing", .timeLimit(.minutes(30)))
struct PointingTests {
  /// The bow 30° above the horizon and 80° from magnetic north, 85° from true north, the board
  /// rolled to its right by 10°.
  private func estimate() -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: 100_000_000_000))
    let (heading, pitch) = (Angle(degrees: 80), Angle(degrees: 30))
    e.attitude = Rotation(
      AttitudeAngles(heading: heading, pitch: pitch, roll: Angle(degrees: 10)))
    e.isLevelKnown = true
    e.magneticHeading = MagneticHeading(heading)
    e.trueHeading = TrueHeading(Angle(degrees: 85))
    e.utc = UTCTime(year: 2026, month: 7, day: 1, hour: 22, minute: 15, second: 30)
    e.position = GeodeticPosition(latitudeDegrees: 48.5, longitudeDegrees: 11.25)
    return e
  }

  private func expect(
    _ direction: HorizontalDirection?, _ azimuth: Double, _ altitude: Double, _ text: String
  ) {
    guard let direction else {
      Issue.record("\(text): no direction")
      return
    }
    let turned = (direction.azimuth - Angle(degrees: azimuth)).wrappedToHalfTurn.degrees
    #expect(abs(turned) < 0.001, "\(text): \(direction.azimuth.degrees)")
    #expect(abs(direction.altitude.degrees - altitude) < 0.001, "\(text)")
    #expect((0..<2 * .pi).contains(direction.azimuth.radians), "\(text)")
  }

  @Test("each axis of the board has its true azimuth and altitude")
  func axes() {
    // By scipy's Rotation.from_euler("ZYX", [85, 30, 10]) of the unit vectors.
    let expected: [(AxisDirection, Double, Double)] = [
      (.forward, 85, 30), (.backward, 265, -30), (.right, 169.9616, -8.6492),
      (.left, 349.9616, 8.6492), (.down, 65.5746, -58.5251), (.up, 245.5746, 58.5251),
    ]
    for (axis, azimuth, altitude) in expected {
      expect(PointingReport(axis: axis).direction(estimate()), azimuth, altitude, "\(axis)")
    }
  }

  @Test("an axis that points to the zenith has its altitude, also where it is the bow")
  func zenith() {
    var e = estimate()
    e.attitude = Rotation(
      AttitudeAngles(heading: Angle(degrees: 10), pitch: Angle(degrees: 90), roll: .zero))
    e.trueHeading = TrueHeading(Angle(degrees: 15))
    let direction = PointingReport(axis: .forward).direction(e)
    #expect((direction?.altitude.degrees ?? 0) > 89.999)
    // The mast of the upright board lies level, towards the stern.
    expect(PointingReport(axis: .up).direction(e), 195, 0, "up")
  }

  @Test("an alignment turns the direction to the star, and beyond the zenith to the other side")
  func alignment() throws {
    var report = PointingReport(axis: .forward)
    let e = estimate()
    let sky = try #require(PointingReport.sky(e))
    for (azimuth, altitude) in [(95.0, 27.5), (0.5, 80), (275, -5)] {
      let star = HorizontalDirection(
        azimuth: Angle(degrees: azimuth), altitude: Angle(degrees: altitude))
      report.alignment = try #require(report.alignment(on: sky.equatorial(star), e))
      #expect(abs(report.alignment.azimuth.degrees) <= 180)
      expect(report.direction(e), azimuth, altitude, "\(azimuth)")
    }
    report.alignment = PointingAlignment(azimuth: .zero, altitude: Angle(degrees: 65))
    expect(report.direction(e), 265, 85, "beyond")
  }

  @Test("with refraction the star is lower than the axis, and an alignment on it leads back")
  func refraction() throws {
    let e = estimate()
    let sky = try #require(PointingReport.sky(e))
    var report = PointingReport(axis: .forward, hasRefraction: true)
    let star = sky.horizontal(try #require(report.ofDate(e)))
    #expect(abs(star.altitude.degrees - (30 - 1.669 / 60)) < 0.001)
    report.alignment = try #require(report.alignment(on: sky.equatorial(star), e))
    expect(report.direction(e), 85, 30, "aligned")
  }

  @Test("what is not known has no direction")
  func unknown() {
    let report = PointingReport(axis: .up)
    let changes: [(inout Estimate) -> Void] = [
      { $0.isLevelKnown = false }, { $0.trueHeading = nil }, { $0.attitude = nil },
      { $0.headingState = .lost }, { $0.headingState = .ended },
    ]
    for (index, change) in changes.enumerated() {
      var e = estimate()
      change(&e)
      #expect(report.direction(e) == nil && report.j2000(e) == nil, "\(index)")
    }
    let places: [(inout Estimate) -> Void] = [
      { $0.position = nil }, { $0.utc = nil }, { $0.positionState = .lost },
    ]
    for (index, change) in places.enumerated() {
      var e = estimate()
      change(&e)
      #expect(report.direction(e) != nil && report.ofDate(e) == nil, "\(index)")
    }
  }

  private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.map { $0 == 0xDF ? UInt8(ascii: "*") : $0 }, as: UTF8.self)
  }

  @Test("angles of LX200 are rounded with a carry, and read back")
  func sexagesimal() {
    let hours = LX200Angle.hours
    #expect(text(hours(Angle(degrees: 83.633_083), false)) == "05:34:32")
    #expect(text(hours(Angle(degrees: 83.633_083), true)) == "05:34.5")
    #expect(text(hours(Angle(degrees: 359.999), false)) == "00:00:00")
    #expect(text(LX200Angle.signed(Angle(degrees: -0.5))) == "-00*30'00")
    #expect(text(LX200Angle.signed(Angle(degrees: 22.0145))) == "+22*00'52")
    #expect(text(LX200Angle.signed(Angle(degrees: -11.25), digits: 3, isShort: true)) == "-011*15")
    #expect(text(LX200Angle.turn(Angle(degrees: 359.999_9))) == "000*00'00")
    #expect(text(LX200Angle.turn(Angle(degrees: 128.75), isShort: true)) == "128*45")
    let number = { (text: String, limit: Double) in
      LX200Angle.number(Array(text.utf8)[...], limit: limit)
    }
    #expect(number("05:34:32", 24).map { abs($0 - 5.575_555_6) < 1e-6 } == true)
    #expect(number(" 05:34.5", 24).map { abs($0 - 5.575) < 1e-9 } == true)
    #expect(number("-00*30:00", 90) == -0.5)
    #expect(LX200Angle.number(Array("+22".utf8) + [0xDF] + Array("30'36".utf8), limit: 90) == 22.51)
    for wrong in ["", "+", "91*00", "12*60", "1*2*3*4", "x:y", "12", "1..2:00", "nan:00"] {
      #expect(number(wrong, 90) == nil, "\(wrong)")
    }
  }

  @Test("messages of Stellarium have the bytes of its description, in any pieces")
  func stellarium() throws {
    // By Python's struct, format <HHQIii.
    let utc = UTCTime(nanosecondsSince1970: 1_785_000_000_123_456_000)
    let direction = EquatorialDirection(
      rightAscension: Angle(degrees: 300.541_13), declination: Angle(degrees: -33.25))
    #expect(
      StellariumMessage.position(direction, at: utc, isFaulty: false)
        == [
          24, 0, 0, 0, 64, 114, 238, 178, 114, 87, 6, 0,
          210, 215, 183, 213, 176, 5, 91, 232, 0, 0,
          0, 0,
        ])
    #expect(
      StellariumMessage.position(direction, at: utc, isFaulty: true).suffix(4)
        == [255, 255, 255, 255])
    let goto: [UInt8] = [20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 75, 236, 120, 59, 15, 158, 167, 15]
    var input: [UInt8] = []
    for byte in goto.dropLast() {
      input.append(byte)
      #expect(try StellariumMessage.request(&input) == nil)
    }
    input += [goto[19], 4, 0, 9, 0, 8]
    guard case .goto(let star) = try StellariumMessage.request(&input) else {
      Issue.record("no goto")
      return
    }
    #expect(abs(star.rightAscension.degrees - 83.633) < 1e-6)
    #expect(abs(star.declination.degrees - 22.0145) < 1e-6)
    #expect(try StellariumMessage.request(&input) == .other)
    #expect(input == [8])
    input = [3, 0, 0]
    #expect(throws: StellariumFault.self) { try StellariumMessage.request(&input) }
    input = [255, 255]
    #expect(throws: StellariumFault.self) { try StellariumMessage.request(&input) }
  }
}
