import Quantities
import ReceiverProtocols
import Simulation
import TestSupport
import Testing

/// Keeps the bytes that a receiver gets.
private struct RecordedReceiver<Receiver: EmulatedReceiver>: EmulatedReceiver {
  var inner: Receiver
  var received: [[UInt8]] = []
  var baud: Int { inner.baud }

  init(_ inner: Receiver) { self.inner = inner }

  mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)] {
    received.append(bytes)
    return inner.answers(to: bytes)
  }
  mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)? {
    inner.output(at: seconds)
  }
}

/// Answers commands by a script, with the answers of real receivers.
private struct ScriptedReceiver: EmulatedReceiver {
  /// Commands, each with its answer.
  var script: [([UInt8], [UInt8])]
  let baud = 9600

  init(_ script: [(String, String)]) {
    self.script = script.map { (Array("\($0.0)\r\n".utf8), Array("\($0.1)\r\n".utf8)) }
  }
  init(binary script: [([UInt8], [UInt8])]) { self.script = script }

  mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)] {
    script.filter { $0.0 == bytes }.map { ($0.1, baud) }
  }
  mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)? { nil }
}

/// Frames against published ones: the commands that a set-up sends, and what it reads from answers
/// of real receivers.
@Suite("Frames of the makers", .timeLimit(.minutes(30)))
struct MakerFrameTests {
  /// The bytes that a receiver gets for some settings.
  private func sent(
    _ kind: EmulatedMakerReceiver.Kind, _ change: (inout ReceiverSettings) -> Void
  ) -> [[UInt8]] {
    var settings = ReceiverSettings()
    change(&settings)
    var bench = SetupBench(RecordedReceiver(EmulatedMakerReceiver(kind)))
    _ = bench.run(settings)
    return bench.receiver.received
  }

