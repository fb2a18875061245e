import Formats
import Quantities
import ReceiverProtocols
import Testing

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite(.timeLimit(.minutes(30))) struct EstimateOutputTests {
  private func estimate() -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 1_234_567_891))
    estimate.utc = UTCTime(
      year: 1994, month: 3, day: 23, hour: 12, minute: 34, second: 56, nanosecond: 789_000_000)
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 93))
    estimate.trueHeading = TrueHeading(Angle(degrees: 106.2))
    estimate.fixKind = .threeDimensional
    estimate.position = GeodeticPosition(
      latitudeDegrees: 48.1173, longitudeDegrees: -11.516_666_667)
    estimate.altitudeMetres = 545.4
    estimate.ellipsoidalAltitudeMetres = 592.3
    estimate.speedMetresPerSecond = 22.4 * 1852 / 3600
    estimate.course = Angle(degrees: 84.4)
    estimate.satellitesUsed = 7
    estimate.isSimulated = true
    return estimate
  }

  // The checksums are computed by hand-written Python over the bodies, not by this program.
  @Test("a simulated estimate gives its sentences, marked as simulated")
  func simulatedSentences() {
    #expect(
      text(NMEAReport.sentences(estimate())).components(by: "\r\n") == [
        "$HCHDG,93.0,,,13.2,E*23", "$HCHDM,93.0,M*13", "$HCHDT,106.2,T*2C",
        "$GPGGA,123456.79,4807.03800,N,01131.00000,W,8,07,,545.40,M,46.90,M,,*5E",
        "$GPRMC,123456.79,V,4807.03800,N,01131.00000,W,22.40,84.4,230394,13.2,E,S*2A",
        "$GPVTG,84.4,T,71.2,M,22.40,N,41.48,K,S*30",
      ])
  }

  @Test("GGA has the dilution, and without one the accuracy over a usual range error")
  func dilution() {
    var estimate = estimate()
    func field() -> Substring? {
      let gga = NMEAReport.sentence(.gga, of: estimate).map { text($0) }
      return gga?.split(separator: ",", omittingEmptySubsequences: false).dropFirst(8).first
    }
    estimate.horizontalAccuracyMetres = 8
    #expect(field() == "1.60")
    estimate.horizontalAccuracyMetres = 3000
    #expect(field() == "99.99")
    estimate.horizontalDilution = 0.9
    #expect(field() == "0.90")
  }

  @Test("unknown values give no sentence")
  func unknown() {
    let nothing = Estimate(timestamp: Timestamp(nanoseconds: 0))
    #expect(NMEAReport.sentences(nothing).isEmpty)
    #expect(text(EstimateJSON.object(nothing)) == #"{"t":0.000000000}"#)
    var heading = nothing
    heading.trueHeading = TrueHeading(Angle(degrees: 359.97))
    #expect(text(NMEAReport.sentences(heading)) == "$HCHDT,0.0,T*29\r\n")
  }

  @Test("without a fix GGA and RMC have the no-fix status and no position")
  func noFix() {
    var estimate = estimate()
    estimate.fixKind = FixKind.none
    let lines = text(NMEAReport.sentences(estimate)).components(by: "\r\n").dropFirst(3)
    #expect(lines.first?.hasPrefix("$GPGGA,123456.79,,,,,0,07,,,M,,M,,*") == true)
    #expect(lines.last?.hasPrefix("$GPRMC,123456.79,V,,,,,") == true)
    #expect(lines.last?.contains(",N*") == true)
    #expect(lines.count == 2)
  }

  @Test("Minutes that round up to 60 carry into the degrees, seconds into the date")
  func carries() {
    var estimate = estimate()
    estimate.position = GeodeticPosition(
      latitudeDegrees: 47.999_999_999_9, longitudeDegrees: 179.999_999_999_9)
    estimate.utc = UTCTime(
      year: 2023, month: 12, day: 31, hour: 23, minute: 59, second: 59, nanosecond: 999_000_000)
    let rmc = text(NMEAReport.sentences(estimate)).components(by: "\r\n").first {
      $0.contains("RMC")
    }
    #expect(rmc?.hasPrefix("$GPRMC,000000.00,V,4800.00000,N,18000.00000,E,") == true)
    #expect(rmc?.contains(",010124,") == true)
  }

  @Test("the project's decoder reads the sentences back")
  func readBack() {
    var decoder = ReceiverDecoder()
    var decoded: [NMEASentence] = []
    NMEAReport.sentences(estimate()).withUnsafeBytes {
      decoder.push($0) { if case .sentence(let sentence, _) = $0 { decoded.append(sentence) } }
    }
    #expect(decoded.count == 6)
    #expect(decoder.counts.unreadableFields == 0)
    #expect(decoder.counts.rejected == 0)
  }

  @Test("ROT, XDR, GLL and ZDA have the estimate's values, any talker, and are read back")
  func otherSentences() throws {
    var estimate = estimate()
    estimate.attitude = Rotation(
      AttitudeAngles(
        heading: Angle(degrees: 93), pitch: Angle(degrees: -2.5), roll: Angle(degrees: 10)))
    estimate.isLevelKnown = true
    estimate.rateOfTurn = AngularSpeed(radiansPerSecond: Angle(degrees: -3).radians)
    let kinds: [NMEASchedule.Sentence] = [.ths, .rot, .xdr, .gll, .zda]
    let bytes = kinds.flatMap { NMEAReport.sentence($0, of: estimate) ?? [] }
    #expect(
      text(bytes).components(by: "\r\n").map { String($0.dropLast(3)) } == [
        "$HCTHS,106.2,S", "$TIROT,-180.0,A", "$YXXDR,A,-2.5,D,PITCH,A,10.0,D,ROLL",
        "$GPGLL,4807.03800,N,01131.00000,W,123456.79,V,S", "$GPZDA,123456.79,23,03,1994,00,00",
      ])
    let talker = try #require(NMEATalker("II"))
    let renamed = kinds.flatMap { NMEAReport.sentence($0, of: estimate, talker: talker) ?? [] }
    #expect(text(renamed).components(by: "\r\n").allSatisfy { $0.hasPrefix("$II") })
    var decoder = ReceiverDecoder()
    var count = 0
    (bytes + renamed).withUnsafeBytes {
      decoder.push($0) { if case .sentence = $0 { count += 1 } }
    }
    #expect(count == 10)
    #expect(decoder.counts.unreadableFields == 0 && decoder.counts.rejected == 0)
    let nothing = Estimate(timestamp: Timestamp(nanoseconds: 0))
    #expect(kinds.allSatisfy { NMEAReport.sentence($0, of: nothing) == nil })
  }

  @Test("XDR has the pressure in bar and the sensor's temperature, while they are recent")
  func barometer() {
    func estimate(_ seconds: Double) -> Estimate {
      Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)))
    }
    var schedule = NMEASchedule(mostPerSecond: [.xdr: 1])
    #expect(schedule.sentences(for: estimate(1)).isEmpty)
    schedule.set(
      PressureSample(timestamp: estimate(2).timestamp, hectopascal: 1013.25, celsius: -3.26))
    #expect(
      text(schedule.sentences(for: estimate(2)))
        == "$YXXDR,P,1.01325,B,Barometer,C,-3.3,C,SENSOR*37\r\n")
    schedule.set(PressureSample(timestamp: estimate(3).timestamp, hectopascal: 998.4))
    #expect(
      text(schedule.sentences(for: estimate(3))).hasPrefix("$YXXDR,P,0.99840,B,Barometer*"))
    #expect(schedule.sentences(for: estimate(14)).isEmpty)
  }

  @Test("XDR has the waves and the change of the pressure where they are known")
  func sea() {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 0))
    estimate.pressureTendencyHectopascal = -3.25
    (estimate.waveHeightMetres, estimate.wavePeakPeriodSeconds) = (1.75, 8.25)
    estimate.waveDirection = Angle(degrees: 281.5)
    #expect(
      text(NMEAReport.sentence(.xdr, of: estimate) ?? [])
        == "$YXXDR,G,-0.00325,B,TENDENCY*47\r\n"
        + "$YXXDR,D,1.75,M,WAVEHEIGHT,F,0.1212,H,WAVEPEAK,A,282,D,WAVEFROM*65\r\n")
    estimate = Estimate(timestamp: Timestamp(nanoseconds: 0))
    estimate.waveHeightMetres = 0.04
    #expect(
      text(NMEAReport.sentence(.xdr, of: estimate) ?? []) == "$YXXDR,D,0.04,M,WAVEHEIGHT*46\r\n")
  }

  @Test("The JSON object has the documented keys in degrees and metres")
  func json() {
    var estimate = estimate()
    estimate.attitude = Rotation(
      AttitudeAngles(
        heading: Angle(degrees: 93), pitch: Angle(degrees: -2.5), roll: Angle(degrees: 10)))
    estimate.isLevelKnown = true
    estimate.headingAccuracy = Angle(degrees: 4)
    estimate.rateOfTurn = AngularSpeed(radiansPerSecond: Angle(degrees: -3).radians)
    estimate.horizontalAccuracyMetres = 2.5
    estimate.verticalAccuracyMetres = 4
    estimate.verticalSpeedMetresPerSecond = -0.25
    estimate.calibration = .good
    estimate.disturbance = .clean
    #expect(
      text(EstimateJSON.object(estimate))
        == #"{"t":1.234567891,"time":"1994-03-23T12:34:56.789Z","magneticHeading":93.0000,"trueHeading":106.2000,"#
        + #""headingAccuracy":4.0000,"roll":10.0000,"pitch":-2.5000,"rateOfTurn":-3.0000,"#
        + #""latitude":48.117300000,"longitude":-11.516666667,"horizontalAccuracy":2.500,"#
        + #""altitude":545.400,"ellipsoidalAltitude":592.300,"verticalAccuracy":4.000,"#
        + #""verticalSpeed":-0.250,"speed":11.524,"course":84.4000,"fix":"3D","#
        + #""calibration":"good","disturbance":"clean","simulated":true}"#)
  }

  @Test("numbers that are not finite are left out")
  func notFinite() {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 5))
    estimate.altitudeMetres = .nan
    estimate.speedMetresPerSecond = .infinity
    #expect(text(EstimateJSON.object(estimate)) == #"{"t":0.000000005}"#)
  }
}

