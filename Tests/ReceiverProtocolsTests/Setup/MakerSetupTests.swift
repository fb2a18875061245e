import Quantities
import ReceiverProtocols
import Simulation
import TestSupport
import Testing

/// Sends the second solution of each three late, together with the third, and some never.
private struct DelayedReceiver: EmulatedReceiver {
  private var inner: EmulatedMakerReceiver
  private var count = 0
  private var held: [UInt8] = []
  /// Every so many solutions one is lost.
  private let lossPeriod: Int

  init(_ inner: EmulatedMakerReceiver, lossPeriod: Int) {
    (self.inner, self.lossPeriod) = (inner, lossPeriod)
  }

  var baud: Int { inner.baud }
  mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)] {
    inner.answers(to: bytes)
  }
  mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)? {
    guard let (bytes, baud) = inner.output(at: seconds) else { return nil }
    count += 1
    if count % lossPeriod == 0 { return nil }
    held += bytes
    if count % 3 == 2 { return nil }
    defer { held = [] }
    return (held, baud)
  }
}

/// Set-ups against emulated receivers of all makers. An emulator proves that commands and answers
/// fit together; `MakerFrameTests` compares the frames with published ones.
@Suite("Set-up of a receiver of any maker", .timeLimit(.minutes(30)))
struct MakerSetupTests {
  typealias Kind = EmulatedMakerReceiver.Kind
  private static let makers = Kind.allCases.filter { $0 != .other }
  /// Those that need no restart for rate, systems and base station.
  private static let volatile = makers.filter { $0 != .lg290p }

  /// Settings that every maker has.
  private static let common: ReceiverSettings = {
    var settings = ReceiverSettings()
    settings.rateHertz = 5
    settings.sentences = [.gga, .rmc]
    settings.systems = [.gps, .beidou]
    return settings
  }()

  /// Those settings, saved where they have no effect otherwise.
  private static func common(_ kind: Kind) -> ReceiverSettings {
    var settings = common
    settings.isSaved = kind == .lg290p
    return settings
  }

  @Test("The maker is found by its answer, with model and firmware", arguments: makers)
  func identity(kind: Kind) throws {
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    let setup = bench.run(ReceiverSettings(), task: .read)
    let identity = try #require(setup.identity)
    let expected: [Kind: (ReceiverMaker, String?)] = [
      .l86: (.mediaTek, "Quectel-L86"), .lc29h: (.quectel, "LC29H"), .lg290p: (.quectel, "LG290P"),
      .um982: (.unicore, "UM982"), .uranus5: (.casic, nil), .uranus6: (.casic, nil),
      .skyTraq: (.skyTraq, nil),
    ]
    let (maker, model) = try #require(expected[kind])
    #expect(identity.maker == maker && identity.model == model)
    #expect(!identity.firmware.isEmpty)
  }

  @Test("An unknown maker gets the questions of the known ones and nothing else")
  func unknown() {
    var receiver = EmulatedMakerReceiver(.other)
    receiver.noise = [0xFF, 0x24, 0xA0]
    var bench = SetupBench(receiver)
    var settings = Self.common
    settings.baud = 115_200
    settings.isSaved = true
    let setup = bench.run(settings)
    #expect(setup.identity == nil && setup.report.isSilent)
    #expect(setup.report.entries.isEmpty && setup.originals.isEmpty && bench.speed == 9600)
    #expect(bench.receiver.state == EmulatedMakerReceiver(.other).state)
  }

  @Test(
    "Rate, sentences and systems are set and read back in RAM alone, and undone",
    arguments: volatile)
  func setAndUndone(kind: Kind) {
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    let before = bench.receiver.state
    var setup = bench.run(Self.common)
    let report = setup.report
    for property in [ReceiverProperty.rate, .sentences, .systems] {
      #expect(report.outcome(of: property) == .changed, "\(kind): \(property) \(report.entries)")
    }
    #expect(bench.receiver.state.period == 200)
    #expect(bench.receiver.state.sentences == ["GGA", "RMC"])
    #expect(bench.receiver.state.systems == ["GPS", "BDS"])
    #expect(bench.receiver.flash == before && report.saved == nil)
    // The same again changes nothing.
    let again = bench.run(Self.common)
    for property in [ReceiverProperty.rate, .sentences, .systems] {
      #expect(again.report.outcome(of: property) == .alreadySet, "\(kind): \(again.report.entries)")
    }
    setup.undo()
    bench.run(&setup)
    #expect(bench.receiver.state == before && setup.report.notRestored.isEmpty, "\(kind)")
  }

