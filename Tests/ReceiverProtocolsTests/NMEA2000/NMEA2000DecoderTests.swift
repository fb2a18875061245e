import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Devices of an NMEA 2000 bus as sources", .timeLimit(.minutes(30)))
struct NMEA2000DecoderTests {
  private func reports(
    _ frames: [CANFrame], _ decoder: inout NMEA2000Decoder, at second: Double = 1
  ) -> [ReceiverReport] {
    var reports: [ReceiverReport] = []
    for frame in frames { decoder.receive(frame, at: seconds(second)) { reports.append($0) } }
    return reports
  }

  private func lastHeading(_ reports: [ReceiverReport]) -> HeadingReport? {
    reports.compactMap { if case .heading(let report) = $0 { report } else { nil } }.last
  }

  private func lastEpoch(_ reports: [ReceiverReport]) -> ReceiverEpoch? {
    reports.compactMap { if case .epoch(let epoch) = $0 { epoch } else { nil } }.last
  }

  /// The frames of a fix of a device.
  private func fix(
    from source: UInt8, method: Int = PGN.Code.gnss, latitude: Double = 54.5, sequence: UInt8 = 0
  ) -> [CANFrame] {
    var message = PGNMessage(.gnssPosition)
    message[.date] = 20_000
    message[.time] = 3600.5
    message[.latitude] = latitude
    message[.longitude] = -10.25
    message[.altitude] = 48.5
    message[.separation] = 46
    message[code: .method] = method
    message[.satellites] = 9
    message[.horizontalDilution] = 0.9
    let header = MessageHeader(priority: 3, pgn: 129_029, source: source)
    return FastPacket.frames(of: message.bytes, header, sequence: sequence)
  }

  private func claim(_ name: DeviceName, from source: UInt8) -> CANFrame {
    CANFrame(
      identifier: MessageHeader(priority: 6, pgn: 60_928, source: source).identifier,
      (0..<8).map { UInt8(truncatingIfNeeded: name.bits >> UInt64(8 * $0)) })
  }

  /// Raymarine EV-1 and Em-Track B300, canboat's recording `samples/candumpSample3.txt`.
  @Test("recorded frames give heading, attitude, rate of turn and position")
  func recorded() throws {
    var decoder = NMEA2000Decoder()
    let frames = reports(
      canFrames(
        "09F113CC#FFD4E10000FFFFFF", "09F119CC#FF725AFAF7FF04FF", "09F112CC#FF725AFF7FFF7FFD",
        "09FD0274#009201124DFAFFFF", "0DF50B74#00D0000000FFFFFF", "09F50374#001200FFFF00FFFF",
        "09F8022B#FF00000001000000", "09F8012B#F12B6B1B8E5E36FF"), &decoder)
    let heading = try #require(lastHeading(frames))
    #expect(abs((heading.magneticHeading?.angle.radians ?? 0) - 2.3154) < 1e-9)
    #expect(heading.trueHeading == nil)
    #expect(abs((heading.rateOfTurn?.radiansPerSecond ?? 0) - 0.001_806_625) < 1e-12)
    #expect(abs((heading.pitch?.radians ?? 0) + 0.2054) < 1e-9)
    #expect(abs((heading.roll?.radians ?? 0) - 0.1279) < 1e-9)
    let epoch = try #require(lastEpoch(frames))
    #expect(abs((epoch.fix.position?.latitude.degrees ?? 0) - 46.000_843_3) < 1e-9)
    #expect(epoch.fix.kind == .twoDimensional && epoch.fix.utc == nil)
    #expect(abs((epoch.fix.speedMetresPerSecond ?? 0) - 0.01) < 1e-9)
    #expect(abs((epoch.environment.apparentWindMetresPerSecond ?? 0) - 4.02) < 1e-9)
    #expect(abs((epoch.environment.apparentWindAngle?.radians ?? 0) - 1.973) < 1e-9)
    #expect(abs((epoch.environment.waterSpeedMetresPerSecond ?? 0) - 0.18) < 1e-9)
    #expect(decoder.addressInUse == 0x2B)
  }

  @Test("deviation and variation are applied to a magnetic heading, none to a true one")
  func references() {
    var decoder = NMEA2000Decoder()
    var message = PGNMessage(.heading)
    message[.heading] = 1
    message[.deviation] = 0.1
    message[.variation] = -0.25
    let identifier = MessageHeader(priority: 2, pgn: 127_250, source: 9).identifier
    message[code: .reference] = PGN.Code.magneticNorth
    var report = lastHeading(reports([CANFrame(identifier: identifier, message.bytes)], &decoder))
    #expect(abs((report?.magneticHeading?.angle.radians ?? 0) - 1.1) < 1e-9)
    #expect(abs((report?.trueHeading?.angle.radians ?? 0) - 0.85) < 1e-9)
    message[code: .reference] = PGN.Code.trueNorth
    report = lastHeading(reports([CANFrame(identifier: identifier, message.bytes)], &decoder))
    #expect(abs((report?.trueHeading?.angle.radians ?? 0) - 1) < 1e-9)
    #expect(report?.magneticHeading == nil)
    message[.heading] = nil
    let none = reports([CANFrame(identifier: identifier, message.bytes)], &decoder)
    #expect(none.isEmpty)
  }

