import Quantities
import ReceiverProtocols
import Testing

/// Objects from gpsd_json(5)'s examples and from gpsd 3.22 with recorded streams.
@Suite("gpsd's reports", .timeLimit(.minutes(30)))
struct GPSDReportTests {
  private func near(_ value: Double?, _ expected: Double, within tolerance: Double = 1e-9) -> Bool {
    value.map { abs($0 - expected) <= tolerance } ?? false
  }

  /// The TPV example of gpsd_json(5), from a daemon before 3.20, on one line.
  @Test("The manual's TPV is decoded with its old names and unchanged errors")
  func manualTPV() throws {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"TPV","device":"/dev/pts/1","time":"2005-06-08T10:34:48.283Z","ept":0.005,"#
        + #""lat":46.498293369,"lon":7.567411672,"alt":1343.127,"eph":36.000,"epv":32.321,"#
        + #""track":10.3788,"speed":0.091,"climb":-0.085,"mode":3}"#)
    let epoch = try #require(reading.epochs.first)
    #expect(epoch.dimension == .three && epoch.fix.kind == .threeDimensional)
    #expect(near(epoch.fix.position?.latitude.degrees, 46.498293369, within: 1e-12))
    #expect(near(epoch.fix.position?.longitude.degrees, 7.567411672, within: 1e-12))
    #expect(epoch.fix.altitudeMetres == 1343.127 && epoch.fix.ellipsoidalAltitudeMetres == nil)
    #expect(epoch.fix.horizontalAccuracyMetres == 36)
    #expect(epoch.fix.verticalAccuracyMetres == 32.321)
    #expect(near(epoch.fix.course?.degrees, 10.3788))
    #expect(epoch.fix.speedMetresPerSecond == 0.091)
    #expect(epoch.fix.verticalSpeedMetresPerSecond == -0.085)
    // 2005-06-08T10:34:48 is 1118226888 s after 1970 (date -u -d @1118226888).
    #expect(epoch.fix.utc?.nanosecondsSince1970 == 1_118_226_888_283_000_000)
    #expect(epoch.fix.timestamp == Timestamp(nanoseconds: 1_000_000_000))
    #expect(reading.deviceInUse == "/dev/pts/1")
  }

  /// A u-blox ZED-F9P through gpsd 3.22. Its altitudes do not differ by the reported separation.
  @Test("A TPV of gpsd 3.22 is decoded with both altitudes and east variation positive")
  func presentTPV() throws {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"TPV","device":"/dev/pts/1","status":2,"mode":3,"time":"2022-10-11T11:04:33.000Z","#
        + #""leapseconds":18,"ept":0.005,"lat":47.129093000,"lon":15.212043400,"altHAE":869.2650,"#
        + #""altMSL":826.6070,"alt":826.6070,"epx":1.982,"epy":2.433,"epv":0.603,"track":197.9506,"#
        + #""magtrack":202.0768,"magvar":4.1,"speed":0.051,"climb":0.011,"eps":0.32,"epc":1.25,"#
        + #""ecefx":4195431.99,"geoidSep":44.866,"eph":0.253,"sep":7.505}"#)
    let epoch = try #require(reading.epochs.first)
    #expect(epoch.fix.kind == .differential)
    #expect(epoch.fix.altitudeMetres == 826.607 && epoch.fix.ellipsoidalAltitudeMetres == 869.265)
    #expect(epoch.geoidSeparationMetres == 44.866)
    #expect(near(epoch.magneticVariation?.degrees, 4.1))
    #expect(near(epoch.fix.horizontalAccuracyMetres, 0.253))
    #expect(near(epoch.latitudeErrorMetres, 2.433) && near(epoch.longitudeErrorMetres, 1.982))
    #expect(near(epoch.magneticCourse?.degrees, 202.0768))
  }

