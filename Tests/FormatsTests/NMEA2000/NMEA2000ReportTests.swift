import Formats
import Quantities
import ReceiverProtocols
import Testing

@Suite("Estimates as messages of NMEA 2000", .timeLimit(.minutes(30)))
struct NMEA2000ReportTests {
  private func message(_ pgn: PGN, _ estimate: Estimate) throws -> PGNMessage {
    try #require(
      NMEA2000Report.message(pgn, of: estimate, pressure: .sea(at: estimate), sid: 7))
  }

  /// The bytes are those that canboat 9.0.0 encodes of the same values (`Database.encode` of PyPI
  /// `nmea2000` 2026.10.3).
  @Test("each message has the bytes that canboat encodes")
  func bytes() throws {
    let estimate = Estimate.underway
    let expected: [(PGN, String)] = [
      (.heading, "075C3D00002702FD"), (.rateOfTurn, "07C0680900FFFFFF"),
      (.heave, "07E7FFFFFFFFFFFF"), (.attitude, "075C3D5D03BAF9FF"),
      (.variation, "07F3FFFF2702FFFF"), (.position, "407AAB1C20050904"),
      (.courseAndSpeed, "07FC5C3F7201FFFF"), (.systemTime, "07F0B350C4853125"),
      (.pressure, "07000009760F00FF"),
    ]
    for (pgn, bytes) in expected {
      #expect(try message(pgn, estimate).bytes.hex == bytes, "\(pgn)")
    }
    // An angle in radians has not the sixteen decimals of a degree of latitude and longitude.
    let fix = try message(.gnssPosition, estimate).bytes
    #expect(Array(fix.prefix(7)).hex == "07B350C4853125")
    #expect(
      Array(fix.dropFirst(23)).hex == "60D8B4210000000010FC0C500090002A12000000")
  }

  @Test("the values of each message are those of the estimate")
  func values() throws {
    let e = Estimate.underway
    let heading = try message(.heading, e)
    #expect(heading[.heading] == 1.5708 && heading[.variation] == 0.0551)
    #expect(heading[.deviation] == 0 && heading[code: .reference] == PGN.Code.magneticNorth)
    let fix = try message(.gnssPosition, e)
    #expect(fix.bytes.count == 43 && fix[code: .method] == PGN.Code.gnss)
    #expect(abs((fix[.latitude] ?? 0) - 48.1) < 1e-13 && abs((fix[.longitude] ?? 0) - 6.77) < 1e-13)
    #expect(fix[.altitude] == 565.5 && abs((fix[.separation] ?? 0) - 46.5) < 1e-9)
    #expect(fix[code: .integrity] == PGN.Code.noIntegrityCheck && fix[.satellites] == 12)
    #expect(abs((fix[.horizontalDilution] ?? 0) - 0.8) < 1e-9)
    #expect(abs((fix[.positionDilution] ?? 0) - 1.44) < 1e-9)
    let time = try message(.systemTime, e)
    #expect(time[.date] == 20_659 && time[code: .source] == PGN.Code.gpsTime)
    #expect(abs((time[.time] ?? 0) - 62_400.25) < 1e-9)
    let pressure = try message(.pressure, e)
    #expect(abs((pressure[.pressure] ?? 0) - 101_325.7) < 1e-6)
    #expect(pressure[code: .source] == PGN.Code.atmosphericPressure)
  }

  @Test("a date at the end of a second is carried over midnight")
  func midnight() throws {
    var e = Estimate.underway
    e.utc = UTCTime(
      year: 2026, month: 7, day: 25, hour: 23, minute: 59, second: 59,
      nanosecond: 999_960_000)
    let time = try message(.systemTime, e)
    #expect(time[.date] == 20_660 && time[.time] == 0)
  }

  @Test("without values there is no message", arguments: NMEA2000Report.messages)
  func nothing(pgn: PGN) {
    #expect(
      NMEA2000Report.message(pgn, of: Estimate(timestamp: Timestamp(nanoseconds: 1)), sid: 0) == nil
    )
  }

  // MARK: States of the sources

  /// Whether the message has the value that it is for.
  private func hasValue(_ message: PGNMessage) -> Bool {
    let fields: [PGN.Field] = [
      .heading, .rate, .heave, .roll, .variation, .latitude, .speed, .date, .pressure,
    ]
    return fields.contains { message[$0] != nil }
  }

  @Test("heading and motion by the state of the compass", arguments: SourceState.allCases)
  func compass(state: SourceState) {
    var e = Estimate.underway
    e.headingState = state
    if state.isGone || state == .awaited { e = e.withoutHeading }
    let isValue = state == .live || state == .contradicted
    for pgn in [PGN.heading, .rateOfTurn, .heave, .attitude] {
      let message = NMEA2000Report.message(pgn, of: e, sid: 0)
      #expect(message.map(hasValue) ?? false == isValue, "\(pgn) \(state)")
    }
    #expect(NMEA2000Report.hasFault(e) == (state.isGone || state == .contradicted))
  }

  @Test(
    "position by the state of the receiver",
    arguments: [
      (SourceState.live, 1, 0 as Int?, true), (.late, 6, 2, false), (.lost, 0, nil, false),
      (.ended, 0, nil, false), (.awaited, 0, nil, false), (.contradicted, 1, 2, true),
    ])
  func receiver(state: SourceState, method: Int, integrity: Int?, isRapid: Bool) throws {
    var e = Estimate.underway
    e.positionState = state
    if state == .late { e.fixKind = .deadReckoning }
    if state.isGone || state == .awaited { e = e.withoutPosition }
    let fix = try message(.gnssPosition, e)
    #expect(fix[code: .method] == method && fix[code: .integrity] == integrity)
    #expect((fix[.latitude] != nil) == (method > 0))
    for pgn in [PGN.position, .courseAndSpeed] {
      let message = NMEA2000Report.message(pgn, of: e, sid: 0)
      #expect(message.map(hasValue) ?? false == isRapid, "\(pgn) \(state)")
    }
    let time = try message(.systemTime, e)
    #expect(
      time[code: .source] == (state == .live ? PGN.Code.gpsTime : PGN.Code.crystalClock))
  }

  @Test("a simulated estimate is a simulated fix, and no value where that cannot be said")
  func simulated() throws {
    var e = Estimate.underway
    e.isSimulated = true
    let fix = try message(.gnssPosition, e)
    #expect(fix[code: .method] == PGN.Code.simulated && fix[.latitude] != nil)
    #expect(fix[code: .integrity] == PGN.Code.caution)
    for pgn in NMEA2000Report.messages where pgn != .gnssPosition {
      #expect(try !hasValue(message(pgn, e)), "\(pgn)")
    }
  }

  @Test("a coarse position has the dilution of its accuracy and asks for caution")
  func coarse() throws {
    var e = Estimate.underway
    (e.horizontalAccuracyMetres, e.horizontalDilution, e.verticalDilution) = (3000, nil, nil)
    let fix = try message(.gnssPosition, e)
    #expect(fix[code: .integrity] == PGN.Code.caution)
    #expect(abs((fix[.horizontalDilution] ?? 0) - 99.99) < 1e-9 && fix[.positionDilution] == nil)
    #expect(try !hasValue(message(.position, e)))
    e.horizontalAccuracyMetres = 25
    #expect(try message(.position, e)[.latitude] != nil)
    #expect(abs((try message(.gnssPosition, e)[.horizontalDilution] ?? 0) - 5) < 1e-9)
  }

  @Test(
    "the method names the kind of fix",
    arguments: [
      (FixKind.twoDimensional, 1), (.threeDimensional, 1), (.differential, 2), (.rtkFixed, 4),
      (.rtkFloat, 5), (.network, 6), (.deadReckoning, 6), (.simulated, 8),
    ])
  func kinds(kind: FixKind, method: Int) throws {
    var e = Estimate.underway
    e.fixKind = kind
    let fix = try message(.gnssPosition, e)
    #expect(fix[code: .method] == method)
    #expect(fix[code: .system] == (kind.isOfSatellites ? PGN.Code.gps : nil))
  }
}