  @Test(
    "a fix has time, height above both surfaces and its kind",
    arguments: [
      (1, FixKind.threeDimensional), (2, .differential), (3, .differential), (4, .rtkFixed),
      (5, .rtkFloat), (6, .deadReckoning), (7, .simulated), (8, .simulated),
    ])
  func kinds(method: Int, kind: FixKind) throws {
    var decoder = NMEA2000Decoder()
    let epoch = try #require(lastEpoch(reports(fix(from: 3, method: method), &decoder)))
    #expect(epoch.fix.kind == kind && epoch.fix.satellitesUsed == 9)
    #expect(abs((epoch.fix.altitudeMetres ?? 0) - 2.5) < 1e-6)
    #expect(abs((epoch.fix.ellipsoidalAltitudeMetres ?? 0) - 48.5) < 1e-6)
    #expect(
      epoch.fix.utc
        == UTCTime(nanosecondsSince1970: 20_000 * 86_400_000_000_000 + 3_600_500_000_000))
    // The accuracy is that of the dilution, for positions of satellites only.
    #expect((epoch.fix.horizontalAccuracyMetres != nil) == kind.isOfSatellites)
    #expect(!epoch.fix.isAccuracyStated || !kind.isOfSatellites)
  }

  @Test("a receiver without satellites gives an epoch without a position")
  func noFix() throws {
    var decoder = NMEA2000Decoder()
    let epoch = try #require(lastEpoch(reports(fix(from: 3, method: 0), &decoder)))
    #expect(epoch.fix.kind == .none && epoch.fix.position == nil)
  }

  @Test("the rapid position of a device that sends whole fixes is not another fix")
  func rapid() {
    var decoder = NMEA2000Decoder()
    let rapid = canFrames("09F80103#F12B6B1B8E5E36FF")
    _ = reports(fix(from: 3), &decoder)
    #expect(reports(rapid, &decoder, at: 1.1).isEmpty)
    #expect(reports(rapid, &decoder, at: 5).count == 1, "it is the only one left")
  }

  @Test("values of two devices are never joined, and one of them is used")
  func twoDevices() throws {
    var decoder = NMEA2000Decoder()
    _ = reports(canFrames("09F80204#FFFC000064000000"), &decoder)
    let epoch = try #require(lastEpoch(reports(fix(from: 3), &decoder)))
    #expect(epoch.fix.speedMetresPerSecond == nil)
    #expect(reports(fix(from: 4, latitude: 54.6), &decoder).isEmpty)
    #expect(decoder.addressInUse == 3 && decoder.positionSources.map(\.name) == ["3", "4"])
    #expect(decoder.counts.otherSources == 1)
    var named = NMEA2000Decoder(address: 4)
    #expect(reports(fix(from: 3), &named).isEmpty)
    #expect(reports(fix(from: 4), &named).count == 1)
  }

  @Test("this program's own messages are not used, nor those of a device that may be it")
  func own() {
    let (ownName, other) = (DeviceName(machine: "own".utf8), DeviceName(bits: 7))
    var decoder = NMEA2000Decoder(ownName: ownName)
    #expect(reports(fix(from: 3), &decoder).isEmpty, "its NAME is not known yet")
    #expect(reports([claim(ownName, from: 3)] + fix(from: 3), &decoder, at: 1.2).isEmpty)
    #expect(reports(fix(from: 3), &decoder, at: 9).isEmpty && decoder.counts.own == 2)
    #expect(reports([claim(other, from: 4)] + fix(from: 4), &decoder, at: 9).count == 1)
    // Lodestar has moved to another address, at which another device was.
    #expect(reports([claim(ownName, from: 4)] + fix(from: 4), &decoder, at: 10).isEmpty)
    #expect(reports(fix(from: 5), &decoder, at: 11).isEmpty)
    #expect(reports(fix(from: 5, sequence: 1), &decoder, at: 12.1).count == 1)
  }

  @Test("impossible values are not used")
  func impossible() {
    var decoder = NMEA2000Decoder()
    let latitude = lastEpoch(reports(fix(from: 3, latitude: 91), &decoder))
    #expect(latitude?.fix.position == nil)
    #expect(
      lastEpoch(reports(canFrames("09F80104#FFFFFF7FFFFFFF7F"), &decoder))?.fix.position == nil)
  }

  @Test("no input stops the decoder, and values stay in range", arguments: [1, 2, 3, 4])
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var decoder = NMEA2000Decoder(ownName: DeviceName(bits: 1))
    for step in 0..<20_000 {
      let pgn = NMEA2000Decoder.messages[
        Int(generator.next() % UInt64(NMEA2000Decoder.messages.count))]
      let header = MessageHeader(
        priority: 3, pgn: pgn.rawValue, source: UInt8(truncatingIfNeeded: generator.next()))
      let bytes = (0..<Int(generator.next() % 9)).map { _ in
        UInt8(truncatingIfNeeded: generator.next())
      }
      decoder.receive(
        CANFrame(identifier: header.identifier, bytes), at: seconds(Double(step) * 0.01)
      ) { report in
        guard case .epoch(let epoch) = report else { return }
        #expect(epoch.fix.position.map { abs($0.latitude.degrees) <= 90 } ?? true)
      }
    }
  }
}
