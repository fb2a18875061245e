import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The sentences are published examples with their checksums: Quectel's protocol specifications, as
/// quoted by the tests of other decoders; the values are those that pynmeagps 1.1.8 reads.
@Suite("Quectel's sentences and a modem's line", .timeLimit(.minutes(30)))
struct QuectelTests {
  private static let fix =
    "$PQTMPVT,1,459596000,20230505,073938.000,1,3,31,18,31.82176510,117.11534360,99.357,-0.337,-0.004,"
    + "0.000,-0.003,0.004,96.91,0.51,0.93*74\r\n"
  private static let errors = "$PQTMEPE,2,3.393,3.476,12.713,4.857,13.609*5D\r\n"
  private static let velocity =
    "$PQTMVEL,1,154512.100,1.251,2.452,1.245,2.752,3.021,180.512,0.124,0.254,0.250*67\r\n"

  @Test("PQTMPVT alone makes a fix")
  func solution() throws {
    let all = epochs(Self.fix)
    #expect(all.count == 1)
    let epoch = try #require(all.first)
    let fix = epoch.validFix
    #expect(fix.kind == .threeDimensional && fix.satellitesUsed == 31)
    expectNear(fix.position?.latitude.degrees, 31.8217651, 1e-12)
    expectNear(fix.position?.longitude.degrees, 117.1153436, 1e-12)
    expectNear(fix.altitudeMetres, 99.357)
    expectNear(fix.ellipsoidalAltitudeMetres, 99.02)
    expectNear(fix.speedMetresPerSecond, 0.004)
    expectNear(fix.course?.degrees, 96.91)
    expectNear(fix.verticalSpeedMetresPerSecond, 0.003)
    expectNear(fix.horizontalDilution, 0.51)
    expectNear(epoch.positionDilution, 0.93)
    // 5 May 2023, GPS time of week 459 596 s less 18.
    #expect(fix.utc == UTCTime(gpsWeek: 2260, nanosecondsOfWeek: 459_578_000_000_000))
    #expect(epoch.leapSeconds == 18)
    let none = epochs(sentence("PQTMPVT,1,0,,120000.000,1,0,0,18,,,,,,,,,,,")).first
    #expect(none?.dimension == ReceiverEpoch.Dimension.none)
  }

  @Test("the errors of PQTMEPE replace those computed from dilution")
  func accuracy() throws {
    let stream = Self.fix + Self.errors
    let fix = try #require(epochs(stream).first?.validFix)
    expectNear(fix.horizontalAccuracyMetres, (3.393 * 3.393 + 3.476 * 3.476).squareRoot())
    expectNear(fix.verticalAccuracyMetres, 12.713)
    let beside = sentence("GNGGA,120000.00,4500.0,N,00500.0,E,1,09,0.9,100.0,M,50.0,M,,")
    let epoch = try #require(epochs(beside + Self.errors).first)
    expectNear(epoch.latitudeErrorMetres, 3.393)
    expectNear(epoch.fix.horizontalAccuracyMetres, 4.857, 1e-3)
    // GST states one sigma, so it stays.
    let gst = sentence("GNGST,120000.00,1.0,,,,0.5,0.6,0.7")
    expectNear(epochs(beside + gst + Self.errors).first?.latitudeErrorMetres, 0.5)
  }

  @Test("PQTMVEL gives velocity and its errors to the fix of its time")
  func motion() throws {
    let place = sentence("GNGGA,154512.10,4500.0,N,00500.0,E,1,09,0.9,100.0,M,50.0,M,,")
    let all = epochs(place + Self.velocity)
    #expect(all.count == 1)
    let fix = try #require(all.first?.validFix)
    expectNear(fix.velocity?.metresPerSecond.x, 1.251)
    expectNear(fix.velocity?.metresPerSecond.y, 2.452)
    expectNear(fix.verticalSpeedMetresPerSecond, -1.245)
    expectNear(fix.speedMetresPerSecond, 2.752)
    expectNear(fix.course?.degrees, 180.512)
    expectNear(fix.speedAccuracyMetresPerSecond, 0.124)
    expectNear(fix.courseAccuracy?.degrees, 0.25)
    // 359.999 is an unknown course.
    let unknown = sentence(
      "PQTMVEL,1,154512.100,0.003,-0.006,-0.001,0.007,0.007,299.249,0.075,0.076,359.999")
    #expect(epochs(place + unknown).first?.courseAccuracy == nil)
  }