extension [UInt8] {
  var hex: String {
    map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }.joined()
  }
}

extension PressureSample {
  static func sea(at estimate: Estimate) -> PressureSample {
    PressureSample(timestamp: estimate.timestamp, hectopascal: 1013.257)
  }
}

extension Estimate {
  /// A boat that moves to the east.
  static var underway: Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: 100_000_000_000))
    e.utc = UTCTime(
      year: 2026, month: 7, day: 25, hour: 17, minute: 20, second: 0, nanosecond: 250_000_000)
    e.headingState = .live
    e.positionState = .live
    e.magneticHeading = MagneticHeading(Angle(radians: 1.5708))
    e.trueHeading = TrueHeading(Angle(radians: 1.6259))
    e.deviation = Angle(degrees: 2)
    e.rateOfTurn = AngularSpeed(radiansPerSecond: 0.01927)
    e.heaveMetres = -0.25
    e.attitude = Rotation(
      AttitudeAngles(
        heading: Angle(radians: 1.5708), pitch: Angle(radians: 0.0861),
        roll: Angle(radians: -0.1606)))
    e.isLevelKnown = true
    e.fixKind = .threeDimensional
    e.fixTimestamp = e.timestamp
    e.position = GeodeticPosition(latitudeDegrees: 48.1, longitudeDegrees: 6.77)
    (e.altitudeMetres, e.ellipsoidalAltitudeMetres) = (519, 565.5)
    (e.horizontalDilution, e.verticalDilution, e.satellitesUsed) = (0.8, 1.2, 12)
    e.horizontalAccuracyMetres = 2
    e.speedMetresPerSecond = 3.7
    e.course = Angle(radians: 1.6220)
    return e
  }

  var withoutHeading: Estimate {
    var e = self
    (e.magneticHeading, e.trueHeading, e.attitude) = (nil, nil, nil)
    (e.rateOfTurn, e.heaveMetres) = (nil, nil)
    return e
  }

  var withoutPosition: Estimate {
    var e = self
    (e.position, e.fixKind, e.fixTimestamp) = (nil, nil, nil)
    (e.speedMetresPerSecond, e.course) = (nil, nil)
    return e
  }
}
