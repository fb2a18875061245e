import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite struct ProprietarySentenceTests {
  @Test("PASHR of an inertial system")
  func pashr() throws {
    // NovAtel's OEM7 manual, with its checksum.
    let text = "$PASHR,163029.000,158.09,T,-0.30,+0.31,+0.01,0.029,0.028,0.059,1,1*3A\r\n"
    guard case .pashr(let s)? = decode(text).heard.first?.sentence else {
      Issue.record("PASHR not decoded: \(decode(text).1)")
      return
    }
    #expect(s.time?.nanoseconds == 59_429_000_000_000)
    #expect(near(s.heading?.angle.degrees, 158.09))
    #expect(near(s.roll?.degrees, -0.3))
    #expect(near(s.pitch?.degrees, 0.31))
    #expect(s.heaveMetres == 0.01)
    #expect(near(s.rollError?.degrees, 0.029))
    #expect(near(s.pitchError?.degrees, 0.028))
    #expect(near(s.headingError?.degrees, 0.059))
    #expect(s.gnssQuality == 1)
    #expect(s.inertialStatus == 1)
  }

  @Test("PASHR without T, empty, short and long; another sentence of the same address is skipped")
  func pashrVariants() {
    if case .pashr(let s)? = only("PASHR,085335.000,224.19,,-01.26,+00.83") {
      #expect(s.heading == nil)
      #expect(near(s.roll?.degrees, -1.26))
      #expect(near(s.pitch?.degrees, 0.83))
      #expect(s.gnssQuality == nil)
    }
    if case .pashr(let s)? = only("PASHR,,,,,,,,,,0,0,x,y") {
      #expect(s.time == nil)
      #expect(s.roll == nil)
      #expect(s.inertialStatus == 0)
    }
    if case .pashr(let s)? = only("PASHR,120000,361,T,190,-91,,-1,,") {
      #expect(s.heading == nil)
      #expect(s.roll == nil)
      #expect(s.pitch == nil)
      #expect(s.rollError == nil)
    }
    #expect(decode(sentence("PASHR,120000,90")).1.malformed == 1)
    #expect(decode(sentence("PASHR,LTN,120")).1.unregistered == 1)
    #expect(decode(sentence("PASHR")).1.malformed == 1)
  }

  @Test("PTNTHPR in degrees, in mils, and under alarm")
  func hpr() throws {
    // The degree example of Honeywell's manual, with its checksum.
    let text = "$PTNTHPR,85.9,N,-0.9,N,0.8,N*2C\r\n"
    guard case .ptnthpr(let s)? = decode(text).heard.first?.sentence else {
      Issue.record("PTNTHPR not decoded")
      return
    }
    #expect(near(s.heading?.degrees, 85.9))
    #expect(near(s.pitch?.degrees, -0.9))
    #expect(near(s.roll?.degrees, 0.8))
    #expect(s.headingStatus == .normal)
    if case .ptnthpr(let s)? = only("PTNTHPR,1600,N,-80,M,160,O") {
      #expect(near(s.heading?.degrees, 90))
      #expect(near(s.pitch?.degrees, -4.5))
      #expect(near(s.roll?.degrees, 9))
      #expect(s.pitchStatus == .lowWarning)
      #expect(s.rollStatus == .highWarning)
    }
    if case .ptnthpr(let s)? = only("PTNTHPR,,N,,P,5.2,N") {
      #expect(s.heading == nil)
      #expect(s.pitch == nil)
      #expect(s.pitchStatus == .highAlarm)
      #expect(near(s.roll?.degrees, 5.2))
    }
    if case .ptnthpr(let s)? = only("PTNTHPR,10.0,N,5.0,L,2.0") {
      #expect(s.heading == nil, "an alarm of the pitch voids the heading")
      #expect(s.pitch == nil)
      #expect(s.rollStatus == nil)
    }
    if case .ptnthpr(let s)? = only("PTNTHPR,400.0,N,95.0,N,-200.0,?,x") {
      #expect(s.heading == nil)
      #expect(s.pitch == nil)
      #expect(s.roll == nil)
      #expect(s.rollStatus == nil)
    }
    #expect(decode(sentence("PTNTHPR,85.9")).1.malformed == 1)
  }

  @Test("PTNTHTM in counts of a 65536th turn and in degrees")
  func htm() throws {
    let counts = "$PTNTHTM,14223,N,169,N,-43,N,13641,2454*15\r\n"
    guard case .ptnthtm(let s)? = decode(counts).heard.first?.sentence else {
      Issue.record("PTNTHTM not decoded")
      return
    }
    // 14223, 169, -43 and 13641 times 360 over 65536, by hand.
    #expect(near(s.heading?.angle.degrees, 78.129_272_46, 1e-8))
    #expect(near(s.pitch?.degrees, 0.928_344_727, 1e-8))
    #expect(near(s.roll?.degrees, -0.236_206_055, 1e-8))
    #expect(near(s.dip?.degrees, 74.932_250_98, 1e-8))
    #expect(s.horizontalField == 2454)
    let degrees = "$PTNTHTM,285.2,N,-2.4,N,10.7,N,59.1,3844*27\r\n"
    guard case .ptnthtm(let d)? = decode(degrees).heard.first?.sentence else {
      Issue.record("PTNTHTM not decoded")
      return
    }
    #expect(near(d.heading?.angle.degrees, 285.2))
    #expect(near(d.pitch?.degrees, -2.4))
    #expect(near(d.roll?.degrees, 10.7))
    #expect(near(d.dip?.degrees, 59.1))
    if case .ptnthtm(let s)? = only("PTNTHTM,65535,N,65535,N,-16385,N,-8192,") {
      #expect(near(s.heading?.angle.degrees, 359.994_506_8, 1e-7))
      #expect(near(s.pitch?.degrees, -0.005_493_164, 1e-8))
      #expect(near(s.roll?.degrees, -90.005_493_164, 1e-8))
      #expect(near(s.dip?.degrees, -45))
      #expect(s.horizontalField == nil)
    }
    if case .ptnthtm(let s)? = only("PTNTHTM,100,V,169,N,-43,N") {
      #expect(s.heading == nil)
      #expect(s.headingStatus == .voltageAlarm)
      #expect(s.dip == nil)
    }
  }

  @Test("PUBX,00 and its navigation states")
  func pubx00() throws {
    // ArduSimple's reprint of the F9 interface description, with its checksum.
    let text =
      "$PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,"
      + "0.92,1.19,0.77,9,0,0*5F\r\n"
    let (heard, counts) = decode(text)
    guard case .pubx00(let s)? = heard.first?.sentence else {
      Issue.record("PUBX,00 not decoded: \(counts)")
      return
    }
    #expect(s.time?.nanoseconds == 29_630_000_000_000)
    #expect(near(s.position?.latitude.degrees, 47 + 17.113210 / 60, 1e-12))
    #expect(near(s.position?.longitude.degrees, 8 + 33.915187 / 60, 1e-12))
    #expect(s.ellipsoidalHeightMetres == 546.589)
    #expect(s.status == .threeDimensional)
    #expect(s.horizontalAccuracyMetres == 2.1)
    #expect(s.verticalAccuracyMetres == 2)
    #expect(near(s.speedMetresPerSecond, 0.001_944_444, 1e-9))
    #expect(near(s.course?.degrees, 77.52))
    #expect(s.downwardMetresPerSecond == 0.007)
    #expect(s.correctionAgeSeconds == nil)
    #expect(s.horizontalDilution == 0.92)
    #expect(s.verticalDilution == 1.19)
    #expect(s.timeDilution == 0.77)
    #expect(s.satellitesUsed == 9)
  }

  @Test(
    "Each state of PUBX,00 is told apart",
    arguments: [
      ("NF", .noFix), ("DR", .deadReckoning), ("G2", .twoDimensional), ("G3", .threeDimensional),
      ("D2", .differentialTwoDimensional), ("D3", .differentialThreeDimensional),
      ("RK", .satellitesAndDeadReckoning), ("TT", .timeOnly), ("XX", nil), ("", nil), ("G33", nil),
    ] as [(String, PUBX00.Status?)])
  func pubx00States(letters: String, status: PUBX00.Status?) {
    guard case .pubx00(let s)? = only("PUBX,00,120000,,,,,,\(letters),,,,,-1.5") else { return }
    #expect(s.status == status)
    #expect(s.position == nil)
    #expect(s.downwardMetresPerSecond == -1.5)
  }

  @Test(
    "PUBX,04 says whether its leap seconds are the firmware's",
    arguments: [
      ("18", 18, false), ("15D", 15, true), ("", nil, nil), ("D", nil, nil),
      ("113851.00", nil, nil), ("-", nil, nil),
    ] as [(String, Int?, Bool?)])
  func pubx04(leap: String, seconds: Int?, isDefault: Bool?) {
    guard
      case .pubx04(let s)? = only(
        "PUBX,04,073731.00,091202,113851.00,1196,\(leap),1930035,-2660.664,43,")
    else { return }
    #expect(s.time?.nanoseconds == 27_451_000_000_000)
    #expect(s.date == CivilDate(year: 2002, month: 12, day: 9))
    #expect(s.secondsOfWeek == 113_851)
    #expect(s.week == 1196)
    #expect(s.leapSeconds == seconds)
    #expect(s.leapSecondsAreDefault == isDefault)
    #expect(s.clockBiasNanoseconds == 1_930_035)
    #expect(s.clockDriftNanosecondsPerSecond == -2660.664)
    #expect(s.pulseGranularityNanoseconds == 43)
  }

  @Test("Garmin's sentences")
  func garmin() {
    // NMEA Revealed's examples, with their checksums.
    if case .pgrme(let s)? = decode("$PGRME,15.0,M,45.0,M,25.0,M*1C\r\n").heard.first?.sentence {
      #expect(s.horizontalErrorMetres == 15)
      #expect(s.verticalErrorMetres == 45)
      #expect(s.positionErrorMetres == 25)
    } else {
      Issue.record("PGRME not decoded")
    }
    if case .pgrmz(let s)? = decode("$PGRMZ,2282,f,3*21\r\n").heard.first?.sentence {
      #expect(near(s.altitudeMetres, 695.5536, 1e-9))
      #expect(s.dimension == 3)
    } else {
      Issue.record("PGRMZ not decoded")
    }
    if case .pgrme(let s)? = only("PGRME,,M,,F,-5,M,x") {
      #expect(s.horizontalErrorMetres == nil)
      #expect(s.positionErrorMetres == nil)
    }
    if case .pgrmz(let s)? = only("PGRMZ,-33,F") {
      #expect(near(s.altitudeMetres, -10.0584))
      #expect(s.dimension == nil)
    }
    if case .pgrmm(let s)? = only("PGRMM,WGS 84") { #expect(s.isWGS84 == true) }
    if case .pgrmm(let s)? = only("PGRMM,NAD27 Canada") {
      #expect(s.isWGS84 == false)
      #expect(s.datum?.description == "NAD27 Canada")
    }
    if case .pgrmm(let s)? = only("PGRMM,") { #expect(s.isWGS84 == nil) }
    if case .pgrmv(let s)? = only("PGRMV,-1.5,2.25,0.1") {
      #expect(s.eastMetresPerSecond == -1.5)
      #expect(s.northMetresPerSecond == 2.25)
      #expect(s.upMetresPerSecond == 0.1)
    }
  }

  @Test("PGRMF's figures, its dimension counted as GSA counts")
  func pgrmf() {
    guard
      case .pgrmf(let s)? = only(
        "PGRMF,820,515078,220502,230434,13,3907.3813,N,12102.4639,W,A,2,36,62,2,1")
    else { return }
    #expect(s.week == 820)
    #expect(s.secondsOfWeek == 515_078)
    #expect(s.date == CivilDate(year: 2002, month: 5, day: 22))
    #expect(s.time?.nanoseconds == 83_074_000_000_000)
    #expect(s.leapSeconds == 13)
    #expect(near(s.position?.latitude.degrees, 39 + 7.3813 / 60, 1e-12))
    #expect(near(s.position?.longitude.degrees, -(121 + 2.4639 / 60), 1e-12))
    #expect(s.isAutomatic == true)
    #expect(s.dimension == 3)
    #expect(near(s.speedMetresPerSecond, 10))
    #expect(near(s.course?.degrees, 62))
    #expect(s.positionDilution == 2)
    #expect(s.timeDilution == 1)
    if case .pgrmf(let s)? = only("PGRMF,,,,,,,,,,M,0,,,,") {
      #expect(s.isAutomatic == false)
      #expect(s.dimension == 1)
      #expect(s.position == nil)
    }
  }

  @Test("Makers' other sentences are counted and cost nothing")
  func unknown() {
    let (heard, counts) = decode(
      sentence("PMTK001,604,3") + sentence("PSRF150,1") + sentence("PUBX,41,1,0007") + sentence("P")
        + sentence("PUBX") + sentence("PGRMT,GPS 18x") + sentence("PTNT")
        + sentence("PUBX,00x,1,2,3,4,5,6,7"))
    #expect(heard.isEmpty)
    #expect(counts.unregistered + counts.rejected == 8)
    #expect(counts.unregistered >= 6)
  }

  @Test("Without a checksum a maker's sentence is taken only where it never had one and is whole")
  func unchecked() {
    let whole = "$PTNTHPR,85.9,N,-0.9,N,0.8,N\r\n"
    #expect(decode(whole).heard.count == 1)
    #expect(decode("$PTNTHPR,85.9,N,-0.9,N,0.8\r\n").heard.isEmpty)
    #expect(decode(sentence("PTNTHPR,85.9,N,-0.9,N,0.8,N") + whole).heard.count == 1)
  }

  @Test(
    "A True North's recording has headings, dips and tilts of this world",
    .enabled(if: SharedData.directory != nil, "the reference logs are absent"))
  func recording() throws {
    let bytes = try #require(SharedData.bytes("data/gnss/tnt-revolution.log"))
    var count = 0
    for heard in decode(bytes).heard {
      guard case .ptnthtm(let s) = heard.sentence else { continue }
      count += 1
      let heading = try #require(s.heading).angle.degrees
      let dip = try #require(s.dip).degrees
      let pitch = try #require(s.pitch).degrees
      let roll = try #require(s.roll).degrees
      #expect(heading > 76 && heading < 80)
      #expect(dip > 74 && dip < 76)
      #expect(abs(pitch) < 2 && abs(roll) < 2)
    }
    #expect(count == 50)
  }
}