  @Test("the states of jamming and of the antenna are read")
  func states() {
    guard case .pqtmjammingstatus(let jamming)? = only("$PQTMJAMMINGSTATUS,1,2*44\r\n") else {
      Issue.record("PQTMJAMMINGSTATUS not decoded")
      return
    }
    #expect(jamming.status == .warning)
    // The first of two antennas.
    guard case .pqtmantennastatus(let antenna)? = only("$PQTMANTENNASTATUS,3,1,2,1*52\r\n") else {
      Issue.record("PQTMANTENNASTATUS not decoded")
      return
    }
    #expect(antenna.status == .normal)
  }

  @Test("PAIRSPF and PAIRSPF5 state the jamming of a band each")
  func bands() throws {
    let fix = Self.fix
    func interference(_ text: String) throws -> SignalState.Interference? {
      try #require(epochs(text + fix).last).signals.interference
    }
    // The first is PX4's example.
    #expect(try interference("$PAIRSPF,0*53\r\n") == nil)
    let (good, bad) = (sentence("PAIRSPF,1"), sentence("PAIRSPF5,3"))
    #expect(try interference(good) == SignalState.Interference.none)
    #expect(try interference(good + bad) == .critical)
    #expect(try interference(sentence("PAIRSPF,2") + bad + sentence("PAIRSPF5,0")) == .warning)
    // A monitor of all bands is preferred.
    #expect(try interference(bad + "$PQTMJAMMINGSTATUS,1,2*44\r\n") == .warning)
  }

  // Quectel's example, and recorded sentences of an LG69T and an LC29H; Quectel's without a fix.
  @Test("PQTMDRPVA makes a fix, with a heading once the sensors are calibrated")
  func fused() throws {
    let satellites =
      "$PQTMDRPVA,1,168835,193009.000,1,47.46742420,-121.75890550,121.529,-17.177,0.458,0.006,0.023,"
      + "0.458,0.000000,0.000000,0.719060*64\r\n"
    let fix = try #require(epochs(satellites).first?.validFix)
    #expect(fix.kind == .threeDimensional && headings(Array(satellites.utf8)).isEmpty)
    expectNear(fix.position?.latitude.degrees, 47.4674242, 1e-12)
    expectNear(fix.position?.longitude.degrees, -121.7589055, 1e-12)
    expectNear(fix.altitudeMetres, 121.529)
    expectNear(fix.ellipsoidalAltitudeMetres, 104.352)
    expectNear(fix.speedMetresPerSecond, 0.458)
    expectNear(fix.verticalSpeedMetresPerSecond, -0.023)
    let both =
      "$PQTMDRPVA,1,1534581,062343.400,2,26.74837099,106.66894064,1270.464,0.000,0.557,0.268,0.637,"
      + "0.618,118.013,11.383,248.324*5B\r\n"
    let heading = try #require(headings(Array(both.utf8)).first)
    expectNear(heading.trueHeading?.angle.degrees, 248.324)
    expectNear(heading.pitch?.degrees, 11.383)
    expectNear(heading.roll?.degrees, 118.013)
    #expect(epochs(both).first?.fix.kind == .threeDimensional)
    let dead = sentence(
      "PQTMDRPVA,1,75000,083737.000,3,31.12738291,117.26372910,34.212,5.267,3.212,2.928,0.238,4.346,"
        + "0.392663,1.300793,0.030088")
    #expect(epochs(dead).first?.fix.kind == .deadReckoning)
    let none = epochs("$PQTMDRPVA,1,1000,163355.000,0,,,,,,,,,,,*7C\r\n").first
    #expect(none?.dimension == ReceiverEpoch.Dimension.none)
  }