  private func expect(
    _ sent: [[UInt8]], has texts: [String], location: SourceLocation = #_sourceLocation
  ) {
    for text in texts {
      let isSent = sent.contains(Array("\(text)\r\n".utf8))
      #expect(
        isSent, "\(text) in \(sent.map { String(decoding: $0, as: UTF8.self) })",
        sourceLocation: location)
    }
  }

  /// Checksums as in published programs: Zephyr's driver of the L86, GlobalTop's and Quectel's
  /// examples.
  @Test("PMTK commands are the published ones")
  func mediaTek() {
    let sent = sent(.l86) {
      $0.rateHertz = 10
      $0.sentences = [.rmc, .gga, .gsa, .gsv]
      $0.systems = [.gps, .glonass, .galileo, .beidou]
      $0.model = .airborne2g
    }
    expect(
      sent,
      has: [
        "$PMTK605*31", "$PMTK400*36", "$PMTK414*33", "$PMTK355*31", "$PMTK220,100*2F",
        "$PMTK314,0,1,0,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0*28", "$PMTK353,1,1,1,0,1*2B",
        "$PMTK886,2*2A",
      ])
  }

  /// Written by pynmeagps 1.1.8 from the same values; the queries and PAIR066 are Quectel's
  /// examples.
  @Test("PAIR and PQTM commands are those of another implementation")
  func quectel() {
    let pair = sent(.lc29h) {
      $0.rateHertz = 5
      $0.sentences = [.gga, .rmc]
      $0.systems = [.gps, .galileo, .beidou]
      $0.maskDegrees = 10
      $0.model = .pedestrian
      $0.base = .survey(seconds: 300, metres: 2)
      $0.baud = 460_800
      $0.isSaved = true
    }
    expect(
      pair,
      has: [
        "$PQTMVERNO*58", "$PAIR051*3E", "$PAIR067*3B", "$PAIR081*33", "$PAIR050,200*21",
        "$PAIR062,3,0*3D", "$PAIR066,1,0,1,1,0,0*3B", "$PAIR072,10*12", "$PAIR080,1*2F",
        "$PAIR864,0,0,460800*16", "$PQTMSAVEPAR*5A", "$PQTMCFGRCVRMODE,W,2*29",
        "$PQTMCFGSVIN,W,1,300,2.0,0,0,0*3D",
      ])
    let qtm = sent(.lg290p) {
      $0.rateHertz = 5
      $0.systems = [.gps, .galileo, .beidou]
      $0.maskDegrees = 10
      $0.isSaved = true
    }
    expect(
      qtm,
      has: [
        "$PQTMCFGFIXRATE,W,200*6A", "$PQTMCFGCNST,W,1,0,1,1,0,0*2A", "$PQTMCFGELETHD,W,10.0*06",
      ])
  }

  /// Frames that a user of an ATGM336H published with the names of the sentences.
  @Test("CASIC commands are the published ones")
  func casic() {
    let sent = sent(.uranus5) {
      $0.sentences = [.gga]
    }
    for frame in [
      "BA CE 04 00 06 01 4E 00 01 00 52 00 07 01", "BA CE 04 00 06 01 4E 02 00 00 52 02 06 01",
    ] {
      #expect(sent.contains(bytes(frame)), "\(frame)")
    }
    expect(sent, has: ["$PCAS06,0*1B"])
  }

  /// Examples of AN0003, and a transcript of a Venus 8 with its configuration program.
  @Test("SkyTraq commands are the published ones")
  func skyTraq() {
    let sent = sent(.skyTraq) {
      $0.rateHertz = 10
      $0.sentences = [.gga, .gll]
      $0.baud = 115_200
    }
    for frame in [
      "A0 A1 00 02 02 01 03 0D 0A",
      "a0 a1 00 0f 64 02 01 00 00 01 00 00 00 00 00 00 00 00 00 66 0d 0a",
      "A0 A1 00 03 0E 0A 00 04 0D 0A", "A0 A1 00 04 05 00 05 00 00 0D 0A",
    ] {
      #expect(sent.contains(bytes(frame)), "\(frame)")
    }
  }

  /// Written by pyubx2 1.4.0 from the same keys and values.
  @Test("CFG-VALSET of the newer properties is that of another implementation")
  func ublox() {
    var bench = SetupBench(RecordedReceiver(EmulatedUBloxReceiver(.m9)))
    var settings = ReceiverSettings()
    settings.maskDegrees = 10
    settings.base = .survey(seconds: 300, metres: 2)
    settings.sendsHeading = true
    settings.sentences = [.rmc]
    settings.systems = [.gps, .galileo, .glonass]
    _ = bench.run(settings)
    // pyubx2 writes into RAM too, without a transaction.
    for frame in [
      """
      b5 62 06 8a 45 00 00 01 00 00 01 00 03 20 01 02 00 03 20 00 09 00 03 40 00 00 00 00 0a 00 03 \
      40 00 00 00 00 0b 00 03 40 00 00 00 00 0c 00 03 20 00 0d 00 03 20 00 0e 00 03 20 00 10 00 03 \
      40 2c 01 00 00 11 00 03 40 20 4e 00 00 d9 62
      """,
      "b5 62 06 8a 09 00 00 01 00 00 a4 00 11 20 0a 79 e2",
      "b5 62 06 8a 09 00 00 01 00 00 8e 00 91 20 01 da eb",
      """
      b5 62 06 8a 27 00 00 01 00 00 be 02 91 20 01 cd 02 91 20 01 d2 02 91 20 01 19 03 91 20 01 d7 \
      02 91 20 01 04 03 91 20 01 04 00 74 10 01 cc ab
      """,
      """
      b5 62 06 8a 22 00 00 01 00 00 1f 00 31 10 01 20 00 31 10 00 21 00 31 10 01 22 00 31 10 00 24 \
      00 31 10 00 25 00 31 10 01 07 9c
      """,
      "b5 62 06 8b 08 00 00 00 00 00 ff ff 31 10 d8 fc",
    ] {
      #expect(bench.receiver.received.contains(bytes(frame)), "\(frame)")
    }
    settings = ReceiverSettings()
    settings.base = .fixed(
      latitude: 47.285_234_567, longitude: -8.565_234_567, height: 499.6012)
    var other = SetupBench(RecordedReceiver(EmulatedUBloxReceiver(.m9)))
    _ = other.run(settings)
    let fixed = """
      b5 62 06 8a 45 00 00 01 00 00 01 00 03 20 02 02 00 03 20 01 09 00 03 40 79 27 2f 1c 0a 00 03 \
      40 87 0c e5 fa 0b 00 03 40 28 c3 00 00 0c 00 03 20 43 0d 00 03 20 bd 0e 00 03 20 0c 10 00 03 \
      40 00 00 00 00 11 00 03 40 00 00 00 00 94 25
      """
    #expect(other.receiver.received.contains(bytes(fixed)))
  }

  private func read(_ receiver: ScriptedReceiver) -> ReceiverSetup {
    var bench = SetupBench(receiver)
    return bench.run(ReceiverSettings(), task: .read)
  }

  /// The version of a UM980, MODE with its checksum over the first character, and MASK, as published
  /// from receivers.
  @Test("Answers of a UM980 are read")
  func unicoreAnswers() {
    let setup = read(
      ScriptedReceiver([
        (
          "VERSIONA",
          "$command,VERSIONA,response: OK*45\r\n"
            + "#VERSIONA,97,GPS,FINE,2343,48235000,0,0,18,813;\"UM980\",\"R4.10Build11833\","
            + "\"HRPT00-S10C-P\",\"2310415000001-MD22A2225022497\",\"ff3ba396dcb0478d\","
            + "\"2023/11/24\"*270a13f7"
        ),
        (
          "MODE",
          "$command,MODE,response: OK*5D\r\n"
            + "#MODE,97,GPS,FINE,2406,465982000,17548,0,18,962;MODE ROVER SURVEY,*1B"
        ),
        (
          "MASK",
          "$command,MASK,response: OK*4A\r\n$CONFIG,MASK,MASK 5.000000*15\r\n$CONFIG,MASK,MASK GPS*4A"
        ),
      ]))
    #expect(setup.identity?.text == "UM980 (R4.10Build11833)")
    #expect(setup.values.contains(.mask(5)) && setup.values.contains(.base(.rover)))
    #expect(setup.values.contains(.systems([.glonass, .galileo, .beidou, .qzss])))
    #expect(setup.values.contains(.model(.portable)))
  }

  /// Answers of an LC29H as its driver's source quotes them, of an L86, and of a URANUS5.
  @Test("Answers of Quectel's and Zhongke's receivers are read")
  func quectelAnswers() {
    let setup = read(
      ScriptedReceiver([
        ("$PQTMVERNO*58", "$PQTMVERNO,LC29HAANR11A05S,2025/09/12,10:00:00*3D"),
        ("$PAIR081*33", "$PAIR001,081,3*31"),
        ("$PAIR051*3E", "$PAIR001,051,0*3F\r\n$PAIR051,1000*13"),
        ("$PAIR067*3B", "$PAIR001,067,0*3A\r\n$PAIR067,1,0,0,0,0,0*3A"),
      ]))
    #expect(setup.identity?.maker == .quectel && setup.identity?.model == "LC29H")
    #expect(setup.values.contains(.rate(1)) && setup.values.contains(.systems([.gps])))
    let l86 = read(
      ScriptedReceiver([
        ("$PMTK605*31", "$PMTK705,AXN_3.10_3333_12102201,0000,QUECTEL-L80,*11"),
        ("$PMTK400*36", "$PMTK500,1000,0,0,0,0*1A"),
        ("$PMTK414*33", "$PMTK514,0,1,1,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0*2B"),
      ]))
    #expect(l86.identity?.text == "QUECTEL-L80 (AXN_3.10_3333_12102201)")
    #expect(l86.values.contains(.rate(1)))
    #expect(l86.values.contains(.sentences([.gga, .gsa, .gsv, .rmc, .vtg])))
    // GlobalTop's example: GLONASS, BeiDou, Galileo.
    let globalTop = read(
      ScriptedReceiver([
        ("$PMTK605*31", "$PMTK705,AXN_3.10_3333_12102201,0000,QUECTEL-L80,*11"),
        ("$PMTK400*36", "$PMTK500,1000,0,0,0,0*1A"),
        ("$PMTK414*33", "$PMTK514,0,1,1,1,1,5,0,0,0,0,0,0,0,0,0,0,0,0,0*2B"),
        ("$PMTK355*31", "$PMTK001,355,3,1,0,0*2E"),
      ]))
    #expect(globalTop.values.contains(.systems([.gps, .glonass])))
    let uranus = read(
      ScriptedReceiver([("$PCAS06,0*1B", "$GPTXT,01,01,02,SW=URANUS5,V5.2.1.0*1D")]))
    #expect(uranus.identity?.text == "CASIC receiver (URANUS5,V5.2.1.0)")
  }

  /// The order of Quectel's specification of LC76G and LC86G.
  @Test("An LC76G that is faster than once a second stops to save")
  func savingFast() {
    func line(_ text: String) -> String { String(sentence(text).dropLast()) }
    func acknowledged(_ text: String, _ number: String) -> (String, String) {
      (line(text), line("PAIR001,\(number),0"))
    }
    let script = [
      (line("PQTMVERNO"), line("PQTMVERNO,LC76GPANR12A03S,2023/10/12,10:00:00")),
      (line("PAIR051"), line("PAIR001,051,0") + "\r\n" + line("PAIR051,200")),
      acknowledged("PAIR382,1", "382"), acknowledged("PAIR003", "003"),
      acknowledged("PAIR513", "513"), acknowledged("PAIR002", "002"),
    ]
    var bench = SetupBench(RecordedReceiver(ScriptedReceiver(script)))
    let setup = bench.run(ReceiverSettings(), task: .save)
    let sent = bench.receiver.received.map { String(decoding: $0, as: UTF8.self) }
    let saved = sent.filter { line in
      ["$PAIR382", "$PAIR003", "$PAIR513", "$PAIR002"].contains { line.hasPrefix($0) }
    }
    #expect(
      saved == ["PAIR382,1", "PAIR003", "PAIR513", "PAIR002"].map { line($0) + "\r\n" }, "\(sent)")
    #expect(setup.report.saved != .nowhere)
  }

  /// The examples of AN0037 for 0x6A, as another implementation of the protocol quotes them.
  @Test("SkyTraq's commands for RTK are the published ones")
  func skyTraqRTK() {
    let sent = sent(.skyTraq) { $0.sendsHeading = true }
    #expect(sent.contains(bytes("a0a1 0002 6a07 6d 0d0a")))
    let rover =
      bytes("a0a1 0025 6a06 0002 000007d0 0000001e") + [UInt8](repeating: 0, count: 25)
      + bytes("a7 0d0a")
    #expect(sent.contains(rover), "\(sent)")
  }

  /// The transcript of a Venus 8 with its configuration program.
  @Test("Answers of a Venus 8 are read")
  func skyTraqAnswers() {
    let setup = read(
      ScriptedReceiver(binary: [
        (
          bytes("a0 a1 00 02 02 01 03 0d 0a"),
          bytes(
            "a0 a1 00 02 83 02 81 0d 0a a0 a1 00 0e 80 01 00 02 00 4a 00 01 07 1b 00 0e 07 15 c8 0d 0a"
          )
        )
      ]))
    #expect(setup.identity?.maker == .skyTraq)
    #expect(setup.identity?.firmware == "kernel 2.0.74, ODM 1.7.27, revision 14.7.21")
  }

  @Test("Unicore's refusals have their reason; a wrong checksum is no answer")
  func refusals() {
    var receiver = ScriptedReceiver([
      (
        "VERSIONA",
        "#VERSIONA,79,GPS,FINE,2326,378237000,15434,0,18,889;\"UM982\",\"R4.10Build15434\","
          + "\"HRPT00-S10C-P\",\"2310415000012-LR23A2225208904\",\"ff2740966a10124c\","
          + "\"2024/08/08\"*769fd54f"
      ),
      ("MASK", "$command,MASK,response: OK*4B"),
      ("MODE", "$command,MODE,response: PARSING FAILD NO MATCHING FUNC MODE*60"),
    ])
    var settings = ReceiverSettings()
    settings.maskDegrees = 10
    settings.model = .automotive
    var bench = SetupBench(receiver)
    let setup = bench.run(settings)
    #expect(setup.identity?.model == "UM982")
    #expect(setup.report.outcome(of: .mask) == .noAnswer, "\(setup.report.entries)")
    let reason = "PARSING FAILD NO MATCHING FUNC MODE"
    #expect(setup.report.outcome(of: .model) == .refused(reason), "\(setup.report.entries)")
    receiver.script = []
    #expect(!read(receiver).hasAnswered)
  }
}