@Suite(.timeLimit(.minutes(30))) struct GPSDReportTests {
  @Test("an IMU report names its message, without which xgps 3.25 reads nothing more")
  func message() {
    let samples = SensorSamples(
      timestamp: Timestamp(nanoseconds: 0),
      field: FieldSample(
        timestamp: Timestamp(nanoseconds: 0),
        field: MagneticField(microtesla: SIMD3(4, -31.5, -39))))
    var bytes: [UInt8] = []
    #expect(GPSDReport.append(imuOf: samples, utc: nil, to: &bytes))
    #expect(
      text(bytes).filter { !$0.isNewline }
        == #"{"class":"IMU","msg":"LODESTAR-IMU","mag_x":4.000,"mag_y":-31.500,"mag_z":-39.000}"#)
  }

  private func lines(_ stream: String) -> [String] {
    var (decoder, sources) = (ReceiverDecoder(), PositionSources())
    var lines: [String] = []
    func write(_ report: ReceiverReport) {
      func line(_ append: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        append(&bytes)
        if !bytes.isEmpty { lines.append(text(bytes)) }
      }
      switch report {
      case .epoch(let epoch):
        line { GPSDReport.append(skyOf: epoch, to: &$0) }
        line { GPSDReport.append(tpv: epoch, to: &$0) }
      case .heading(let heading): line { GPSDReport.append(att: heading, to: &$0) }
      case .alignment(let alignment): line { GPSDReport.append(att: alignment, to: &$0) }
      case .pulse: break
      }
    }
    Array(stream.utf8).withUnsafeBytes {
      decoder.push($0) { sources.add($0, at: Timestamp(nanoseconds: 0), write) }
    }
    sources.finish(write)
    return lines
  }

  @Test("TPV has gpsd's names, units and decimals")
  func tpv() {
    // The values of lat, lon, alt, altHAE, speed are what gpsdecode 3.22 prints for the two
    // sentences.
    let written = lines(
      "$GPGGA,132820.60,4134.49821229,N,09345.03351845,W,2,09,1.0,278.020,M,-31.442,M,7.6,0133*7E\r\n"
        + "$GPRMC,132820.60,A,4134.49821229,N,09345.03351845,W,3.252,92.308,180320,11.5985,E,D*1A\r\n"
    )
    #expect(
      written == [
        #"{"class":"TPV","mode":3,"status":2,"time":"2020-03-18T13:28:20.600Z","lat":41.574970205,"#
          + #""lon":-93.750558641,"altHAE":246.5780,"altMSL":278.0200,"alt":278.0200,"#
          + #""track":92.3080,"magvar":11.6,"speed":1.673,"geoidSep":-31.442,"eph":2.800}"#
      ])
  }

  @Test("SKY numbers satellites as gpsd does")
  func sky() {
    let written = lines(
      "$GLGSV,1,1,01,66,40,075,48,1*43\r\n$GAGSV,1,1,01,33,53,047,47,7*44\r\n"
        + "$GPGGA,043539.00,4333.190206,N,00127.618380,E,1,05,1.3,250.8,M,50.0,M,,*62\r\n")
    #expect(
      written.first == #"{"class":"SKY","hdop":1.30,"nSat":2,"uSat":0,"satellites":["#
        + #"{"PRN":66,"el":40.0,"az":75.0,"ss":48.0,"used":false,"gnssid":6,"svid":2},"#
        + #"{"PRN":333,"el":53.0,"az":47.0,"ss":47.0,"used":false,"gnssid":2,"svid":33}]}"#)
  }

  @Test("ATT distinguishes true and magnetic heading")
  func att() {
    #expect(
      lines("$HCHDG,101.1,7.1,W,13.2,E*67\r\n")
        == [#"{"class":"ATT","heading":107.200,"mheading":94.000}"#])
  }
}

extension String {
  fileprivate func components(by end: String) -> [String] {
    split(separator: end).map { String($0) }
  }
}
