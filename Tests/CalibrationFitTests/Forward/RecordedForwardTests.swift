import CalibrationFit
import Quantities
import TestSupport
import Testing

@Suite(
  "Forward fit on recorded motion",
  .enabled(if: SharedData.path("data/broad") != nil, "the recorded trials are not here"),
  .timeLimit(.minutes(30)))
struct RecordedForwardTests {
  private static let others = ["02", "04", "07", "08", "10", "12", "16"]

  private func trial(_ name: String) throws -> RecordedTurns {
    try #require(RecordedTurns.all[name])
  }

  @Test("slow and fast turns calibrate every other motion", arguments: [0.0, 5])
  func rotations(misalignment: Double) throws {
    var errors: [Double] = []
    var kept = 0
    for name in ["02", "04", "07", "08"] {
      let train = try trial(name)
      let clean = train.observations()
      for seed in 1...6 as ClosedRange<UInt64> {
        let iron = SimulatedBoard(seed: seed * 10, misalignment: misalignment).distortion
        let estimate = try ForwardFit().fit(clean.distorted(iron)).estimate
        let predicted = estimate.predictedError(about: train.down)
        #expect(predicted < 4)
        for other in Self.others where other != name {
          let error = try trial(other).headingError(estimate.distortion, of: iron)
          errors.append(error)
          if error < 2 * predicted { kept += 1 }
        }
      }
    }
    // Measured 0.8 and 1.6; the demand is 2 and 4.5.
    #expect(errors.quantile(0.5) < 1.2 && errors.quantile(0.9) < 2.2, "\(errors.quantile(0.9))")
    #expect(Double(kept) >= 0.95 * Double(errors.count), "\(kept) of \(errors.count)")
  }

  @Test(
    "a gyroscope scale error of three per cent does not spoil the fit of 19 turns",
    arguments: [0.97, 1.03])
  func gyroscopeScale(scale: Double) throws {
    let train = try trial("08")
    let clean = train.observations(rateScale: scale)
    for seed in 1...3 as ClosedRange<UInt64> {
      let iron = SimulatedBoard(seed: seed * 10, misalignment: seed % 2 == 0 ? 5 : 0).distortion
      let estimate = try ForwardFit().fit(clean.distorted(iron)).estimate
      // Measured 2.0 at most.
      #expect(try trial("02").headingError(estimate.distortion, of: iron) < 3)
    }
  }

  @Test("a board with translation and little rotation is not trusted", arguments: ["10", "12"])
  func translations(name: String) throws {
    let train = try trial(name)
    let clean = train.observations()
    for seed in 1...8 as ClosedRange<UInt64> {
      let iron = SimulatedBoard(seed: seed, misalignment: seed % 2 == 0 ? 5 : 0).distortion
      let estimate = try ForwardFit().fit(clean.distorted(iron)).estimate
      let outcome = try #require(CalibrationOutcome(estimate, down: train.down))
      #expect(outcome.quality == .poor || outcome.quality == .uncalibrated)
      let error = try trial("02").headingError(estimate.distortion, of: iron)
      #expect(error < 2 * outcome.predictedHeadingError.degrees)
    }
  }

  @Test("the prediction covers the error for recordings of any length")
  func parts() throws {
    var reported: [(predicted: Double, error: Double)] = []
    for (n, name) in ["02", "04", "07", "08"].enumerated() {
      let train = try trial(name)
      for (k, seconds) in [12.0, 20, 40].enumerated() {
        let from = train.begin + 9 * Double(n) + 4 * Double(k)
        let clean = train.observations(from: from, to: from + seconds)
        for seed in 1...3 as ClosedRange<UInt64> {
          let iron = SimulatedBoard(seed: seed + UInt64(n), misalignment: 5).distortion
          let estimate = try ForwardFit().fit(clean.distorted(iron)).estimate
          let predicted = estimate.predictedError(about: train.down)
          guard predicted < 6 else { continue }
          for other in Self.others where other != name {
            reported.append(
              (predicted, try trial(other).headingError(estimate.distortion, of: iron)))
          }
        }
      }
    }
    let kept = reported.count { $0.error < 2 * $0.predicted }
    #expect(reported.count > 50, "\(reported.count)")
    #expect(Double(kept) >= 0.95 * Double(reported.count), "\(kept) of \(reported.count)")
  }
}
