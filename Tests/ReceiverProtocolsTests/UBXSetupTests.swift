import Quantities
import ReceiverProtocols
import Simulation
import Testing

/// A set-up against an emulated receiver, with a clock that the test advances.
@Suite("Set-up of a u-blox receiver", .timeLimit(.minutes(30)))
struct UBXSetupTests {
  /// Runs a set-up until it returns `rest`. Bytes at another baud rate than the receiver's are
  /// lost.
  private struct Bench {
    var receiver: EmulatedUBloxReceiver
    var speed: Int
    var reader = UBXAnswerReader()
    var now = Timestamp(nanoseconds: 1_000_000_000)
    var sent = 0

    init(_ receiver: EmulatedUBloxReceiver) {
      self.receiver = receiver
      speed = receiver.baud
    }

    mutating func run(_ setup: inout UBXSetup) {
      if !run(&setup, steps: 1000) { Issue.record("the set-up does not end") }
    }

    /// True where the set-up returns `rest` within the number of steps.
    @discardableResult
    mutating func run(_ setup: inout UBXSetup, steps: Int) -> Bool {
      for _ in 0..<steps {
        switch setup.next(at: now) {
        case .send(let bytes):
          sent += 1
          guard receiver.baud == speed else { continue }
          for burst in receiver.receive(bytes) where burst.baud == speed {
            now = now.advanced(byNanoseconds: 20_000_000)
            var answers: [UBXAnswer] = []
            burst.bytes.withUnsafeBytes { reader.push($0) { answers.append($0) } }
            for answer in answers { setup.receive(answer, at: now) }
          }
        case .wait(let until): now = max(now, until)
        case .changeSpeed(let new): speed = new
        case .rest: return true
        }
      }
      return false
    }
  }

  private static let whole: UBXSetupRequest = {
    var request = UBXSetupRequest()
    request.rateHertz = 5
    request.model = .sea
    request.messages = .ubx
    request.takesCorrections = true
    request.baud = 115_200
    return request
  }()

  private static let wanted: [UInt32: UInt64] = [
    0x3021_0001: 200, 0x3021_0002: 1, 0x2011_0021: 5, 0x2091_0007: 1, 0x2091_0016: 5,
    0x2091_0039: 1, 0x2091_0084: 1, 0x2091_0160: 1, 0x2091_017E: 1, 0x1074_0002: 0,
    0x1074_0001: 1, 0x1073_0004: 1, 0x1073_0001: 1, 0x4052_0001: 115_200,
  ]

