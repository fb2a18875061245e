import Quantities
import ReceiverProtocols
import Testing

@Suite(.timeLimit(.minutes(30))) struct EpochTests {
  private func gga(_ time: String, altitude: String = "100.0", quality: Int = 1) -> String {
    sentence("GPGGA,\(time),4807.038,N,01131.000,E,\(quality),08,0.9,\(altitude),M,46.9,M,,")
  }
  private func rmc(_ time: String, _ date: String) -> String {
    sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,010.0,084.4,\(date),003.1,W,A")
  }

  @Test("The order of an instant's sentences does not matter")
  func order() throws {
    let date = rmc("120000.00", "150624")
    let both = [gga("120000.00") + date, date + gga("120000.00")].map { epochs($0) }
    for all in both {
      #expect(all.count == 1)
      let fix = try #require(all.first).fix
      #expect(fix.utc == UTCTime(year: 2024, month: 6, day: 15, hour: 12))
      #expect(fix.altitudeMetres == 100)
      #expect(try abs(#require(fix.ellipsoidalAltitudeMetres) - 146.9) < 1e-9)
      #expect(try abs(#require(fix.speedMetresPerSecond) - 5.144_444) < 1e-6)
      #expect(fix.kind == .threeDimensional)
    }
  }

  @Test("Sentences half a second apart are two instants")
  func apart() {
    let all = epochs(gga("120000.00") + rmc("120000.50", "150624"))
    #expect(all.count == 2)
    #expect(all.last?.fix.altitudeMetres == nil)
  }

  @Test("After midnight the date advances before a sentence contains it")
  func midnight() throws {
    let all = epochs(rmc("235959.00", "311223") + gga("000000.00") + gga("000001.00"))
    #expect(
      all.map(\.fix.utc) == [
        UTCTime(year: 2023, month: 12, day: 31, hour: 23, minute: 59, second: 59),
        UTCTime(year: 2024, month: 1, day: 1),
        UTCTime(year: 2024, month: 1, day: 1, second: 1),
      ])
  }

  @Test("A small step back in time stays in the day")
  func backwards() {
    let all = epochs(rmc("000010.00", "010124") + gga("000001.00"))
    #expect(all.last?.fix.utc == UTCTime(year: 2024, month: 1, day: 1, second: 1))
  }

  @Test("Two-digit years are 1980 to 2079, and ZDA's four digits are used as they are")
  func years() {
    #expect(epochs(rmc("120000", "010180")).first?.fix.utc?.date.year == 1980)
    #expect(epochs(rmc("120000", "010179")).first?.fix.utc?.date.year == 2079)
    let zda = sentence("GPZDA,120000,01,01,2101,00,00")
    #expect(epochs(gga("120000") + zda).first?.fix.utc?.date.year == 2101)
    #expect(epochs(rmc("120000", "310224")).first?.fix.utc == nil, "31 February")
  }

  @Test("A date before the given day moves by whole 1024-week periods")
  func rollover() {
    // 2019-04-07 minus 1024 weeks is 1999-08-22: the second rollover of GPS.
    let first = CivilDate(year: 2019, month: 1, day: 1)
    #expect(
      epochs(rmc("120000", "220899"), dates: .notBefore(first)).first?.fix.utc
        == UTCTime(year: 2019, month: 4, day: 7, hour: 12))
    #expect(
      epochs(rmc("120000", "070419"), dates: .notBefore(first)).first?.fix.utc
        == UTCTime(year: 2019, month: 4, day: 7, hour: 12))
  }

  @Test("A leap second is the next day's first second")
  func leapSecond() {
    #expect(
      epochs(rmc("235960.00", "311216")).first?.fix.utc == UTCTime(year: 2017, month: 1, day: 1))
  }

  @Test("Once the cycle is known, an epoch is reported with its last sentence")
  func predictedEnd() {
    var assembler = EpochAssembler()
    var reported: [Int] = []
    var added = 0
    for second in 10..<20 {
      let text = gga("1200\(second)") + rmc("1200\(second)", "150624")
      for item in decode(text).sentences {
        added += 1
        assembler.add(item.sentence, from: item.talker, at: Timestamp(nanoseconds: 0)) { _ in
          reported.append(added)
        }
      }
    }
    assembler.finish { _ in reported.append(added) }
    #expect(reported.count == 10)
    // The first epochs wait for the first sentence of the next one, the later ones do not.
    #expect(reported.first == 3)
    #expect(reported.suffix(5) == [12, 14, 16, 18, 20])
  }

  @Test("A sentence after a predicted end revises the epoch")
  func revision() throws {
    var text = ""
    for second in 10..<20 { text += rmc("1200\(second)", "150624") }
    text += gga("120019")
    let all = epochs(text)
    #expect(all.count == 11)
    let last = try #require(all.last)
    #expect(last.isRevision)
    #expect(last.fix.altitudeMetres == 100)
    #expect(last.fix.speedMetresPerSecond != nil)
  }

  @Test("Speed without a time after a predicted end belongs to the next epoch")
  func lateVTG() {
    var text = ""
    for second in 10..<20 { text += gga("1200\(second)") }
    text += sentence("GPVTG,10.0,T,,M,3.0,N,,K,A") + gga("120020")
    let all = epochs(text)
    #expect(all.last?.fix.speedMetresPerSecond != nil)
    #expect(all.dropLast().allSatisfy { $0.fix.speedMetresPerSecond == nil })
  }

  @Test("Without a fix there is neither position nor altitude")
  func noFix() {
    let all = epochs(gga("120000", quality: 0))
    #expect(all.first?.dimension == ReceiverEpoch.Dimension.none)
    #expect(all.first?.fix.kind == FixKind.none)
    #expect(all.first?.fix.position == nil)
    #expect(all.first?.fix.altitudeMetres == nil)
  }

  @Test(
    "The quality digit determines the kind of the fix",
    arguments: [
      (1, FixKind.threeDimensional), (2, .differential), (4, .rtkFixed), (5, .rtkFloat),
      (6, .deadReckoning), (8, .simulated),
    ])
  func kinds(quality: Int, kind: FixKind) {
    #expect(epochs(gga("120000", quality: quality)).first?.fix.kind == kind)
  }

  @Test("A heading is reported at once, before its epoch is complete")
  func headings() {
    let all = reports(Array((sentence("HEHDT,4.0,T") + sentence("HEROT,-60.0,A")).utf8))
    #expect(all.count == 2)
    guard case .heading(let first)? = all.first, case .heading(let second)? = all.last else {
      Issue.record("no heading reports")
      return
    }
    #expect(abs((first.trueHeading?.angle.degrees ?? 0) - 4) < 1e-9)
    #expect(abs((second.rateOfTurn?.degreesPerSecond ?? 0) + 1) < 1e-9)
  }

  @Test("Satellites of several systems and signals are joined to one sky, each satellite once")
  func sky() throws {
    let text =
      sentence("GNGSA,A,3,02,08,,,,,,,,,,,1.6,1.3,0.9,1")
      + sentence("GNGSA,A,3,65,,,,,,,,,,,,1.6,1.3,0.9,2")
      + sentence("GNGSA,A,3,08,,,,,,,,,,,,1.6,1.3,0.9,3")
      + sentence("GPGSV,1,1,02,02,51,278,26,08,77,310,32,1")
      + sentence("GPGSV,1,1,01,02,51,278,40,8")
      + sentence("GLGSV,1,1,01,65,16,026,43,1")
      + sentence("GAGSV,1,1,02,08,36,258,30,33,53,047,,7")
      + gga("120000")
    let sky = try #require(epochs(text).first?.sky)
    let satellites = sky.satellites.map { "\($0.id.constellation) \($0.id.number) \($0.isUsed)" }
    #expect(
      satellites == [
        "gps 2 true", "gps 8 true", "glonass 1 true", "galileo 8 true", "galileo 33 false",
      ])
    #expect(sky.satellites.first?.signalDecibelHertz == 40)
  }

  @Test("Accuracy is the receiver's own where it sends one, else dilution times a range error")
  func accuracy() throws {
    let plain = try #require(epochs(gga("120000")).first)
    #expect(try abs(#require(plain.fix.horizontalAccuracyMetres) - 0.9 * 7.1) < 1e-9)
    let gst = sentence("GPGST,120000,0.006,0.023,0.020,273.6,3.0,4.0,12.0")
    let own = try #require(epochs(gga("120000") + gst).first)
    #expect(own.fix.horizontalAccuracyMetres == 5)
    #expect(own.fix.verticalAccuracyMetres == 12)
  }

  @Test("Silence on the line ends the epoch; more sentences of its instant make a revision")
  func silence() {
    var assembler = EpochAssembler()
    var seen: [(second: Int64, isRevision: Bool, speed: Double?)] = []
    func add(_ report: ReceiverReport) {
      guard case .epoch(let epoch) = report, let utc = epoch.fix.utc else { return }
      let second = utc.nanosecondsOfDay / 1_000_000_000 % 60
      seen.append((second, epoch.isRevision, epoch.fix.speedMetresPerSecond))
    }
    func send(_ text: String) {
      for item in decode(text).sentences {
        assembler.add(item.sentence, from: item.talker, at: Timestamp(nanoseconds: 0), add)
      }
    }
    send(sentence("GPRMC,120001.00,A,4807.038,N,01131.000,E,10.0,084.4,230326,,,A"))
    #expect(seen.isEmpty)
    assembler.lineFellSilent(add)
    assembler.lineFellSilent(add)
    #expect(seen.map(\.second) == [1])
    // The next instant is a new epoch, which is not reported before its own end.
    send(sentence("GPRMC,120002.00,A,4807.038,N,01131.000,E,10.0,084.4,230326,,,A"))
    #expect(seen.map(\.second) == [1])
    assembler.lineFellSilent(add)
    #expect(seen.map(\.second) == [1, 2])
    // More of the same instant after a pause.
    send(sentence("GPGGA,120002.00,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"))
    assembler.lineFellSilent(add)
    #expect(seen.map(\.second) == [1, 2, 2])
    #expect(seen.map(\.isRevision) == [false, false, true])
  }

  @Test("after a pause of half a day a date without a fix decides the day")
  func pause() throws {
    func rmc(_ time: String, _ status: Character, _ date: String) -> String {
      status == "A"
        ? sentence("GPRMC,\(time),A,4807.038,N,01131.000,E,010.0,084.4,\(date),003.1,W,A")
        : sentence("GPRMC,\(time),V,,,,,,,\(date),,,N")
    }
    func days(_ text: String) -> [String] {
      epochs(text).compactMap { $0.fix.utc.map { String($0.text(decimals: 0).prefix(10)) } }
    }
    let morning = rmc("060000.00", "A", "230326")
    #expect(days(morning + rmc("190000.00", "V", "230326")) == ["2026-03-23", "2026-03-23"])
    #expect(days(morning + rmc("190000.00", "V", "240326")) == ["2026-03-23", "2026-03-24"])
    #expect(days(morning + rmc("050000.00", "V", "240326")) == ["2026-03-23", "2026-03-24"])
    // A date from before the receiver knew it, as a default, does not.
    #expect(days(morning + rmc("060001.00", "V", "060180")) == ["2026-03-23", "2026-03-23"])
    #expect(
      days(rmc("235959.00", "A", "230326") + rmc("000000.00", "V", "")) == [
        "2026-03-23", "2026-03-24",
      ])
  }
}