  @Test("The altitude is altMSL, else altHAE minus the separation, else an old daemon's alt")
  func altitudes() {
    func altitude(_ others: String) -> (Double?, Double?) {
      var reading = GPSDReading()
      reading.push(tpv("/dev/a", second: 0, others: others))
      let fix = reading.epochs.first?.fix
      return (fix?.altitudeMetres, fix?.ellipsoidalAltitudeMetres)
    }
    #expect(altitude(#","alt":12.5"#) == (12.5, nil))
    #expect(altitude(#","alt":40,"altHAE":40"#) == (nil, 40))
    #expect(altitude(#","alt":40,"altHAE":40,"geoidSep":30"#) == (10, 40))
    #expect(altitude(#","altMSL":10,"geoidSep":30"#) == (10, 40))
  }

  @Test(
    "Each status has its kind of fix",
    arguments: [
      (0, FixKind.threeDimensional), (1, .threeDimensional), (2, .differential), (3, .rtkFixed),
      (4, .rtkFloat), (5, .deadReckoning), (6, .threeDimensional), (7, .threeDimensional),
      (8, .simulated), (9, .threeDimensional),
    ])
  func status(code: Int, kind: FixKind) {
    var reading = GPSDReading()
    reading.push(tpv("/dev/a", second: 0, status: code))
    #expect(reading.epochs.first?.fix.kind == kind)
  }

