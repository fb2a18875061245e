import BoardCheck
import Simulation
import Testing

@Suite("Faults of a board", .timeLimit(.minutes(30)))
struct FaultTests {
  private static let seeds = CheckedBoard.seeds(atMost: 20)

  @Test("every fault is named, and nothing else, with every seed", arguments: BoardFault.allCases)
  func fault(_ fault: BoardFault) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in Self.seeds {
        group.addTask {
          let outcome = try CheckedBoard(fault: fault).outcome(seed: seed)
          let found = Set(outcome.findings.map(\.kind.rawValue))
          #expect(found == [fault.rawValue], "seed \(seed): \(outcome.findings.map(\.text))")
          // What is wrong, on what, how it shows, what to do.
          #expect(
            outcome.findings.allSatisfy {
              ![$0.device, $0.what, $0.figure, $0.remedy].contains("")
            })
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("every fault is named where the hand shakes, too", arguments: BoardFault.allCases)
  func shakingHand(_ fault: BoardFault) throws {
    for seed in CheckedBoard.seeds(atMost: 3) {
      var check = CheckedBoard(fault: fault)
      check.scenario.shake()
      let outcome = try check.outcome(seed: seed)
      let found = Set(outcome.findings.map(\.kind.rawValue))
      #expect(found == [fault.rawValue], "seed \(seed): \(outcome.findings.map(\.text))")
    }
  }

  @Test("the finding of a wrong sign names the element of the chip")
  func axes() throws {
    for seed in Self.seeds {
      let outcome = try CheckedBoard(fault: .invertedAxis).outcome(seed: seed)
      let finding = try #require(outcome.findings.first)
      #expect(
        ["magnetometer", "gyroscope", "accelerometer"].contains {
          finding.what.contains("of its \($0) has the wrong sign")
        }, "\(finding.text)")
    }
  }

  @Test("the good board passes with every seed", arguments: Self.seeds)
  func good(_ seed: UInt64) throws {
    let outcome = try CheckedBoard().outcome(seed: seed)
    #expect(outcome.isPassed, "\(outcome.findings.map(\.text))")
    #expect(outcome.steps.allSatisfy { $0.isDone }, "\(outcome.steps) \(outcome.notes)")
  }
}