  @Test("Every property is read; what was set is what is read", arguments: makers)
  func read(kind: Kind) {
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    _ = bench.run(Self.common(kind))
    let values = bench.run(ReceiverSettings(), task: .read).values
    #expect(values.contains(.rate(5)))
    #expect(values.contains(.sentences([.gga, .rmc])))
    let systems = values.first { $0.property == .systems }
    #expect(systems?.text == "gps,beidou", "\(kind): \(values.map(\.text))")
  }

  @Test(
    "Mask, model and base are set where the maker has them, and named where not",
    arguments: makers)
  func others(kind: Kind) {
    var settings = ReceiverSettings()
    settings.maskDegrees = 12
    settings.model = .automotive
    settings.base = .survey(seconds: 300, metres: kind == .um982 ? nil : 2)
    settings.isSaved = kind == .lg290p
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    let report = bench.run(settings).report
    let hasMask = kind != .l86
    #expect(report.outcome(of: .mask)?.isSet == hasMask, "\(kind): \(report.entries)")
    if hasMask { #expect(bench.receiver.state.mask == 12) }
    let isBase: Set<Kind> = [.lc29h, .lg290p, .um982, .skyTraq]
    #expect(report.outcome(of: .base)?.isSet == isBase.contains(kind), "\(kind): \(report.entries)")
    let hasModel: Set<Kind> = [.l86, .lc29h, .um982, .uranus5, .skyTraq]
    if kind != .um982 {
      // A base station of Unicore is no vehicle.
      #expect(report.outcome(of: .model)?.isSet == hasModel.contains(kind), "\(report.entries)")
    }
    for entry in report.entries where !entry.outcome.isSet && kind != .um982 {
      guard case .notSupported(let reason) = entry.outcome else {
        Issue.record("\(kind): \(entry)")
        continue
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test("A survey and a place of a base station are read back as they were set")
  func base() {
    for base in [
      BaseStation.survey(seconds: 600, metres: 1.5), .survey(seconds: 600, metres: nil),
      .fixed(latitude: 47.285_234_5, longitude: -8.565_234_5, height: 499.612),
      .fixed(latitude: 0.1, longitude: -8.565_234_5, height: 499.612), .rover,
    ] {
      for kind in [Kind.lc29h, .lg290p, .um982] {
        if case .survey(_, let metres) = base, (metres == nil) != (kind == .um982) { continue }
        var settings = ReceiverSettings()
        (settings.base, settings.isSaved) = (base, kind == .lg290p)
        var bench = SetupBench(EmulatedMakerReceiver(kind))
        let outcome = bench.run(settings).report.outcome(of: .base)
        #expect(outcome?.isSet == true, "\(kind) \(base): \(String(describing: outcome))")
        #expect(bench.run(settings).report.outcome(of: .base) == .alreadySet, "\(kind) \(base)")
      }
    }
  }

  @Test("A moving base and a rover with the heading are read back as they were set")
  func movingBase() {
    for (kind, base, isHeading) in [
      (Kind.um982, BaseStation.moving, nil), (.skyTraq, .moving, nil), (.skyTraq, .rover, true),
      (.skyTraq, .rover, false), (.skyTraq, .survey(seconds: 600, metres: 2), nil),
      (.skyTraq, .fixed(latitude: 47.285_234_5, longitude: -8.565_234_5, height: 499.612), nil),
    ] as [(Kind, BaseStation, Bool?)] {
      var settings = ReceiverSettings()
      (settings.base, settings.sendsHeading) = (base, isHeading)
      var bench = SetupBench(EmulatedMakerReceiver(kind))
      let first = bench.run(settings).report
      #expect(first.outcome(of: .base)?.isSet == true, "\(kind) \(base): \(first.entries)")
      let again = bench.run(settings).report
      #expect(again.outcome(of: .base) == .alreadySet, "\(kind) \(base): \(again.entries)")
      if isHeading != nil { #expect(again.outcome(of: .heading) == .alreadySet) }
      let values = bench.run(ReceiverSettings(), task: .read).values
      #expect(has(values, base), "\(kind) \(values.map(\.text))")
      if kind == .skyTraq { #expect(values.contains(.heading(isHeading ?? false))) }
    }
    var settings = ReceiverSettings()
    settings.base = .survey(seconds: 600, metres: 1.5)
    var bench = SetupBench(EmulatedMakerReceiver(.skyTraq))
    #expect(
      bench.run(settings).report.outcome(of: .base)
        == .notSupported("its accuracy is in whole metres"))
  }

  /// Payloads as pyubx2 1.4.0 writes them.
  @Test("NEO-M8P and M8T have their time modes in messages of their own")
  func olderTimeModes() {
    let survey = BaseStation.survey(seconds: 300, metres: 2)
    let place = BaseStation.fixed(
      latitude: 47.285_234_567, longitude: -8.565_234_567, height: 499.6012)
    for (module, base, payload) in [
      ("NEO-M8P-2", survey, "0000 0100" + zeros(20) + "2c010000 204e0000" + zeros(8)),
      (
        "NEO-M8P-2", place, "0000 0201 79272f1c 870ce5fa 28c30000 43bd0c 00" + zeros(20)
      ),
      ("NEO-M8T-0", survey, "01000000" + zeros(16) + "2c010000 d0070000"),
    ] {
      var receiver = EmulatedUBloxReceiver(.m8)
      receiver.module = module
      var bench = SetupBench(receiver)
      var settings = ReceiverSettings()
      settings.base = base
      let setup = bench.run(settings)
      #expect(bench.receiver.olderTimeMode == bytes(payload), "\(module)")
      let values = bench.run(ReceiverSettings(), task: .read).values
      #expect(has(values, base), "\(module) \(values.map(\.text))")
      guard module == "NEO-M8P-2" else {
        // It sends no corrections.
        #expect(setup.report.entries.contains { $0.title == "base station" && $0.outcome.isSet })
        continue
      }
      #expect(setup.report.outcome(of: .base)?.isSet == true, "\(setup.report.entries)")
      #expect(bench.receiver[0x2091_02BE] == 1 && bench.receiver[0x1074_0004] == 1)
      settings.base = .moving
      _ = bench.run(settings)
      #expect(bench.receiver[0x2091_02BE] == 0 && bench.receiver[0x2091_02FF] == 1)
      #expect(bench.run(ReceiverSettings(), task: .read).values.contains(.base(.moving)))
      #expect(bench.receiver.olderTimeMode[2] == 0)
    }
  }

  @Test("A moving base of u-blox sends RTCM 4072.0 in place of 1005")
  func ubloxMovingBase() {
    var receiver = EmulatedUBloxReceiver(.m9)
    receiver.module = "ZED-F9P"
    var bench = SetupBench(receiver)
    var settings = ReceiverSettings()
    for (base, place, moving, measured) in [
      (BaseStation.moving, 0, 1, 1), (.survey(seconds: 60, metres: 2), 1, 0, 1), (.rover, 0, 0, 0),
    ] as [(BaseStation, UInt64, UInt64, UInt64)] {
      settings.base = base
      let report = bench.run(settings).report
      #expect(report.outcome(of: .base)?.isSet == true, "\(report.entries)")
      #expect(bench.receiver[0x2091_02BE] == place && bench.receiver[0x2091_02FF] == moving)
      #expect(bench.receiver[0x2091_02CD] == measured && bench.receiver[0x1074_0004] == measured)
      let values = bench.run(ReceiverSettings(), task: .read).values
      #expect(values.contains(.base(base)), "\(values.map(\.text))")
    }
  }

  /// True where the values contain the base, its text to a centimetre.
  private func has(_ values: [ReceiverValue], _ base: BaseStation) -> Bool {
    guard case .fixed(let latitude, let longitude, let height) = base else {
      return values.contains(.base(base))
    }
    return values.contains {
      guard case .base(.fixed(let north, let east, let up)) = $0 else { return false }
      return abs(north - latitude) < 1e-7 && abs(east - longitude) < 1e-7
        && abs(up - height) < 0.01
    }
  }

  private func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }

  @Test(
    "A rate is read from the times of late and lost sentences", arguments: [(1.0, 100), (5, 4)])
  func rateOfLateSentences(hertz: Double, lossPeriod: Int) {
    var settings = ReceiverSettings()
    settings.rateHertz = hertz
    var setter = SetupBench(EmulatedMakerReceiver(.um982))
    _ = setter.run(settings)
    var bench = SetupBench(DelayedReceiver(setter.receiver, lossPeriod: lossPeriod))
    bench.now = setter.now
    let values = bench.run(ReceiverSettings(), task: .read).values
    #expect(values.contains(.rate(hertz)), "\(values)")
  }

  @Test(
    "A new baud rate is followed and proved", arguments: [Kind.l86, .um982, .uranus5, .skyTraq])
  func baud(kind: Kind) {
    var settings = ReceiverSettings()
    settings.baud = 115_200
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    var setup = bench.run(settings)
    #expect(setup.report.outcome(of: .baud) == .changed, "\(kind): \(setup.report.entries)")
    #expect(bench.speed == 115_200 && bench.receiver.baud == 115_200)
    setup.undo()
    bench.run(&setup)
    #expect(bench.speed == 9600 && bench.receiver.baud == 9600)
  }

  @Test(
    "A receiver that is silent at the new baud rate is followed back to the old one",
    arguments: [Kind.l86, .um982, .uranus5, .skyTraq])
  func baudNotTaken(kind: Kind) {
    var receiver = EmulatedMakerReceiver(kind)
    receiver.keepsItsSpeed = true
    var settings = ReceiverSettings()
    settings.rateHertz = 2
    settings.baud = 115_200
    var bench = SetupBench(receiver)
    let setup = bench.run(settings)
    #expect(setup.report.outcome(of: .baud) == .noAnswer)
    #expect(setup.report.outcome(of: .rate) == .changed)
    #expect(bench.speed == 9600 && bench.receiver.baud == 9600)
  }

  @Test("An LC29H changes the baud rate only saved, by a restart")
  func baudByRestart() {
    var settings = ReceiverSettings()
    settings.baud = 115_200
    var bench = SetupBench(EmulatedMakerReceiver(.lc29h))
    guard case .notSupported = bench.run(settings).report.outcome(of: .baud) else {
      Issue.record("a baud rate that is not saved")
      return
    }
    #expect(bench.receiver.commands.allSatisfy { !$0.contains("864") })
    settings.isSaved = true
    let report = bench.run(settings).report
    #expect(report.outcome(of: .baud) == .changed && report.saved == .flash, "\(report.entries)")
    #expect(bench.speed == 115_200 && bench.receiver.baud == 115_200)
  }

  @Test(
    "An LG290P changes the baud rate at once, and saves at the new one", arguments: [false, true])
  func baudWithoutAnswer(isSaved: Bool) {
    var settings = ReceiverSettings()
    (settings.baud, settings.isSaved) = (115_200, isSaved)
    settings.sentences = [.gga, .rmc]
    var bench = SetupBench(EmulatedMakerReceiver(.lg290p))
    let report = bench.run(settings).report
    #expect(report.outcome(of: .baud) == .changed && report.outcome(of: .sentences) == .changed)
    #expect(bench.speed == 115_200 && bench.receiver.baud == 115_200)
    #expect(report.saved == (isSaved ? .flash : nil))
    #expect(bench.receiver.flash.baud == (isSaved ? 115_200 : 9600))
    bench.receiver.powerCycle()
    #expect((bench.receiver.state.sentences == ["GGA", "RMC"]) == isSaved)
  }

  @Test("An LG290P needs saving and a restart for rate and systems, also to restore them")
  func restartOfLG290P() throws {
    var bench = SetupBench(EmulatedMakerReceiver(.lg290p))
    let before = bench.receiver.state
    let unsaved = bench.run(Self.common).report
    for property in [ReceiverProperty.rate, .systems] {
      guard case .notSupported(let reason) = unsaved.outcome(of: property) else {
        Issue.record("\(property): \(unsaved.entries)")
        continue
      }
      #expect(reason.contains("restart"))
    }
    #expect(unsaved.outcome(of: .sentences) == .changed)
    var settings = Self.common
    settings.isSaved = true
    let setup = bench.run(settings)
    #expect(setup.report.outcome(of: .rate) == .changed && setup.report.saved == .flash)
    #expect(bench.receiver.state.period == 200 && bench.receiver.state.systems == ["GPS", "BDS"])
    let restarts = bench.receiver.commands.count { $0 == "PQTMSRR" }
    #expect(restarts == 1)
    // The same again does not restart it.
    #expect(bench.run(settings).report.outcome(of: .rate) == .alreadySet)
    #expect(bench.receiver.commands.count { $0 == "PQTMSRR" } == 1)
    let kept = try #require(ReceiverOriginals(lines: setup.replaced.lines))
    _ = bench.run(
      ReceiverSettings(), task: .restore, earlier: kept, identity: setup.identity?.text)
    #expect(bench.receiver.state.period == before.period)
    #expect(bench.receiver.state.systems == before.systems)
    #expect(bench.receiver.flash == bench.receiver.state)
  }

  @Test("An LC29H that is a rover again sends no corrections")
  func correctionsOff() {
    var bench = SetupBench(EmulatedMakerReceiver(.lc29h))
    var settings = ReceiverSettings()
    settings.base = .survey(seconds: 300, metres: 2)
    _ = bench.run(settings)
    #expect(bench.receiver.corrections == ["432": "1", "434": "1"])
    settings.base = .rover
    _ = bench.run(settings)
    #expect(bench.receiver.corrections == ["432": "-1", "434": "0"])
  }

  /// Forms of the answer to MODE, from Unicore's manual and satpulse's notes on the hardware.
  @Test("The modes of a Unicore receiver are read as its manual has them")
  func unicoreModes() throws {
    func read(_ mode: String) -> [ReceiverValue] {
      var receiver = EmulatedMakerReceiver(.um982)
      receiver.mode = mode
      var bench = SetupBench(receiver)
      return bench.run(ReceiverSettings(), task: .read).values
    }
    for (mode, seconds) in [
      ("BASE TIME 60", 60), ("BASE TIME 60 2.5 3.5", 60), ("BASE 1 TIME 60", 60),
      ("BASE 123 TIME 90 5", 90),
    ] {
      #expect(read(mode).contains(.base(.survey(seconds: seconds, metres: nil))), "\(mode)")
    }
    for mode in [
      "BASE 40.45628476579 116.2859754968 58.0984", "BASE 7 40.4562848 116.2859755 58.1",
    ] {
      let base = BaseStation.fixed(
        latitude: 40.456_284_8, longitude: 116.285_975_5, height: 58.1)
      #expect(has(read(mode), base), "\(mode)")
    }
    // The manual's example, in Beijing.
    let place = try #require(
      read("BASE -2160489.0276 4383620.1006 4084738.1110").first { $0.property == .base })
    guard case .base(.fixed(let latitude, let longitude, let height)) = place else {
      Issue.record("\(place)")
      return
    }
    #expect(abs(latitude - 40.07) < 0.1 && abs(longitude - 116.24) < 0.1 && abs(height) < 200)
    for mode in ["HEADING2", "HEADING2 STATIC"] {
      #expect(!read(mode).contains { $0.property == .base || $0.property == .model })
      var receiver = EmulatedMakerReceiver(.um982)
      receiver.mode = mode
      var bench = SetupBench(receiver)
      var settings = ReceiverSettings()
      settings.base = .rover
      guard case .notSupported = bench.run(settings).report.outcome(of: .base) else {
        Issue.record("\(mode) was left")
        continue
      }
      #expect(bench.receiver.mode == mode)
    }
    // The number of the base station stays, and no place in flash is used.
    var receiver = EmulatedMakerReceiver(.um982)
    receiver.mode = "BASE 123 TIME 60 5"
    var bench = SetupBench(receiver)
    var settings = ReceiverSettings()
    settings.base = .survey(seconds: 600, metres: nil)
    _ = bench.run(settings)
    #expect(bench.receiver.mode == "BASE 123 TIME 600 0")
    for refused in [
      BaseStation.survey(seconds: 600, metres: 1.5), .survey(seconds: 3601, metres: nil),
    ] {
      settings.base = refused
      guard case .notSupported = bench.run(settings).report.outcome(of: .base) else {
        Issue.record("\(refused)")
        continue
      }
    }
  }

  @Test("Settings are saved only on request, and an undo leaves them", arguments: makers)
  func saved(kind: Kind) {
    var settings = Self.common
    settings.isSaved = true
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    var setup = bench.run(settings)
    // PMTK has no command for it.
    #expect(setup.report.saved == (kind == .l86 ? .nowhere : .flash))
    guard kind != .l86 else { return }
    #expect(bench.receiver.flash.period == 200 && bench.receiver.flash.sentences == ["GGA", "RMC"])
    #expect(setup.originals.isEmpty && !setup.replaced.isEmpty)
    setup.undo()
    bench.run(&setup)
    #expect(bench.receiver.state.period == 200)
  }

  @Test("Saving stores the settings in use and changes none", arguments: makers)
  func saveTask(kind: Kind) {
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    _ = bench.run(Self.common(kind))
    let state = bench.receiver.state
    let setup = bench.run(ReceiverSettings(), task: .save)
    #expect(bench.receiver.state == state)
    guard kind != .l86 else { return }
    #expect(setup.report.saved == .flash && bench.receiver.flash.period == 200, "\(kind)")
    bench.receiver.powerCycle()
    #expect(bench.receiver.state.systems == ["GPS", "BDS"])
  }

  @Test(
    "What a set-up replaced is restored from its lines, to the same receiver only",
    arguments: makers)
  func restored(kind: Kind) throws {
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    let before = bench.receiver.state
    let setup = bench.run(Self.common(kind))
    let lines = setup.replaced.lines
    let kept = try #require(ReceiverOriginals(lines: lines))
    #expect(kept == setup.replaced && lines.count == 3)
    let identity = try #require(setup.identity?.text)
    _ = bench.run(ReceiverSettings(), task: .restore, earlier: kept, identity: "another")
    #expect(bench.receiver.state.period == 200)
    let restore = bench.run(ReceiverSettings(), task: .restore, earlier: kept, identity: identity)
    #expect(bench.receiver.state == before, "\(kind): \(restore.report.entries)")
  }

  @Test("A refused setting is reported with the reason, and the others are set")
  func refused() {
    let refusals: [(Kind, Set<String>, ReceiverProperty)] = [
      (.l86, ["PMTK220"], .rate), (.lc29h, ["PAIR066"], .systems),
      (.lg290p, ["PQTMCFGCNST"], .systems),
      (.um982, ["MASK", "UNMASK"], .systems), (.uranus5, ["6 7"], .systems),
      (.uranus6, ["6 f"], .systems), (.skyTraq, ["e"], .rate),
    ]
    for (kind, commands, property) in refusals {
      var receiver = EmulatedMakerReceiver(kind)
      receiver.refused = commands
      var bench = SetupBench(receiver)
      let report = bench.run(Self.common).report
      guard case .refused(let reason) = report.outcome(of: property) else {
        Issue.record("\(kind): \(report.entries)")
        continue
      }
      #expect(!reason.isEmpty)
      #expect(report.outcome(of: .sentences) == .changed, "\(kind): \(report.entries)")
    }
  }

  @Test("Lost answers are asked for again, between noise", arguments: makers)
  func lostAnswers(kind: Kind) {
    for lost in 1...2 {
      var receiver = EmulatedMakerReceiver(kind)
      receiver.noise = Array("$GN".utf8) + [0x00, 0xA0, 0xA1, 0xFF]
      var bench = SetupBench(receiver)
      var setup = ReceiverSetup(Self.common(kind), port: .uart1, speed: bench.speed)
      // The question is answered, later commands are lost.
      while setup.identity == nil, bench.now.nanoseconds < 20_000_000_000 {
        bench.step(&setup)
      }
      bench.receiver.lostAnswers = lost
      bench.run(&setup)
      #expect(
        setup.report.entries.allSatisfy { $0.outcome.isSet }, "\(kind): \(setup.report.entries)")
    }
  }

  @Test("A receiver that is unplugged ends the set-up within seconds", arguments: makers)
  func unplugged(kind: Kind) {
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    var setup = ReceiverSetup(Self.common, port: .uart1, speed: bench.speed)
    while setup.identity == nil, bench.now.nanoseconds < 20_000_000_000 { bench.step(&setup) }
    bench.receiver.isSilent = true
    let start = bench.now
    bench.run(&setup)
    #expect(bench.now.seconds(since: start) < 25)
    #expect(setup.report.entries.allSatisfy { !$0.outcome.isSet })
  }

  @Test("A lost setting is found by a check", arguments: makers)
  func checked(kind: Kind) {
    var settings = ReceiverSettings()
    // Saved systems are not lost.
    if kind == .lg290p { settings.maskDegrees = 12 } else { settings.systems = [.gps, .beidou] }
    var bench = SetupBench(EmulatedMakerReceiver(kind))
    var setup = bench.run(settings)
    setup.check()
    bench.run(&setup)
    #expect(!setup.hasLostSettings)
    bench.receiver.powerCycle()
    setup.check()
    bench.run(&setup)
    #expect(setup.hasLostSettings, "\(kind)")
  }

  @Test(
    "A u-blox receiver has the same properties",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func ublox(generation: EmulatedUBloxReceiver.Generation) throws {
    var settings = Self.common
    settings.maskDegrees = 12
    settings.sendsHeading = true
    settings.base = .fixed(latitude: 47.285_234_567, longitude: -8.565_234_567, height: 499.6012)
    var bench = SetupBench(EmulatedUBloxReceiver(generation))
    let before = bench.receiver.values
    let setup = bench.run(settings)
    let report = setup.report
    for property in [ReceiverProperty.rate, .sentences, .systems, .mask, .heading] {
      #expect(report.outcome(of: property) == .changed, "\(property): \(report.entries)")
    }
    // Only receivers with keys have CFG-TMODE.
    #expect(report.outcome(of: .base)?.isSet == (generation == .m9))
    #expect(bench.receiver[0x2011_00A4] == 12 && bench.receiver[0x2091_00BB] == 1)
    #expect(bench.receiver[0x2091_00C5] == 0 && bench.receiver[0x1031_0025] == 0)
    let values = bench.run(ReceiverSettings(), task: .read).values
    #expect(values.contains(.rate(5)) && values.contains(.mask(12)))
    #expect(values.contains(.sentences([.gga, .rmc])) && values.contains(.heading(true)))
    #expect(values.contains(.systems([.gps, .beidou])) && values.contains(.messages(.nmea)))
    if generation == .m9 {
      #expect(
        values.first { $0.property == .base }?.text
          == settings.base.map { ReceiverValue.base($0).text })
      #expect(bench.receiver[0x2091_02BE] == 1 && bench.receiver[0x1074_0004] == 1)
    }
    let kept = try #require(ReceiverOriginals(lines: setup.replaced.lines))
    _ = bench.run(ReceiverSettings(), task: .restore, earlier: kept, identity: setup.identity?.text)
    #expect(bench.receiver.values == before)
    _ = bench.run(settings)
    _ = bench.run(ReceiverSettings(), task: .save)
    bench.receiver.powerCycle()
    #expect(bench.receiver[0x3021_0001] == 200 && bench.receiver[0x2011_00A4] == 12)
  }

  @Test("Values read back from their texts; other texts are refused")
  func texts() {
    for value in [
      ReceiverValue.rate(5), .rate(0.5), .model(.airborne2g), .messages(.both), .sentences([]),
      .sentences([.gga, .gst]), .systems([.gps, .navic]), .mask(7.5), .base(.rover), .base(.moving),
      .base(.survey(seconds: 300, metres: 2.5)), .base(.survey(seconds: 300, metres: nil)),
      .base(.fixed(latitude: -47.5, longitude: 8.25, height: -12.125)), .heading(true),
      .heading(false), .baud(115_200),
    ] {
      #expect(ReceiverValue(value.property, text: value.text) == value, "\(value.text)")
    }
    for (property, text) in [
      (ReceiverProperty.rate, "0"), (.rate, "fast"), (.rate, "-5"), (.model, "boat"),
      (.sentences, "GGA;RMC"), (.systems, "gps,loran"), (.systems, ""), (.mask, "91"),
      (.base, "survey"), (.base, "survey,300,0"), (.base, "fixed,91,0,0"), (.base, "fixed,1,2"),
      (.heading, "yes"),
      (.baud, "12"), (.rate, "1e3"), (.mask, ""),
    ] {
      #expect(ReceiverValue(property, text: text) == nil, "\(property) \(text)")
    }
    #expect(ReceiverOriginals(lines: ["rate=x"]) == nil && ReceiverOriginals(lines: ["x"]) == nil)
    #expect(ReceiverOriginals(lines: ["ubx rate=12z4"]) == nil)
  }
}

extension SetupBench {
  /// One step of a set-up.
  mutating func step(_ setup: inout ReceiverSetup) {
    switch setup.next(at: now) {
    case .send(let bytes):
      guard receiver.baud == speed else { return }
      for burst in receiver.answers(to: bytes) where burst.baud == speed {
        now = now.advanced(byNanoseconds: 5_000_000)
        burst.bytes.withUnsafeBytes { setup.receive($0, at: now) }
      }
    case .wait: now = now.advanced(byNanoseconds: 50_000_000)
    case .changeSpeed(let new): speed = new
    case .rest: now = now.advanced(byNanoseconds: 1_000_000_000)
    }
  }
}