  @Test("PQTMDOP and PQTMVEHATT are read")
  func dilutionsAndAttitude() throws {
    let dilutions = "$PQTMDOP,1,570643000,1.01,0.88,0.49,0.73,0.50,0.36,0.35*7C\r\n"
    let epoch = try #require(epochs(Self.fix + dilutions).first)
    expectNear(epoch.geometricDilution, 1.01)
    expectNear(epoch.positionDilution, 0.93)
    expectNear(epoch.timeDilution, 0.49)
    expectNear(epoch.verticalDilution, 0.73)
    let attitude =
      "$PQTMVEHATT,1,1000,10.002154,20.235412,160.145185,1.254123,5.451214,5.012154*3D\r\n"
    let report = try #require(headings(Array(attitude.utf8)).first)
    expectNear(report.trueHeading?.angle.degrees, 160.145185)
    expectNear(report.pitch?.degrees, 20.235412)
    expectNear(report.roll?.degrees, 10.002154)
    expectNear(report.headingAccuracy?.degrees, 5.012154)
    expectNear(report.rollAccuracy?.degrees, 1.254123)
    let unsure = sentence("PQTMVEHATT,1,1000,1.0,2.0,160.0,1.0,5.0,90.0")
    #expect(try #require(headings(Array(unsure.utf8)).first).trueHeading == nil)
  }

  private func only(_ text: String) -> NMEASentence? {
    let (sentences, counts) = decode(text)
    #expect(sentences.count == 1, "\(counts)")
    return sentences.first?.sentence
  }

  // Comments of two programs for the SIM7600, with the fields of its application note.
  private static let modem =
    "+CGPSINFO: 3433.035574,S,05829.585934,W,310520,210511.0,6.6,0.0,0.0\r\n"

  @Test("a modem's line alone makes a fix")
  func modem() throws {
    let next = "+CGPSINFO:3433.035580,S,05829.585934,W,310520,210512.0,6.7,1.0,45.0\r\n\r\nOK\r\n"
    let all = epochs("AT+CGPSINFO\r\r\n" + Self.modem + next)
    #expect(all.count == 2)
    let fix = try #require(all.first?.validFix)
    #expect(fix.kind == .threeDimensional)
    expectNear(fix.position?.latitude.degrees, -(34 + 33.035574 / 60), 1e-9)
    expectNear(fix.position?.longitude.degrees, -(58 + 29.585934 / 60), 1e-9)
    expectNear(fix.altitudeMetres, 6.6)
    #expect(fix.utc?.date == CivilDate(year: 2020, month: 5, day: 31))
    let time: Int64 = (21 * 3600 + 5 * 60 + 11) * 1_000_000_000
    #expect(fix.utc?.nanosecondsOfDay == time)
    expectNear(all.last?.fix.speedMetresPerSecond, 1852.0 / 3600)
    expectNear(all.last?.fix.course?.degrees, 45)
  }

  @Test("a modem's line without a fix has none, and other lines with + are noise")
  func noFix() {
    let (sentences, counts) = decode("+CGPSINFO: ,,,,,,,,\r\n+CSQ: 20,99\r\n+CGPSINFO: 1,N\r\n")
    #expect(sentences.count == 1)
    #expect(counts.malformed == 1 && counts.noiseBytes > 0)
    guard case .cgpsinfo(let line)? = sentences.first?.sentence else {
      Issue.record("CGPSINFO not decoded")
      return
    }
    #expect(line.position == nil && line.time == nil)
  }

  @Test("a stream of these gives the same wherever it is divided")
  func splits() {
    expectSplitsAgree(
      Array((Self.fix + Self.errors + "+CG" + Self.modem + "+\r\n" + Self.modem + "+").utf8))
  }
}
