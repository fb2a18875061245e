import BoardCheck
import Configuration
import Quantities
import Simulation
import Testing

@Suite("Recordings of boards", .timeLimit(.minutes(30)))
struct RecordedBoardTests {
  private static let seeds = CheckedBoard.seeds(atMost: 5)
  /// Faults that samples show without counters.
  private static let visible: [BoardFault] = [
    .swappedAxes, .invertedAxis, .wrongMount, .clippedRange, .lostSamples, .magnetOnBoard,
    .hotGyroscope,
  ]

  private func recorded(_ fault: BoardFault? = nil) -> CheckedBoard {
    var check = CheckedBoard(fault: fault)
    check.isRecording = true
    return check
  }

  @Test("the recording of a good board has no finding, and shows all steps", arguments: Self.seeds)
  func good(_ seed: UInt64) throws {
    let outcome = try recorded().outcome(seed: seed)
    #expect(outcome.isPassed && outcome.isRecording, "\(outcome.findings.map(\.text))")
    #expect(outcome.steps.map(\.step) == CheckStep.allCases)
    #expect(outcome.steps.allSatisfy { $0.isDone && $0.isRecorded }, "\(outcome.steps)")
    // Counters are never in it.
    #expect(outcome.notes.contains { $0.hasPrefix("not shown by this recording: rates") })
  }

  @Test("a fault that samples show is named, and nothing else", arguments: Self.visible)
  func fault(_ fault: BoardFault) throws {
    for seed in Self.seeds {
      let outcome = try recorded(fault).outcome(seed: seed)
      let found = Set(outcome.findings.map(\.kind.rawValue))
      #expect(found == [fault.rawValue], "seed \(seed): \(outcome.findings.map(\.text))")
    }
  }

  @Test("a fault that only counters show gives no other finding", arguments: BoardFault.allCases)
  func others(_ fault: BoardFault) throws {
    let outcome = try recorded(fault).outcome(seed: 4)
    let found = Set(outcome.findings.map(\.kind.rawValue))
    #expect(found.isSubset(of: [fault.rawValue]), "\(outcome.findings.map(\.text))")
  }

  @Test("what a recording does not contain is not shown, and no finding")
  func partial() throws {
    var check = recorded()
    // The rest alone.
    check.recordingSeconds = 24
    var outcome = try check.outcome(seed: 1)
    #expect(outcome.isPassed, "\(outcome.findings.map(\.text))")
    #expect(outcome.steps.map(\.isDone) == [true, false, false, false])
    for word in ["level turn", "0 of 4 sides", "fixes with a course"] {
      #expect(
        outcome.notes.contains {
          $0.hasPrefix("not shown by this recording: the step") && $0.contains(word)
        },
        "\(word): \(outcome.notes)")
    }
    // Without the magnetometer, which the board file states.
    check = recorded()
    check.scenario.magnetometer = nil
    check.board.sensors.removeAll { $0.chip.quantity == .field }
    outcome = try check.outcome(seed: 1)
    #expect(outcome.isPassed, "\(outcome.findings.map(\.text))")
    #expect(outcome.notes.contains { $0.contains("the magnetometer: it has no samples") })
    // A board that is never moved.
    check = recorded()
    check.scenario = .tableTop
    outcome = try check.outcome(seed: 1)
    #expect(outcome.isPassed && outcome.steps[0].isDone && !outcome.steps[2].isDone)
  }

  @Test("an even turn of a board without a magnetometer is no offset of its gyroscope")
  func turntable() {
    var session = CheckSession(recordingOf: Board.standard, isMountStated: false, isSimulated: true)
    for n in 0..<6000 {
      let noise = Double((n * 7919) % 101) / 1e4
      let now = Timestamp(nanoseconds: UInt64(n) * 10_000_000)
      var row = SensorSamples(timestamp: now)
      row.inertial = InertialSample(
        timestamp: now,
        angularRate: AngularRate(radiansPerSecond: SIMD3(noise, -noise, 0.4 + noise)),
        specificForce: SpecificForce(
          metresPerSecondSquared: SIMD3(noise, 0.001 * Double(n % 5), 9.8 + noise)))
      session.add(row)
    }
    let outcome = session.outcome()
    #expect(outcome.isPassed, "\(outcome.findings.map(\.text))")
    #expect(outcome.notes.contains { $0.contains("an even turn") }, "\(outcome.notes)")
  }

  @Test("the mount is judged only where it is stated")
  func mount() throws {
    var check = recorded(.wrongMount)
    #expect(try check.outcome(seed: 2).findings.map(\.kind) == [.wrongMount])
    check.isMountStated = false
    let outcome = try check.outcome(seed: 2)
    #expect(outcome.notes.contains { $0.contains("give --board or --mount") } || !outcome.isPassed)
  }
}