  @Test("Modes 0 and 1 are epochs without a fix; a 2D fix has no altitude", arguments: [0, 1, 2])
  func modes(mode: Int) throws {
    var reading = GPSDReading()
    reading.push(tpv("/dev/a", second: 0, mode: mode, others: #","altMSL":5,"eph":4,"speed":1"#))
    let epoch = try #require(reading.epochs.first)
    #expect((epoch.fix.position != nil) == (mode == 2))
    #expect(epoch.fix.kind == (mode == 2 ? .twoDimensional : .none))
    #expect(epoch.dimension == (mode == 2 ? .two : .none))
    #expect(epoch.fix.altitudeMetres == nil)
    #expect(epoch.fix.horizontalAccuracyMetres == (mode == 2 ? 4 : nil))
    #expect(epoch.fix.speedMetresPerSecond == (mode == 2 ? 1 : nil))
    #expect(epoch.fix.utc != nil)
  }

  /// gpsd_json(5), the SKY example, and one of gpsd 3.22.
  @Test("The sky is in the next epoch only; its dilutions remain valid")
  func sky() throws {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"SKY","device":"/dev/a","time":"2005-07-08T11:28:07.114Z","xdop":1.55,"#
        + #""hdop":1.24,"pdop":1.99,"satellites":[{"PRN":23,"el":6,"az":84,"ss":0,"used":false},"#
        + #"{"PRN":28,"el":7,"az":160,"ss":0,"used":false},{"PRN":8,"el":66,"az":189,"ss":44,"used":true},"#
        + #"{"PRN":65,"el":51,"az":304,"ss":29,"used":true},"#
        + #"{"PRN":36,"el":19.0,"az":156.0,"ss":51.0,"used":true,"gnssid":1,"svid":123}]}"#)
    reading.push(tpv("/dev/a", second: 0))
    reading.push(tpv("/dev/a", second: 1), after: 1)
    reading.push(tpv("/dev/a", second: 12), after: 11)
    let epochs = reading.epochs
    let first = try #require(epochs.first)
    let satellites = try #require(first.sky?.satellites)
    #expect(
      satellites.map(\.id) == [
        SatelliteID(constellation: .gps, number: 23), SatelliteID(constellation: .gps, number: 28),
        SatelliteID(constellation: .gps, number: 8),
        SatelliteID(constellation: .glonass, number: 1),
        SatelliteID(constellation: .sbas, number: 123),
      ])
    #expect(satellites.map(\.isUsed) == [false, false, true, true, true])
    #expect(satellites[0].signalDecibelHertz == nil && satellites[2].signalDecibelHertz == 44)
    #expect(satellites[2].elevationDegrees == 66 && satellites[2].azimuthDegrees == 189)
    #expect(first.fix.satellitesUsed == 3 && first.fix.horizontalDilution == 1.24)
    #expect(first.positionDilution == 1.99)
    // Without reported errors: 1.24 times 7.1 m, a satellite fix's typical range error.
    #expect(near(first.fix.horizontalAccuracyMetres, 8.804))
    #expect(epochs[1].sky == nil && epochs[1].fix.horizontalDilution == 1.24)
    #expect(epochs[2].fix.horizontalDilution == nil && epochs[2].fix.satellitesUsed == nil)
  }

  /// gpsd_json(5), the GST example.
  @Test("GST's standard deviations override the daemon's errors for two seconds")
  func errors() throws {
    var reading = GPSDReading()
    reading.push(
      #"{"class":"GST","device":"/dev/a","time":"2010-12-07T10:23:07.096Z","rms":2.440,"major":1.660,"#
        + #""minor":1.120,"orient":68.989,"lat":1.600,"lon":1.200,"alt":2.520}"#)
    let guesses = #","altMSL":5,"eph":30,"epv":40"#
    reading.push(tpv("/dev/a", second: 0, others: guesses), after: 0.5)
    reading.push(tpv("/dev/a", second: 3, others: guesses), after: 3)
    let epochs = reading.epochs
    try #require(epochs.count == 2)
    #expect(near(epochs[0].fix.horizontalAccuracyMetres, 2))
    #expect(epochs[0].fix.verticalAccuracyMetres == 2.52)
    #expect(epochs[0].latitudeErrorMetres == 1.6 && epochs[0].longitudeErrorMetres == 1.2)
    #expect(epochs[1].fix.horizontalAccuracyMetres == 30)
    #expect(epochs[1].fix.verticalAccuracyMetres == 40)
  }

  @Test("An old daemon's epx and epy determine the accuracy")
  func oldErrors() {
    var reading = GPSDReading()
    reading.push(tpv("/dev/a", second: 0, others: #","epx":6,"epy":8"#))
    #expect(near(reading.epochs.first?.fix.horizontalAccuracyMetres, 10))
  }

  @Test("ATT is a heading; a value outside 0 to 360 is not")
  func headings() throws {
    var reading = GPSDReading()
    reading.push(#"{"class":"ATT","device":"/dev/a","heading":107.2,"mheading":94.0,"rot":-90}"#)
    // The manual's example, which gpsd 3.22 sends for a TNT Revolution too.
    reading.push(
      #"{"class":"ATT","time":1270938096.843,"heading":14223.00,"mag_st":"N","pitch":169.00,"#
        + #""pitch_st":"N", "roll":-43.00,"roll_st":"N","dip":13641.000,"mag_x":2454.000}"#)
    let heading = try #require(reading.headings.first)
    #expect(reading.headings.count == 1 && reading.counts.unreadableFields == 1)
    #expect(near(heading.trueHeading?.angle.degrees, 107.2))
    #expect(near(heading.magneticHeading?.angle.degrees, 94.0))
    #expect(near(heading.rateOfTurn?.degreesPerSecond, -1.5))
  }

  @Test("A time is decoded in ISO 8601 and in seconds; an impossible one is nil")
  func times() {
    func utc(_ time: String) -> Int64? {
      var reading = GPSDReading()
      reading.push(#"{"class":"TPV","mode":1,"time":\#(time)}"#)
      return reading.epochs.first?.fix.utc?.nanosecondsSince1970
    }
    #expect(utc("1270517264.5") == 1_270_517_264_500_000_000)
    #expect(utc("1.5e9") == 1_500_000_000_000_000_000)
    #expect(utc(#""2017-07-19T08:50:00Z""#) == 1_500_454_200_000_000_000)
    #expect(utc(#""2017-02-30T08:50:00Z""#) == nil)
    #expect(utc(#""2017-07-19 08:50:00Z""#) == nil)
    #expect(utc(#""""#) == nil)
  }
}
