import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct SentenceTests {
  @Test("HDG adds east deviation and east variation and subtracts west ones")
  func hdg() throws {
    guard case .hdg(let hdg)? = decode("$HCHDG,101.1,7.1,W,13.2,E*67\r\n").sentences.first?.sentence
    else {
      Issue.record("HDG not decoded")
      return
    }
    #expect(try abs(#require(hdg.magneticHeading).angle.degrees - 94.0) < 1e-9)
    #expect(try abs(#require(hdg.trueHeading).angle.degrees - 107.2) < 1e-9)
  }

  @Test("A position keeps every printed digit")
  func positionDigits() throws {
    let text = sentence("GPGGA,000000,8959.99999999,S,17959.99999999,W,1,04,1,-410.5,M,-0.5,M,,")
    guard case .gga(let gga)? = decode(text).sentences.first?.sentence else {
      Issue.record("GGA not decoded")
      return
    }
    let position = try #require(gga.position)
    // 89 + 59.99999999/60 = 89.99999999983333…; by hand.
    #expect(abs(position.latitude.degrees + 89.999_999_999_833_33) < 1e-13)
    #expect(abs(position.longitude.degrees + 179.999_999_999_833_33) < 1e-13)
    #expect(gga.altitudeMetres == -410.5)
    #expect(gga.geoidSeparationMetres == -0.5)
  }

  @Test(
    "An impossible position is nil, and the rest of the sentence is decoded",
    arguments: [
      "36000.0000,N,00000.0000,E", "8960.0001,N,00000.0000,E", "9000.0001,N,00000.0000,E",
      "4500.0000,N,18000.0001,E", "4500.0000,X,00000.0000,E", "45x0.0000,N,00000.0000,E",
      "-4500.0000,N,00000.0000,E", "4500.0000,N,,", "99999999999999999999,N,00000.0000,E",
    ])
  func impossiblePlaces(place: String) {
    guard
      case .gga(let gga)? = decode(sentence("GPGGA,120000,\(place),1,07,1.5,10.0,M,,,,")).sentences
        .first?.sentence
    else {
      Issue.record("GGA not decoded")
      return
    }
    #expect(gga.position == nil)
    #expect(gga.satellitesUsed == 7)
    #expect(gga.altitudeMetres == 10)
  }

  @Test("The poles, the date line and 0,0 are valid positions")
  func edgePlaces() {
    for place in ["9000.000,S,00000.000,E", "0000.000,N,18000.000,W", "0000.0,N,00000.0,E"] {
      let text = sentence("GPGLL,\(place),120000,A")
      let decoded = decode(text).sentences.first?.sentence
      guard case .gll(let gll)? = decoded else {
        Issue.record("GLL not decoded")
        continue
      }
      #expect(gll.position != nil)
    }
  }

  @Test("Second 60 is valid, second 61 and hour 24 are not")
  func leapSecond() {
    func time(_ text: String) -> TimeOfDay? {
      decode(sentence("GPZDA,\(text),31,12,2016,00,00")).sentences.first?.sentence.time
    }
    #expect(time("235960.25")?.nanoseconds == 86_400_250_000_000)
    #expect(time("235961") == nil)
    #expect(time("240000") == nil)
    #expect(time("1200") != nil, "001200 without leading zeros")
    #expect(time("12:00:00") == nil)
  }

  @Test("RMC of NMEA 2.0, 2.3 and 4.1 decodes to the same values")
  func rmcVariants() throws {
    let common = "220516,A,5133.82,N,00042.24,W,173.8,231.8,130694,004.2,W"
    for tail in ["", ",A", ",A,V", ",D,S,extra"] {
      guard
        case .rmc(let rmc)? = decode(sentence("GPRMC," + common + tail)).sentences.first?.sentence
      else {
        Issue.record("RMC not decoded")
        continue
      }
      #expect(rmc.isValid == true)
      #expect(try abs(#require(rmc.speedMetresPerSecond) - 173.8 * 0.514_444_444) < 1e-6)
      #expect(try abs(#require(rmc.magneticVariation).degrees + 4.2) < 1e-12)
      #expect(rmc.date == CivilDate(year: 1994, month: 6, day: 13))
    }
  }

  @Test("GSV contains complete satellites without an incomplete one, and the signal")
  func gsv() {
    let cases: [(String, [UInt16], UInt8?)] = [
      ("GPGSV,1,1,02,02,51,278,26,07,00,274,18", [2, 7], nil),
      ("GPGSV,1,1,02,02,51,278,26,07,00,274,18,A", [2, 7], 10),
      ("GPGSV,1,1,02,02,51,278,26,07,00,274", [2], nil),
      ("GPGSV,1,1,00", [], nil), ("GPGSV,1,1,01,,,,30,208,,,", [208], nil),
    ]
    for (body, numbers, signal) in cases {
      guard case .gsv(let gsv)? = decode(sentence(body)).sentences.first?.sentence else {
        Issue.record("GSV not decoded: \(body)")
        continue
      }
      var seen: [UInt16] = []
      gsv.forEachEntry { seen.append($0.number) }
      #expect(seen == numbers)
      #expect(gsv.signalID == signal)
    }
  }

  @Test("VTG is decoded with and without unit letters")
  func vtg() {
    for body in ["GPVTG,54.7,T,34.4,M,5.5,N,10.2,K,A", "GPVTG,54.7,34.4,5.5,10.2"] {
      guard case .vtg(let vtg)? = decode(sentence(body)).sentences.first?.sentence else {
        Issue.record("VTG not decoded: \(body)")
        continue
      }
      #expect(abs((vtg.course?.degrees ?? 0) - 54.7) < 1e-9)
      #expect(abs((vtg.speedMetresPerSecond ?? 0) - 2.829_444) < 1e-6)
    }
  }

  @Test("Quectel's PQ is a talker, and a GSA may have 24 satellite fields")
  func quirks() throws {
    let quectel = decode(sentence("PQGSA,A,3,193,194,,,,,,,,,,,1.1,0.9,0.7")).sentences.first
    guard case .gsa(let gsa)? = quectel?.sentence else {
      Issue.record("PQGSA is not decoded")
      return
    }
    #expect(gsa.dimension == 3)
    #expect(gsa.count == 2)
    #expect(decode(sentence("PQVERNO,R,L70")).1.unregistered == 1)
    let navior = decode(
      sentence("GPGSA,A,3,27,23,13,07,25,,,,,,,,,,,,,,,,,,,,07.9,06.0,05.2")
    ).sentences.first
    guard case .gsa(let wide)? = navior?.sentence else {
      Issue.record("GSA of 24 satellite fields is not decoded")
      return
    }
    #expect(wide.count == 5)
    #expect(wide.positionDilution == 7.9)
    #expect(wide.verticalDilution == 5.2)
  }
}
