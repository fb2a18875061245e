import Formats
import Quantities
import Testing

/// The sentences for AgOpenGPS and for the computers of gliders, read as their programs read them.
@Suite("Sentences of instruments", .timeLimit(.minutes(30)))
struct InstrumentSentenceTests {
  private func estimate() -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: 100_000_000_000))
    e.utc = UTCTime(nanosecondsSince1970: 1_785_000_000_000_000_000)
    e.fixTimestamp = e.timestamp
    e.fixKind = .rtkFixed
    e.position = GeodeticPosition(latitudeDegrees: 48.5, longitudeDegrees: -11.25)
    (e.altitudeMetres, e.horizontalDilution, e.satellitesUsed) = (512.346, 0.7, 17)
    (e.correctionAgeSeconds, e.speedMetresPerSecond) = (1.2, 2)
    e.trueHeading = TrueHeading(Angle(degrees: 359.97))
    e.trueHeadingAccuracy = Angle(degrees: 0.5)
    e.attitude = Rotation(
      AttitudeAngles(heading: .zero, pitch: Angle(degrees: 2.25), roll: Angle(degrees: -3.14)))
    e.isLevelKnown = true
    e.rateOfTurn = AngularSpeed(radiansPerSecond: -4.56 * .pi / 180)
    e.verticalSpeedMetresPerSecond = -1.234
    e.antennas = AntennaState()
    return e
  }

  private let pressure = PressureSample(
    timestamp: Timestamp(nanoseconds: 100_000_000_000), hectopascal: 954.608, celsius: 31)

  private func text(
    _ sentence: NMEASchedule.Sentence, _ e: Estimate, _ pressure: PressureSample? = nil,
    talker: String? = nil
  ) -> String? {
    NMEAReport.sentence(
      sentence, of: e, pressure: pressure, talker: talker.flatMap { NMEATalker($0) }
    ).map { String(String(decoding: $0, as: UTF8.self).prefix { $0 != "*" }) }
  }

  private func fields(_ sentence: NMEASchedule.Sentence, _ e: Estimate) -> [String] {
    text(sentence, e)?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      ?? []
  }

  @Test("PANDA has whole tenths, and no talker")
  func panda() {
    #expect(
      text(.panda, estimate(), talker: "II")
        == "$PANDA,172000.00,4830.00000,N,01115.00000,W,4,17,0.70,512.346,1.2,3.888,0,-31,23,-46")
  }

  @Test("without heading, level or turning PANDA has the values that AgOpenGPS ignores")
  func absent() {
    var e = estimate()
    (e.trueHeading, e.isLevelKnown, e.rateOfTurn) = (nil, false, nil)
    #expect(fields(.panda, e)[12...] == ["65535", "32767", "32767", "32767"])
    e.magneticHeading = MagneticHeading(Angle(degrees: 12.34))
    #expect(fields(.panda, e)[12] == "65535", "one reference only")
    e.trueHeading = TrueHeading(Angle(degrees: .nan))
    #expect(fields(.panda, e)[12] == "65535")
  }

  @Test("a lost position has quality 0 and no place; a board without a receiver has no PANDA")
  func lost() {
    var e = estimate()
    (e.fixKind, e.position, e.positionState) = (nil, nil, .lost)
    let panda = fields(.panda, e)
    #expect(panda[2...5].allSatisfy(\.isEmpty) && panda[6] == "0" && panda[9].isEmpty)
    e.positionState = nil
    #expect(text(.panda, e) == nil)
    e = estimate()
    e.isSimulated = true
    #expect(fields(.panda, e)[6] == "8")
  }

  @Test("PAOGI has degrees of two antennas, and is not written without a heading to steer by")
  func paogi() {
    #expect(
      text(.paogi, estimate())
        == "$PAOGI,172000.00,4830.00000,N,01115.00000,W,4,17,0.70,512.346,1.2,3.888,"
        + "359.97,-3.14,2.25,-4.6")
    var e = estimate()
    e.antennas = nil
    #expect(text(.paogi, e) == nil)
    e = estimate()
    e.antennas?.fault = .swapped
    #expect(text(.paogi, e) == nil)
    e = estimate()
    e.trueHeadingAccuracy = Angle(degrees: 5)
    #expect(text(.paogi, e) == nil)
    e = estimate()
    e.isLevelKnown = false
    #expect(text(.paogi, e) == nil)
  }

  @Test("variometers have vertical speed and pressure in their units")
  func variometers() {
    let e = estimate()
    #expect(text(.pov, e, pressure) == "$POV,E,-1.23,P,954.61")
    #expect(text(.lk8ex1, e, pressure) == "$LK8EX1,95461,99999,-123,99,999,")
    // 954.608 hPa are 500.0 m in the standard atmosphere (ISO 2533, table 5).
    #expect(text(.lxwp0, e, pressure) == "$LXWP0,N,,500.0,-1.23,,,,,,0,,")
  }

  @Test("what a variometer does not know is absent, and of nothing there is no sentence")
  func unknown() {
    var e = estimate()
    #expect(text(.pov, e) == "$POV,E,-1.23")
    #expect(text(.lk8ex1, e) == "$LK8EX1,999999,99999,-123,99,999,")
    e.verticalSpeedMetresPerSecond = nil
    #expect(text(.lk8ex1, e, pressure) == "$LK8EX1,95461,99999,9999,99,999,")
    e.trueHeading = nil
    #expect(text(.lxwp0, e, pressure) == "$LXWP0,N,,500.0,,,,,,,,,")
    for sentence in [NMEASchedule.Sentence.pov, .lk8ex1, .lxwp0] {
      #expect(text(sentence, e) == nil)
    }
  }

  @Test("a pressure is written for three seconds")
  func age() {
    var schedule = NMEASchedule(mostPerSecond: [.pov: 10])
    schedule.set(pressure)
    var e = estimate()
    e.verticalSpeedMetresPerSecond = nil
    for (seconds, isWritten) in [(101.0, true), (102.9, true), (103.1, false)] {
      e.timestamp = Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds))
      #expect(schedule.sentences(for: e).isEmpty != isWritten, "\(seconds) s")
    }
  }
}
