import Formats
import Quantities
import ReceiverProtocols
import Testing

/// What each format says of a source that is lost, late or over.
@Suite("Source states in formats", .timeLimit(.minutes(30)))
struct SourceStateTests {
  private func estimate(
    heading: SourceState? = .live, position: SourceState? = .live, at seconds: Double = 100
  ) -> Estimate {
    var e = Estimate(timestamp: Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)))
    e.utc = UTCTime(nanosecondsSince1970: 1_785_000_000_000_000_000)
    (e.headingState, e.headingStateSince) = (heading, Timestamp(nanoseconds: 60_000_000_000))
    (e.positionState, e.positionStateSince) = (position, Timestamp(nanoseconds: 60_000_000_000))
    if heading == .live || heading == .late {
      e.magneticHeading = MagneticHeading(Angle(degrees: 90))
      e.trueHeading = TrueHeading(Angle(degrees: 93))
    }
    if position == .live || position == .late {
      e.fixKind = position == .live ? .threeDimensional : .deadReckoning
      e.position = GeodeticPosition(latitudeDegrees: 48, longitudeDegrees: 11)
      e.fixTimestamp = e.timestamp
      e.speedMetresPerSecond = 2
      e.course = Angle(degrees: 91)
    }
    return e
  }

  private func fields(_ sentence: NMEASchedule.Sentence, _ e: Estimate) throws -> [String] {
    let bytes = try #require(NMEAReport.sentence(sentence, of: e))
    return String(decoding: bytes, as: UTF8.self).split(separator: "*")[0]
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  @Test(
    "RMC and GLL are valid for a fix only",
    arguments: [
      (SourceState.live, "A", "A"), (.late, "V", "E"), (.lost, "V", "N"), (.ended, "V", "N"),
    ])
  func validity(state: SourceState, status: String, mode: String) throws {
    let e = estimate(position: state)
    let (rmc, gll) = (try fields(.rmc, e), try fields(.gll, e))
    #expect(rmc[2] == status && rmc[12] == mode)
    #expect(gll[6] == status && gll[7] == mode)
    let quality = ["A": "1", "E": "6", "N": "0"]
    #expect(try fields(.gga, e)[6] == quality[mode])
    if state.isGone { #expect(rmc[3...6].allSatisfy { $0.isEmpty }) }
  }

  @Test("a simulated position is not valid, as the standard asks")
  func simulated() throws {
    var e = estimate()
    e.isSimulated = true
    let rmc = try fields(.rmc, e)
    #expect(rmc[2] == "V" && rmc[12] == "S" && !rmc[3].isEmpty)
  }

  @Test("a board without a receiver has no sentences of positions")
  func withoutReceiver() {
    #expect(NMEAReport.sentence(.rmc, of: estimate(position: nil)) == nil)
  }

  @Test("THS says that the heading is lost or carried on")
  func headingMode() throws {
    #expect(try fields(.ths, estimate())[2] == "A")
    #expect(try fields(.ths, estimate(heading: .late))[2] == "E")
    var doubtful = estimate()
    doubtful.headingState = .contradicted
    #expect(try fields(.ths, doubtful)[2] == "E")
    doubtful.trueHeadingAccuracy = Angle(degrees: 120)
    #expect(try fields(.ths, doubtful)[2] == "V")
    for state in [SourceState.lost, .ended] {
      let ths = try fields(.ths, estimate(heading: state))
      #expect(ths[1].isEmpty && ths[2] == "V")
    }
    #expect(NMEAReport.sentence(.hdt, of: estimate(heading: .lost)) == nil)
  }

  @Test("the variation needs no heading where place, date and model are known")
  func variation() throws {
    var e = estimate(heading: .lost)
    e.declination = Angle(degrees: 3)
    let (rmc, vtg) = (try fields(.rmc, e), try fields(.vtg, e))
    #expect(rmc[10] == "3.0" && rmc[11] == "E" && vtg[3] == "88.0")
  }

  @Test("gpsd's report has mode 1 once the source is gone")
  func gpsd() {
    for state in [SourceState.lost, .ended] {
      var text: [UInt8] = []
      GPSDReport.append(tpv: ReceiverEpoch(estimate(position: state)), to: &text)
      let tpv = String(decoding: text, as: UTF8.self)
      #expect(tpv.contains("\"mode\":1") && !tpv.contains("lat"), "\(tpv)")
    }
  }

  @Test(
    "packets and AgOpenGPS have a position while it is measured",
    arguments: [
      (SourceState.live, false), (.live, true), (.late, false), (.lost, false), (.ended, false),
    ])
  func packets(state: SourceState, isSimulated: Bool) throws {
    var e = estimate(position: state)
    e.isSimulated = isSimulated
    e.altitudeMetres = e.position == nil ? nil : 10
    let isMeasured = state == .live && !isSimulated
    // GDL 90: the flag of a valid position in the heartbeat.
    #expect((GDL90Report(e, pressure: nil).heartbeat[2] & 0x80 != 0) == isMeasured)
    let panda = try fields(.panda, e)
    #expect(panda[6] == (isMeasured ? "1" : isSimulated ? "8" : state == .late ? "6" : "0"))
    #expect(panda[2].isEmpty == state.isGone)
  }

  @Test("AgOpenGPS has no heading once the compass is gone", arguments: [SourceState.lost, .ended])
  func agOpenGPS(state: SourceState) throws {
    #expect(try fields(.panda, estimate(heading: state))[12] == "65535")
    #expect(try fields(.panda, estimate())[12] == "930")
  }

  @Test("JSON and metrics name the state; a live one is absent in JSON")
  func names() {
    let lost = estimate(heading: .lost, position: .ended)
    let object = String(decoding: EstimateJSON.object(lost), as: UTF8.self)
    #expect(object.contains("\"headingState\":\"lost\",\"headingStateSince\":60"), "\(object)")
    #expect(object.contains("\"positionState\":\"ended\""))
    #expect(!String(decoding: EstimateJSON.object(estimate()), as: UTF8.self).contains("State"))
    let metrics = String(
      decoding: MetricsText.text(lost, isOpen: true, viewers: 0), as: UTF8.self)
    #expect(metrics.contains("lodestar_heading_state{state=\"lost\"} 1"))
    #expect(metrics.contains("lodestar_heading_state{state=\"live\"} 0"))
    #expect(metrics.contains("lodestar_position_state{state=\"ended\"} 1"))
  }

  @Test("people read what is lost, for how long, and nothing for a live source")
  func words() {
    let lost = estimate(heading: .lost, position: .lost)
    #expect(lost.headingTrouble == "no heading, the compass is silent for 40 s")
    #expect(lost.positionTrouble?.hasSuffix("for 40 s") == true)
    #expect(estimate().headingTrouble == nil && estimate().positionTrouble == nil)
    #expect(estimate(heading: nil).headingTrouble == nil)
    let hours = estimate(heading: .lost, at: 60 + 3 * 3600)
    #expect(hours.headingTrouble?.hasSuffix("for 3 h") == true)
  }

  @Test("the clock keeps the begin of a state, and forgets a source that is not there")
  func clock() {
    var clock = SourceStateClock()
    func since(_ state: SourceState?, at seconds: Double) -> Timestamp? {
      var e = estimate(heading: state, at: seconds)
      clock.complete(&e)
      return e.headingStateSince
    }
    let first = since(.live, at: 1)
    #expect(first?.seconds == 1 && since(.live, at: 2) == first)
    #expect(since(.lost, at: 3)?.seconds == 3 && since(.lost, at: 9)?.seconds == 3)
    #expect(since(nil, at: 10) == nil && since(.lost, at: 11)?.seconds == 11)
  }
}
