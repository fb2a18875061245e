import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(
  "What recorded motion is called",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are not here"),
  .timeLimit(.minutes(30)))
struct RecordedChoiceTests {
  private func solve(_ name: String, seed: UInt64) throws -> CalibrationOutcome {
    let trial = try #require(RecordedTurns.all[name])
    let iron = SimulatedBoard(seed: seed).distortion
    var checks = SampleChecks()
    for i in trial.seconds.indices {
      let at = Timestamp(nanoseconds: UInt64(bounded: trial.seconds[i] * 1e9))
      checks.add(rate: trial.rate[i], force: trial.force[i], at: at)
      if trial.field[i].isFinite { checks.add(field: iron.shape * trial.field[i] + iron.offset) }
    }
    return try CalibrationSolver(down: trial.down)
      .solve(trial.observations().distorted(iron), checks: checks)
  }

  @Test("turns by hand are good or fair", arguments: ["02", "04", "07", "08"])
  func turns(name: String) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let outcome = try solve(name, seed: seed)
      #expect(outcome.quality == .good || outcome.quality == .fair)
    }
  }

  @Test("a board with translation only is rejected or poor", arguments: ["10", "12"])
  func translations(name: String) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      do {
        let outcome = try solve(name, seed: seed)
        #expect(outcome.quality == .poor || outcome.quality == .uncalibrated)
      } catch CalibrationFitError.tooLittleMotion(let wanted) {
        #expect(wanted.contains("turn"))
      }
    }
  }

  @Test("a magnet put onto the board is reported, not fitted", arguments: ["33", "35"])
  func magnets(name: String) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      do {
        let outcome = try solve(name, seed: seed)
        Issue.record("\(outcome.quality) \(outcome.estimate.earthField)")
      } catch {
        switch error as? CalibrationFitError {
        case .inconsistent(let share)?: #expect(share > 0.15)
        case .ironChanged(let change)?: #expect(change > 3)
        default: throw error
        }
      }
    }
  }
}