  @Test(
    "The requested settings are written and read back, and an undo restores every value",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func wholeAndUndone(generation: EmulatedUBloxReceiver.Generation) {
    var bench = Bench(EmulatedUBloxReceiver(generation))
    let before = bench.receiver.values
    var setup = UBXSetup(Self.whole, port: .usb, speed: bench.speed)
    bench.run(&setup)
    for (key, value) in Self.wanted {
      #expect(bench.receiver[key] == value, "\(String(key, radix: 16))")
    }
    // Other ports are unchanged.
    #expect(bench.receiver[0x2091_0009] == 0 && bench.receiver[0x1078_0002] == 1)
    #expect(bench.speed == 115_200)
    #expect(setup.report.version?.module == (generation == .m8 ? "NEO-M8N-0" : "NEO-M9N"))
    #expect(setup.report.outcomes.count == 11)
    #expect(setup.report.outcomes.allSatisfy { $0.outcome == .changed })
    setup.undo()
    bench.run(&setup)
    #expect(bench.receiver.values == before)
    #expect(bench.speed == 9600 && setup.report.notRestored.isEmpty && setup.originals.isEmpty)
  }

  @Test("Keys and values are used since protocol version 27, the older messages before")
  func generations() {
    for (generation, command) in [(EmulatedUBloxReceiver.Generation.m8, 0x0608), (.m9, 0x068A)] {
      var bench = Bench(EmulatedUBloxReceiver(generation))
      var request = UBXSetupRequest()
      request.rateHertz = 10
      var setup = UBXSetup(request, port: .uart1, speed: 9600)
      bench.run(&setup)
      #expect(bench.receiver[0x3021_0001] == 100)
      #expect(bench.receiver.commands.contains(UInt16(command)))
      #expect(bench.receiver.commands.first == 0x0A04)
    }
  }

  @Test("Settings that already have the requested value are neither written nor restored")
  func nothingToDo() {
    var bench = Bench(EmulatedUBloxReceiver(.m9))
    var request = UBXSetupRequest()
    request.rateHertz = 1
    request.messages = .nmea
    var setup = UBXSetup(request, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(setup.report.outcomes.count == 8)
    #expect(setup.report.outcomes.allSatisfy { $0.outcome == .alreadySet })
    #expect(!bench.receiver.commands.contains(0x068A))
    setup.undo()
    #expect(!setup.isBusy)
  }

  @Test(
    "A refused setting is reported and the others are written",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func refusal(generation: EmulatedUBloxReceiver.Generation) {
    var receiver = EmulatedUBloxReceiver(generation)
    receiver.refusedKeys = [0x2091_0084]
    var bench = Bench(receiver)
    var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(setup.report.outcome(of: .message(.navigationCovariance)) == .refused)
    #expect(setup.report.outcomes.filter { $0.outcome == .changed }.count == 10)
    #expect(bench.receiver[0x2091_0160] == 1 && bench.receiver[0x3021_0001] == 200)
  }

  @Test(
    "A setting that can be read but not written is reported as refused")
  func refusedChange() {
    var receiver = EmulatedUBloxReceiver(.m8)
    receiver.refusedKeys = [0x2011_0021]
    var bench = Bench(receiver)
    var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(setup.report.outcome(of: .model) == .refused)
    #expect(bench.receiver[0x2011_0021] == 0)
  }

  @Test("A receiver without UBX is polled three times and not changed")
  func silence() {
    var receiver = EmulatedUBloxReceiver(.m9)
    receiver.knowsUBX = false
    var bench = Bench(receiver)
    var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(setup.report.isSilent && setup.report.outcomes.isEmpty && bench.sent == 3)
    setup.undo()
    bench.run(&setup)
    #expect(bench.sent == 3)
  }

  @Test(
    "Commands are repeated after lost answers, at every step",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func lostAnswers(generation: EmulatedUBloxReceiver.Generation) {
    for place in 0..<60 {
      var bench = Bench(EmulatedUBloxReceiver(generation))
      let before = bench.receiver.values
      var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
      // Two answers are lost after some steps; then the rest follows.
      bench.run(&setup, steps: place)
      bench.receiver.lostAnswers = 2
      bench.run(&setup)
      for (key, value) in Self.wanted { #expect(bench.receiver[key] == value, "\(place)") }
      #expect(setup.report.outcomes.allSatisfy { $0.outcome == .changed }, "\(place)")
      bench.receiver.lostAnswers = 1
      setup.undo()
      bench.run(&setup)
      #expect(bench.receiver.values == before, "\(place)")
    }
  }

  @Test("An undo at any step restores all values that were changed")
  func stoppedHalfWay() {
    for steps in 0..<120 {
      var bench = Bench(EmulatedUBloxReceiver(.m9))
      let before = bench.receiver.values
      var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
      bench.run(&setup, steps: steps)
      setup.undo()
      bench.run(&setup)
      #expect(bench.receiver.values == before, "\(steps)")
    }
  }

  @Test("A late answer does not count as an answer to the undo")
  func lateAnswer() {
    for generation in [EmulatedUBloxReceiver.Generation.m8, .m9] {
      var commands = 0
      for steps in 0..<120 {
        var bench = Bench(EmulatedUBloxReceiver(generation))
        let before = bench.receiver.values
        var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
        bench.run(&setup, steps: steps)
        guard case .send(let bytes) = setup.next(at: bench.now) else { continue }
        commands += 1
        let late = bench.receiver.receive(bytes)
        setup.undo()
        // The undo's first bytes are lost on the line, and the late answers come instead.
        _ = setup.next(at: bench.now)
        for burst in late where burst.baud == bench.speed {
          var answers: [UBXAnswer] = []
          burst.bytes.withUnsafeBytes { bench.reader.push($0) { answers.append($0) } }
          for answer in answers { setup.receive(answer, at: bench.now) }
        }
        bench.run(&setup)
        #expect(bench.receiver.values == before, "\(generation) \(steps)")
      }
      #expect(commands > 0, "\(generation)")
    }
  }

  @Test("Without an answer at the new baud rate the host returns to the old one")
  func speedNotTaken() {
    var receiver = EmulatedUBloxReceiver(.m9)
    receiver.keepsItsSpeed = true
    var bench = Bench(receiver)
    var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(bench.speed == 9600)
    #expect(setup.report.outcome(of: .baud) == .noAnswer)
    #expect(setup.report.outcome(of: .rate) == .changed)
  }

  @Test("A port without a baud rate reports the setting as absent")
  func noSpeed() {
    var bench = Bench(EmulatedUBloxReceiver(.m9, port: 3))
    var setup = UBXSetup(Self.whole, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(setup.report.outcome(of: .baud) == .absent)
    #expect(bench.receiver[0x2091_0009] == 1 && bench.receiver[0x1078_0002] == 0)
  }

  @Test(
    "Saved settings survive a loss of power and are not undone",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9], [true, false])
  func saved(generation: EmulatedUBloxReceiver.Generation, hasFlash: Bool) {
    var receiver = EmulatedUBloxReceiver(generation)
    receiver.hasNoFlash = !hasFlash
    var bench = Bench(receiver)
    var request = Self.whole
    request.isSaved = true
    var setup = UBXSetup(request, port: .uart1, speed: 9600)
    bench.run(&setup)
    #expect(setup.report.saved == (hasFlash ? .flash : .batteryBacked))
    setup.undo()
    bench.run(&setup)
    bench.receiver.powerCycle()
    for (key, value) in Self.wanted { #expect(bench.receiver[key] == value) }
  }

  @Test("The check detects the loss of temporary settings, and the set-up can be repeated")
  func brownOut() {
    var bench = Bench(EmulatedUBloxReceiver(.m9))
    var request = Self.whole
    request.baud = nil
    var setup = UBXSetup(request, port: .uart1, speed: 9600)
    bench.run(&setup)
    setup.check()
    bench.run(&setup)
    #expect(!setup.hasLostSettings)
    bench.receiver.powerCycle()
    setup.check()
    bench.run(&setup)
    #expect(setup.hasLostSettings)
    setup = UBXSetup(request, port: .uart1, speed: 9600, earlier: setup.originals)
    bench.run(&setup)
    #expect(bench.receiver[0x3021_0001] == 200)
  }

  @Test(
    "A receiver that kept its settings while disconnected is restored to its original values")
  func keptSettings() {
    var bench = Bench(EmulatedUBloxReceiver(.m8))
    let before = bench.receiver.values
    var first = UBXSetup(Self.whole, port: .uart1, speed: 9600)
    bench.run(&first)
    var second = UBXSetup(Self.whole, port: .uart1, speed: bench.speed, earlier: first.originals)
    bench.run(&second)
    #expect(second.report.outcomes.allSatisfy { $0.outcome == .alreadySet })
    #expect(second.originals == first.originals)
    second.undo()
    bench.run(&second)
    #expect(bench.receiver.values == before)
  }

  @Test("Answers are found between sentences, corrupt frames and noise, however they are split")
  func answersInNoise() {
    var receiver = EmulatedUBloxReceiver(.m9)
    let version = receiver.receive(UBXCommand.askVersion.bytes).flatMap(\.bytes)
    var stream = Array("$GNGGA,1200".utf8) + version
    stream += [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x08, 0xFF, 0xFF] + Array("\r\n".utf8)
    stream += [0xB5, 0x62, 0x05, 0x00, 0x02, 0x00, 0x06, 0x24, 0x31, 0x56]
    for size in [1, 3, 7, 64, 4096] {
      var reader = UBXAnswerReader()
      var answers: [UBXAnswer] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        let piece = Array(stream[start..<min(start + size, stream.count)])
        piece.withUnsafeBytes { reader.push($0) { answers.append($0) } }
      }
      #expect(answers.count == 2)
      guard case .version(let found)? = answers.first else {
        Issue.record("no version")
        return
      }
      #expect(found.software == "EXT CORE 4.04 (7f89f7)" && found.protocolMajor == 32)
      #expect(answers.last == .refused(UBXMessageName(0x06, 0x24)))
    }
  }
}
