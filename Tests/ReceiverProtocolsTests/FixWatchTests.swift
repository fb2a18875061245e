import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("The reason of a lost fix, and the first fix", .timeLimit(.minutes(30)))
struct FixWatchTests {
  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000).advanced(bySeconds: seconds)
  }

  private static let someSky = epochs(
    sentence("GPGSV,1,1,01,05,40,083,30") + sentence("GPGLL,5400.0,N,01000.0,E,120000,A,A")
  ).last?.sky

  private static func epoch(
    fix kind: FixKind = .none, signals levels: [Double?]? = nil, _ signals: SignalState = .init(),
    uptime: Double? = nil, ownFirstFix: Double? = nil
  ) -> ReceiverEpoch {
    var epoch = ReceiverEpoch(timestamp: at(0))
    epoch.fix.kind = kind
    if kind != .none {
      epoch.fix.position = GeodeticPosition(latitudeDegrees: 54, longitudeDegrees: 10)
    }
    epoch.signals = signals
    if let levels {
      epoch.sky = someSky
      epoch.sky?.satellites = levels.enumerated().map {
        SkyView.Satellite(
          id: SatelliteID(constellation: .gps, number: UInt16($0 + 1)), signalDecibelHertz: $1)
      }
    }
    (epoch.uptimeSeconds, epoch.ownFirstFixSeconds) = (uptime, ownFirstFix)
    return epoch
  }

  /// The state of antenna and interference after a line.
  private func signals(_ text: String) throws -> SignalState {
    try #require(epochs(text + sentence("GPGLL,5400.0,N,01000.0,E,120000,A,A")).last?.signals)
  }

  private func loss(_ epoch: ReceiverEpoch) -> FixLoss? {
    var watch = FixWatch()
    watch.add(epoch, at: Self.at(0))
    return watch.loss(at: Self.at(0))
  }

  @Test("follows from the satellites with a signal")
  func satellites() {
    #expect(loss(Self.epoch()) == FixLoss(.unknown, hadFix: false))
    #expect(loss(Self.epoch(signals: [])) == FixLoss(.noSignal, satellites: 0, hadFix: false))
    #expect(
      loss(Self.epoch(signals: [nil, nil, 0, nil, nil]))
        == FixLoss(.noSignal, satellites: 0, hadFix: false))
    #expect(
      loss(Self.epoch(signals: [30, nil, 25, 20]))
        == FixLoss(.fewSatellites, satellites: 3, hadFix: false))
    #expect(
      loss(Self.epoch(signals: [30, 18, 25, 20, nil]))
        == FixLoss(.searching, satellites: 4, hadFix: false))
    #expect(loss(Self.epoch(fix: .threeDimensional, signals: [])) == nil)
    // Dead reckoning has a position, but no satellites.
    #expect(loss(Self.epoch(fix: .deadReckoning, signals: []))?.cause == .noSignal)
  }

  @Test("is the antenna or interference where the receiver reports it")
  func trouble() throws {
    let open = try signals(sentence("GNTXT,01,01,02,ANTSTATUS=OPEN"))
    #expect(loss(Self.epoch(signals: [], open))?.cause == .antennaOpen)
    let short = try signals(sentence("GPTXT,01,01,01,ANTENNA SHORT"))
    #expect(loss(Self.epoch(signals: [], short))?.cause == .antennaShort)
    let good = try signals("$GNTXT,01,01,02,ANTSTATUS=OK*25\r\n")
    #expect(good.antenna == .good && loss(Self.epoch(signals: [], good))?.cause == .noSignal)
    let jammed = try signals(sentence("PQTMJAMMINGSTATUS,1,3"))
    #expect(loss(Self.epoch(signals: [30, 30, 30, 30], jammed))?.cause == .interference)
    // With a fix nevertheless, interference is not the reason.
    let warned = try signals(sentence("PQTMJAMMINGSTATUS,1,2"))
    #expect(loss(Self.epoch(signals: [], warned))?.cause == .noSignal)
    // Another text says nothing about the antenna.
    #expect(try signals(sentence("GNTXT,01,01,02,u-blox AG - www.u-blox.com")).isEmpty)
  }

  @Test("old reports of satellites are no reason")
  func age() {
    var watch = FixWatch()
    watch.add(Self.epoch(fix: .threeDimensional, signals: [30, 30, 30, 30]), at: Self.at(0))
    watch.add(Self.epoch(), at: Self.at(9))
    #expect(watch.loss(at: Self.at(9)) == FixLoss(.searching, satellites: 4, hadFix: true))
    #expect(watch.loss(at: Self.at(10)) == FixLoss(.unknown, hadFix: true))
    #expect(watch.lostAt == Self.at(9))
  }

  @Test("a receiver whose run time begins again has restarted")
  func restart() {
    var watch = FixWatch()
    watch.receivedBytes(at: Self.at(0))
    let fixed = Self.epoch(fix: .threeDimensional, uptime: 500, ownFirstFix: 31.5)
    watch.add(fixed, at: Self.at(0))
    // It was running before: its own measurement is the only one.
    #expect(watch.firstFix == FirstFix(seconds: 31.5, begin: .start, isAssisted: false))
    watch.add(Self.epoch(signals: [], uptime: 2, ownFirstFix: 0), at: Self.at(10))
    #expect(watch.loss(at: Self.at(10))?.cause == .restarted && watch.firstFix == nil)
    #expect(watch.loss(at: Self.at(67.9))?.cause == .restarted)
    #expect(watch.loss(at: Self.at(68.1))?.cause == .unknown)
    watch.assisted()
    watch.add(Self.epoch(fix: .threeDimensional, uptime: 7, ownFirstFix: 0), at: Self.at(15))
    // It began two seconds before the first epoch.
    #expect(watch.firstFix == FirstFix(seconds: 7, begin: .start, isAssisted: true))
    #expect(watch.loss(at: Self.at(15)) == nil)
  }

  @Test("the first fix counts from the first byte, and only where its beginning was seen")
  func firstFix() {
    var watch = FixWatch()
    watch.receivedBytes(at: Self.at(3))
    watch.add(Self.epoch(), at: Self.at(4))
    watch.add(Self.epoch(fix: .twoDimensional), at: Self.at(30))
    #expect(watch.firstFix == FirstFix(seconds: 27, begin: .firstByte, isAssisted: false))
    #expect(watch.firstFix?.text == "the first fix 27 s after its first byte")
    // What is given after the fix did not help.
    watch.assisted()
    watch.add(Self.epoch(fix: .threeDimensional), at: Self.at(31))
    #expect(watch.firstFix?.isAssisted == false)

    var running = FixWatch()
    running.receivedBytes(at: Self.at(0))
    running.add(Self.epoch(fix: .threeDimensional), at: Self.at(1))
    running.add(Self.epoch(fix: .threeDimensional), at: Self.at(2))
    #expect(running.firstFix == nil)
  }
}
