import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct ProprietarySentenceTests {
  @Test("Every field of PUBX,00 is decoded")
  func pubx00() throws {
    // ArduSimple's reprint of the F9 interface description, with its checksum.
    let text =
      "$PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,,"
      + "0.92,1.19,0.77,9,0,0*5F\r\n"
    let (sentences, counts) = decode(text)
    guard case .pubx00(let s)? = sentences.first?.sentence else {
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
    "Each navigation status of PUBX,00 is decoded",
    arguments: [
      ("NF", .noFix), ("DR", .deadReckoning), ("G2", .twoDimensional), ("G3", .threeDimensional),
      ("D2", .differentialTwoDimensional), ("D3", .differentialThreeDimensional),
      ("RK", .satellitesAndDeadReckoning), ("TT", .timeOnly), ("XX", nil), ("", nil), ("G33", nil),
    ] as [(String, PUBX00.Status?)])
  func pubx00States(letters: String, status: PUBX00.Status?) {
    guard case .pubx00(let s)? = only("PUBX,00,120000,,,,,,\(letters),,,,,-1.5") else {
      Issue.record("PUBX,00 not decoded: \(letters)")
      return
    }
    #expect(s.status == status)
    #expect(s.position == nil)
    #expect(s.downwardMetresPerSecond == -1.5)
  }

  @Test(
    "PUBX,04 marks leap seconds that are the firmware's default",
    arguments: [
      ("18", 18, false), ("15D", 15, true), ("", nil, nil), ("D", nil, nil),
      ("113851.00", nil, nil), ("-", nil, nil),
    ] as [(String, Int?, Bool?)])
  func pubx04(leap: String, seconds: Int?, isDefault: Bool?) {
    guard
      case .pubx04(let s)? = only(
        "PUBX,04,073731.00,091202,113851.00,1196,\(leap),1930035,-2660.664,43,")
    else {
      Issue.record("PUBX,04 not decoded: \(leap)")
      return
    }
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

  @Test("Garmin's sentences are decoded, also with empty and invalid fields")
  func garmin() {
    // NMEA Revealed's examples, with their checksums.
    if case .pgrme(let s)? = decode("$PGRME,15.0,M,45.0,M,25.0,M*1C\r\n").sentences.first?.sentence
    {
      #expect(s.horizontalErrorMetres == 15)
      #expect(s.verticalErrorMetres == 45)
      #expect(s.positionErrorMetres == 25)
    } else {
      Issue.record("PGRME not decoded")
    }
    if case .pgrmz(let s)? = decode("$PGRMZ,2282,f,3*21\r\n").sentences.first?.sentence {
      #expect(near(s.altitudeMetres, 695.5536, 1e-9))
      #expect(s.dimension == 3)
    } else {
      Issue.record("PGRMZ not decoded")
    }
    if case .pgrme(let s)? = only("PGRME,,M,,F,-5,M,x") {
      #expect(s.horizontalErrorMetres == nil)
      #expect(s.positionErrorMetres == nil)
    } else {
      Issue.record("PGRME not decoded")
    }
    if case .pgrmz(let s)? = only("PGRMZ,-33,F") {
      #expect(near(s.altitudeMetres, -10.0584))
      #expect(s.dimension == nil)
    } else {
      Issue.record("PGRMZ not decoded")
    }
    if case .pgrmm(let s)? = only("PGRMM,WGS 84") {
      #expect(s.isWGS84 == true)
    } else {
      Issue.record("PGRMM not decoded")
    }
    if case .pgrmm(let s)? = only("PGRMM,NAD27 Canada") {
      #expect(s.isWGS84 == false)
      #expect(s.datum?.description == "NAD27 Canada")
    } else {
      Issue.record("PGRMM not decoded")
    }
    if case .pgrmm(let s)? = only("PGRMM,") {
      #expect(s.isWGS84 == nil)
    } else {
      Issue.record("PGRMM not decoded")
    }
    if case .pgrmv(let s)? = only("PGRMV,-1.5,2.25,0.1") {
      #expect(s.eastMetresPerSecond == -1.5)
      #expect(s.northMetresPerSecond == 2.25)
      #expect(s.upMetresPerSecond == 0.1)
    } else {
      Issue.record("PGRMV not decoded")
    }
  }

  @Test("Every field of PGRMF is decoded, with the dimension as in GSA")
  func pgrmf() {
    guard
      case .pgrmf(let s)? = only(
        "PGRMF,820,515078,220502,230434,13,3907.3813,N,12102.4639,W,A,2,36,62,2,1")
    else {
      Issue.record("PGRMF not decoded")
      return
    }
    #expect(s.week == 820)
    #expect(s.secondsOfWeek == 515_078)
    #expect(s.date == CivilDate(year: 2002, month: 5, day: 22))
    #expect(s.time?.nanoseconds == 83_074_000_000_000)
    #expect(s.leapSeconds == 13)
    let (latitude, longitude): (Double, Double) = (39 + 7.3813 / 60, -(121 + 2.4639 / 60))
    #expect(near(s.position?.latitude.degrees, latitude, 1e-12))
    #expect(near(s.position?.longitude.degrees, longitude, 1e-12))
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
    } else {
      Issue.record("PGRMF not decoded")
    }
  }

  @Test("PASHR,POS and PASHR,SAT are decoded, also with empty fields")
  func ashtech() throws {
    // ProFlex 800 and Z-Sensor manuals.
    if case .pashrpos(let s)? = only(
      "PASHR,POS,3,10,151858.00,4717.960848,N,00130.499487,W,82.972,,12.5,1.5,-0.3,2.0,1.1,1.7,1.3,G010"
    ) {
      #expect(s.solution == 3)
      #expect(s.satellitesUsed == 10)
      #expect(s.time?.nanoseconds == 55_138_000_000_000)
      let (latitude, longitude): (Double, Double) = (47 + 17.960848 / 60, -(1 + 30.499487 / 60))
      #expect(near(s.position?.latitude.degrees, latitude, 1e-12))
      #expect(near(s.position?.longitude.degrees, longitude, 1e-12))
      #expect(s.ellipsoidalHeightMetres == 82.972)
      #expect(near(s.course?.degrees, 12.5))
      #expect(near(s.speedMetresPerSecond, 0.771_666_667, 1e-8))
      #expect(s.verticalMetresPerSecond == -0.3)
      #expect(s.positionDilution == 2)
      #expect(s.horizontalDilution == 1.1)
      #expect(s.verticalDilution == 1.7)
      #expect(s.timeDilution == 1.3)
    } else {
      Issue.record("PASHR,POS not decoded")
    }
    if case .pashrpos(let s)? = only("PASHR,POS,,,151858.00,,,,,") {
      #expect(s.position == nil)
      #expect(s.solution == nil)
    } else {
      Issue.record("PASHR,POS not decoded")
    }
    #expect(decode(sentence("PASHR,POS,0,04")).1.malformed == 1)
    if case .pashrsat(let s)? = only(
      "PASHR,SAT,03,03,103,56,50.5,U,23,225,61,39,-,16,,,,U,04,160,46")
    {
      #expect(s.satellites.count == 3)
      let first = try #require(s.satellites[0])
      #expect(first.number == 3 && first.isUsed)
      #expect(first.elevationDegrees == 56 && first.azimuthDegrees == 103)
      #expect(first.signalDecibelHertz == 51)
      let second = try #require(s.satellites[1])
      #expect(!second.isUsed && second.signalDecibelHertz == 39)
      let third = try #require(s.satellites[2])
      #expect(third.number == 16 && third.elevationDegrees == nil && third.isUsed)
      #expect(s.satellites[3] == nil && s.satellites[-1] == nil)
    } else {
      Issue.record("PASHR,SAT not decoded")
    }
  }

  @Test("PUBX,03 contains up to 56 satellites")
  func pubx03() throws {
    if case .pubx03(let s)? = only("PUBX,03,02,23,-,,,45,010,08,U,067,31,42,025,15") {
      #expect(s.satellites.count == 2)
      let used = try #require(s.satellites[1])
      #expect(used.number == 8 && used.isUsed)
      #expect(used.elevationDegrees == 31 && used.azimuthDegrees == 67)
      #expect(used.signalDecibelHertz == 42)
    } else {
      Issue.record("PUBX,03 not decoded")
    }
    let many = (1...66).map { "\($0),e,,,,0" }.joined(separator: ",")
    if case .pubx03(let s)? = only("PUBX,03,66,\(many)") {
      #expect(s.satellites.count == 56)
      #expect(s.satellites[55]?.number == 56)
    } else {
      Issue.record("PUBX,03 not decoded")
    }
  }

  @Test("each value of a satellite's fields is kept, and each may be missing")
  func satelliteValues() throws {
    for (azimuth, elevation, signal) in [
      ("0", "-90", "0"), ("360", "90", "99"), ("", "5", "7"), ("1", "", "7"), ("1", "5", ""),
    ] {
      for (number, used) in [("1", "U"), ("255", "-")] {
        let text = "PUBX,03,01,\(number),\(used),\(azimuth),\(elevation),\(signal),000"
        guard case .pubx03(let s)? = only(text) else {
          Issue.record("PUBX,03 not decoded: \(text)")
          continue
        }
        let entry = try #require(s.satellites[0])
        #expect(entry.number == UInt16(number) && entry.isUsed == (used == "U"))
        #expect(entry.azimuthDegrees == Int16(azimuth))
        #expect(entry.elevationDegrees == Int8(elevation))
        #expect(entry.signalDecibelHertz == Int8(signal))
      }
    }
  }

  @Test("PSRFEPE has no errors with status V, and no course error of half a turn")
  func psrfepe() {
    // gpsd's example, with its checksum.
    let text = "$PSRFEPE,100542.000,A,0.7,6.82,10.69,0.0,180.0*24\r\n"
    if case .psrfepe(let s)? = decode(text).sentences.first?.sentence {
      #expect(s.time?.nanoseconds == 36_342_000_000_000)
      #expect(s.isValid == true)
      #expect(s.horizontalDilution == 0.7)
      #expect(s.horizontalErrorMetres == 6.82)
      #expect(s.verticalErrorMetres == 10.69)
      #expect(s.speedErrorMetresPerSecond == 0)
      #expect(s.courseError == nil)
    } else {
      Issue.record("PSRFEPE not decoded")
    }
    if case .psrfepe(let s)? = only("PSRFEPE,100542.000,V,0.7,6.82,10.69,0.0,12.0") {
      #expect(s.horizontalErrorMetres == nil)
      #expect(s.courseError == nil)
    } else {
      Issue.record("PSRFEPE not decoded")
    }
    if case .psrfepe(let s)? = only("PSRFEPE,,A,,1,2,3,12.5,x") {
      #expect(near(s.courseError?.degrees, 12.5))
    } else {
      Issue.record("PSRFEPE not decoded")
    }
  }

  @Test("Other proprietary sentences are counted")
  func unknown() {
    let bodies = [
      "PMTK001,604,3", "PSRF150,1", "PUBX,41,1,0007", "P", "PUBX", "PGRMT,GPS 18x", "PTNT",
      "PUBX,00x,1,2,3,4,5,6,7",
    ]
    let (sentences, counts) = decode(bodies.map { sentence($0) }.joined())
    #expect(sentences.isEmpty)
    #expect(counts.unregistered + counts.rejected == 8)
    #expect(counts.unregistered >= 6)
  }

  @Test("A proprietary sentence without a checksum must be complete")
  func unchecked() {
    let whole = "$PTNTHPR,85.9,N,-0.9,N,0.8,N\r\n"
    #expect(decode(whole).sentences.count == 1)
    #expect(decode("$PTNTHPR,85.9,N,-0.9,N,0.8\r\n").sentences.isEmpty)
    #expect(decode(sentence("PTNTHPR,85.9,N,-0.9,N,0.8,N") + whole).sentences.count == 1)
  }
}
