import Formats
import Quantities
import ReceiverProtocols
import Testing

@Suite("Satellites as NMEA 0183 and gpsd's objects", .timeLimit(.minutes(30)))
struct SkyReportTests {
  private static let instant = Timestamp(nanoseconds: 5_000_000_000)

  private static func satellite(
    _ constellation: Constellation, _ number: UInt16, used: Bool = true
  ) -> SkyView.Satellite {
    SkyView.Satellite(
      id: SatelliteID(constellation: constellation, number: number), elevationDegrees: 45.4,
      azimuthDegrees: 120.6, signalDecibelHertz: 41, isUsed: used)
  }

  private static func sky(_ satellites: [SkyView.Satellite]) -> SkyReport {
    var sky = SkyReport(
      timestamp: instant, utc: UTCTime(nanosecondsSince1970: 1_000_000_000), satellites: satellites)
    (sky.positionDilution, sky.horizontalDilution, sky.verticalDilution) = (1.5, 0.8, 1.25)
    return sky
  }

  private static var fix: Estimate {
    var estimate = Estimate(timestamp: instant)
    estimate.fixKind = .threeDimensional
    estimate.position = GeodeticPosition(latitudeDegrees: 54, longitudeDegrees: 10)
    estimate.altitudeMetres = 3
    return estimate
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  @Test("GSA has the satellites in use of each system, and the dilutions")
  func inUse() {
    let sky = Self.sky([
      Self.satellite(.gps, 7), Self.satellite(.galileo, 3), Self.satellite(.glonass, 2),
      Self.satellite(.gps, 9, used: false), Self.satellite(.sbas, 123),
    ])
    #expect(
      lines(NMEAReport.gsa(sky, of: Self.fix)) == [
        "$GPGSA,A,3,07,36,,,,,,,,,,,1.50,0.80,1.25,1*17",
        "$GLGSA,A,3,66,,,,,,,,,,,,1.50,0.80,1.25,2*0A",
        "$GAGSA,A,3,03,,,,,,,,,,,,1.50,0.80,1.25,3*05",
      ])
    // Without a fix no satellite is in use.
    #expect(
      lines(
        NMEAReport.gsa(
          SkyReport(timestamp: Self.instant, satellites: []), of: Estimate(timestamp: Self.instant))
      )
        == ["$GPGSA,A,1,,,,,,,,,,,,,,,,1*03"])
    let many = Self.sky((1...13).map { Self.satellite(.gps, $0) })
    #expect(lines(NMEAReport.gsa(many, of: Self.fix)).count == 2)
  }

  @Test("what GSA and GSV contain is decoded to the same satellites")
  func decoded() throws {
    var satellites: [SkyView.Satellite] = []
    for (constellation, numbers) in [
      (Constellation.gps, [1, 32]), (.sbas, [120, 151]), (.glonass, [1, 24]), (.galileo, [1, 36]),
      (.beidou, [1, 63]), (.qzss, [1, 7]), (.navic, [1, 14]),
    ] as [(Constellation, [UInt16])] {
      for number in numbers { satellites.append(Self.satellite(constellation, number)) }
    }
    satellites[0].signalDecibelHertz = nil
    satellites[1].elevationDegrees = nil
    let sky = Self.sky(satellites)
    let bytes =
      NMEAReport.sentences(Self.fix) + NMEAReport.gsa(sky, of: Self.fix) + NMEAReport.gsv(sky)
    var reader = ReceiverReader()
    var found: [SkyView.Satellite] = []
    func add(_ report: ReceiverReport) {
      if case .epoch(let epoch) = report, let sky = epoch.sky { found = sky.satellites }
    }
    bytes.withUnsafeBytes { reader.push($0, at: Self.instant, add) }
    reader.finish(at: Self.instant, add)
    #expect(reader.counts.rejected == 0)
    #expect(found.map(\.id).count == satellites.count)
    for satellite in satellites {
      let same = try #require(found.first { $0.id == satellite.id }, "\(satellite.id)")
      #expect(same.isUsed)
      #expect(same.elevationDegrees == satellite.elevationDegrees.map { _ in 45 })
      #expect(same.azimuthDegrees == 121)
      #expect(same.signalDecibelHertz == satellite.signalDecibelHertz)
    }
  }

  @Test("a value out of a field's range is left out")
  func outOfRange() {
    var satellite = Self.satellite(.gps, 5)
    (satellite.elevationDegrees, satellite.azimuthDegrees) = (-4, 359.7)
    satellite.signalDecibelHertz = .nan
    #expect(
      lines(NMEAReport.gsv(Self.sky([satellite]))) == ["$GPGSV,1,1,01,05,,000,*4D"])
  }

  @Test("SKY has satellites with their health, and all known dilutions")
  func object() {
    var sky = Self.sky([Self.satellite(.galileo, 3)])
    sky.satellites[0].isHealthy = true
    (sky.geometricDilution, sky.timeDilution) = (1.9, 0.7)
    var text: [UInt8] = []
    GPSDReport.append(sky: sky, device: "/dev/x", to: &text)
    #expect(
      String(decoding: text, as: UTF8.self)
        == #"{"class":"SKY","device":"/dev/x","time":"1970-01-01T00:00:01.000Z","vdop":1.25,"tdop":0.70,"#
        + #""hdop":0.80,"gdop":1.90,"pdop":1.50,"nSat":1,"uSat":1,"satellites":[{"PRN":303,"el":45.4,"#
        + #""az":120.6,"ss":41.0,"used":true,"gnssid":2,"svid":3,"health":1}]}"#)
  }

  @Test("TOFF has the receiver's time and the system clock at its arrival")
  func arrival() {
    let utc = UTCTime(nanosecondsSince1970: 1_666_298_551_000_000_000)
    let clock = UTCTime(nanosecondsSince1970: 1_666_298_551_123_456_789)
    #expect(
      String(decoding: GPSDReport.toff(utc, clock: clock, device: "/dev/x"), as: UTF8.self)
        == #"{"class":"TOFF","device":"/dev/x","real_sec":1666298551,"real_nsec":0,"clock_sec":1666298551,"clock_nsec":123456789}"#
    )
  }

  @Test("a schedule writes GSA and GSV with each fix while the satellites are new")
  func scheduled() throws {
    var schedule = NMEASchedule(mostPerSecond: [.gsa: 1, .gsv: 1])
    #expect(schedule.sentences(for: Self.fix).isEmpty)
    schedule.set(Self.sky([Self.satellite(.gps, 7)]))
    #expect(lines(schedule.sentences(for: Self.fix)).map { $0.prefix(6) } == ["$GPGSA", "$GPGSV"])
    var later = Self.fix
    later.timestamp = later.timestamp.advanced(bySeconds: 11)
    #expect(schedule.sentences(for: later).isEmpty)
  }

  @Test("TPV has the antenna's state and the level of interference where the receiver reports them")
  func signals() {
    var epoch = ReceiverEpoch(timestamp: Timestamp(nanoseconds: 0))
    func tpv() -> String {
      var text: [UInt8] = []
      GPSDReport.append(tpv: epoch, to: &text)
      return String(decoding: text, as: UTF8.self)
    }
    #expect(!tpv().contains("\"ant\"") && !tpv().contains("\"jam\""))
    (epoch.signals.antenna, epoch.signals.interferenceLevel) = (.short, 181)
    #expect(tpv().contains("\"ant\":3,\"jam\":181"))
  }
}
